"""Copying, archiving, reopening, deleting and restoring campaigns."""

from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards.calls import caller_of
from tasks.access.guards.operations import call_at, get, post
from tasks.access.guards.roles import ADMIN
from tasks.access.queries.memberships import membership_in
from tasks.campaigns.queries.deleted import kept_until, restorable_by
from tasks.campaigns.workflow import lives
from tasks.home.api.campaign_serializers import CampaignSerializer
from tasks.home.api.campaigns import described
from tasks.home.lives_forms import CopyForm
from tasks.home.workflow import copy_campaign
from tasks.models import Campaign, CampaignState, Membership
from tasks.web.bodies import Body, read_body
from tasks.web.form_errors import require_valid
from tasks.web.lists import one_of, page_of


class StateSerializer(serializers.Serializer[Any]):
    """A campaign, and whether it is open, paused or archived."""

    slug = serializers.SlugField()
    state = serializers.ChoiceField(choices=CampaignState.choices)


class DeletedCampaignSerializer(serializers.Serializer[Any]):
    """A campaign that is hidden; from `kept_until` on it is removed for good."""

    id = serializers.IntegerField()
    slug = serializers.SlugField()
    title = serializers.CharField()
    deleted_at = serializers.DateTimeField()
    kept_until = serializers.SerializerMethodField()

    def get_kept_until(self, campaign: Campaign) -> str:
        until = kept_until(campaign)
        assert until is not None  # noqa: S101 - it is deleted
        return until.isoformat()


class CopyBody(Body):
    slug = serializers.CharField(
        max_length=60, help_text="Lower-case letters, digits and single hyphens between them."
    )
    title = serializers.CharField(max_length=200)
    with_items = serializers.BooleanField(
        default=False, help_text="Questions, systems, candidates, items and expected answers."
    )
    with_admins = serializers.BooleanField(
        default=False, help_text="The other admins are admins of the copy."
    )


class Deletion(Body):
    title = serializers.CharField(help_text="The campaign's title, so that no slip deletes it.")


@call_at("v1/campaigns/<slug:slug>/copies", name="api-campaign-copies")
@post(
    "copy_campaign",
    ADMIN,
    takes=CopyBody,
    gives={201: (CampaignSerializer, "The copy, which is paused.")},
    while_archived=True,
)
def copies(request: Request, member: Membership) -> Response:
    """A new campaign with the settings, guidelines, consent text and rules of this one, without
    ratings, members, releases and webhooks. For admins who are of the site's staff."""
    user = caller_of(request)
    if not user.is_staff:
        raise PermissionDenied("only the site's staff start campaigns")
    form = CopyForm(read_body(request, CopyBody))
    require_valid(form)
    made = copy_campaign(source=member.campaign, by=user, **form.cleaned_data)
    return Response(described(membership_in(user, made.slug)), status=201)


@call_at("v1/campaigns/<slug:slug>/archive", name="api-campaign-archive")
@post("archive_campaign", ADMIN, gives=StateSerializer, while_archived=True)
def archive(_request: Request, member: Membership) -> Response:
    """From now on the campaign can only be read; its jobs are cancelled. Again changes nothing."""
    lives.archive(campaign=member.campaign)
    return Response(StateSerializer(member.campaign).data)


@call_at("v1/campaigns/<slug:slug>/reopen", name="api-campaign-reopen")
@post("reopen_campaign", ADMIN, gives=StateSerializer, while_archived=True)
def reopen(_request: Request, member: Membership) -> Response:
    """An archived campaign is paused, and can be worked in again. Others stay as they are."""
    lives.reopen(campaign=member.campaign)
    return Response(StateSerializer(member.campaign).data)


@call_at("v1/campaigns/<slug:slug>/deletion", name="api-campaign-deletion")
@post(
    "delete_campaign",
    ADMIN,
    takes=Deletion,
    gives={204: None},
    asks_again=True,
    while_archived=True,
)
def deletion(request: Request, member: Membership) -> Response:
    """Hide the campaign at once. For 30 days its admins and the site's operators can restore it,
    then it is removed for good."""
    lives.delete_campaign(campaign=member.campaign, title=read_body(request, Deletion)["title"])
    return Response(status=204)


@call_at("v1/deleted-campaigns", name="api-deleted-campaigns")
@get("deleted_campaigns", rows=DeletedCampaignSerializer)
def deleted_campaigns(request: Request) -> Response:
    """The campaigns that the caller may restore, the last deleted first."""
    return page_of(request, restorable_by(caller_of(request)), DeletedCampaignSerializer)


@call_at("v1/deleted-campaigns/<int:campaign_id>/restoration", name="api-campaign-restoration")
@post("restore_campaign", gives=StateSerializer, refuses=(409,))
def restoration(request: Request, campaign_id: int) -> Response:
    """The campaign is there again, archived."""
    found = one_of(
        restorable_by(caller_of(request)).filter(pk=campaign_id),
        "there is no such deleted campaign for you",
    )
    lives.restore(campaign=found)
    return Response(StateSerializer(found).data)
