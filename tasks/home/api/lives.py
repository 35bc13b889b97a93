"""Copying, archiving, reopening, deleting and restoring campaigns."""

from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards import ADMIN
from tasks.access.guards.operations import call_at, caller_of, get, post, token_of
from tasks.campaigns.queries import restorable_by
from tasks.campaigns.workflow import lives
from tasks.home.forms import CopyForm
from tasks.home.workflow import CopiedData, copy_campaign
from tasks.models import CampaignState, Membership, Role
from tasks.web.calls import Body, NoBody, one_of, page_of, read_body, require_valid


class StateSerializer(serializers.Serializer[Any]):
    """A campaign, and whether it is open, paused or archived."""

    slug = serializers.CharField()
    state = serializers.ChoiceField(choices=CampaignState.choices)


class DeletedCampaignSerializer(serializers.Serializer[Any]):
    """A campaign that is hidden, and from `kept_until` on removed for good."""

    id = serializers.IntegerField()
    slug = serializers.CharField()
    title = serializers.CharField()
    deleted_at = serializers.DateTimeField()
    kept_until = serializers.DateTimeField()


class CopyBody(Body):
    """The copy's names, and how much it gets; `slug` is made from the title unless one is sent."""

    title = serializers.CharField(max_length=200)
    slug = serializers.CharField(
        max_length=60,
        default="",
        allow_blank=True,
        help_text="Lower-case letters, digits and single hyphens between them.",
    )
    roles = serializers.ListField(
        child=serializers.ChoiceField(choices=Role.choices),
        default=list,
        help_text="Members in these roles are members of the copy.",
    )
    content = serializers.ChoiceField(
        choices=CopiedData.choices,
        default=CopiedData.NONE,
        help_text="`items` includes systems, candidates and expected answers.",
    )


class CopySerializer(StateSerializer):
    """The copy, and the job that copies data into it."""

    job = serializers.IntegerField(allow_null=True)


class Deletion(Body):
    slug = serializers.CharField(help_text="The campaign's short name once more, to confirm.")


@call_at("v1/campaigns/<slug:slug>/copies", name="api-campaign-copies")
@post("copy_campaign", ADMIN, takes=CopyBody, gives={201: CopySerializer}, while_archived=True)
def copies(request: Request, member: Membership) -> Response:
    """A new, paused campaign with the settings, guidelines, consent text and alert rules of this
    one, for admins who are of the site's staff. Ratings are never copied."""
    user, token = caller_of(request), token_of(request)
    if not user.is_staff:
        raise PermissionDenied("only the site's staff start campaigns")
    if token is not None and token.campaign_id is not None:
        raise PermissionDenied("a token of one campaign starts no other")
    fields = require_valid(CopyForm(read_body(request, CopyBody)))
    made, job = copy_campaign(source=member.campaign, by=user, **fields)
    body = {"slug": made.slug, "state": made.state, "job": job and job.pk}
    return Response(body, status=201)


@call_at("v1/campaigns/<slug:slug>/archive", name="api-campaign-archive")
@post("archive_campaign", ADMIN, takes=NoBody, gives=StateSerializer, while_archived=True)
def archive(_request: Request, member: Membership) -> Response:
    """From now on the campaign can only be read, and its jobs are cancelled. Archiving it again
    changes nothing."""
    lives.archive(campaign=member.campaign)
    return Response(StateSerializer(member.campaign).data)


@call_at("v1/campaigns/<slug:slug>/reopen", name="api-campaign-reopen")
@post("reopen_campaign", ADMIN, takes=NoBody, gives=StateSerializer, while_archived=True)
def reopen(_request: Request, member: Membership) -> Response:
    """Make an archived campaign a paused one. Others stay as they are."""
    lives.reopen(campaign=member.campaign)
    return Response(StateSerializer(member.campaign).data)


@call_at("v1/campaigns/<slug:slug>/deletion", name="api-campaign-deletion")
@post("delete_campaign", ADMIN, takes=Deletion, gives={204: None}, while_archived=True)
def deletion(request: Request, member: Membership) -> Response:
    """Hide the campaign at once. For 30 days its admins and the site's operators can restore it,
    then everything in it is removed for good, released files included."""
    sent = read_body(request, Deletion)
    lives.delete_campaign(campaign=member.campaign, typed=sent["slug"])
    return Response(status=204)


@call_at("v1/deleted-campaigns", name="api-deleted-campaigns")
@get("deleted_campaigns", rows=DeletedCampaignSerializer)
def deleted(request: Request) -> Response:
    """The campaigns that the caller may restore, the last made first."""
    return page_of(request, restorable_by(caller_of(request)), DeletedCampaignSerializer)


@call_at("v1/deleted-campaigns/<int:campaign_id>/restoration", name="api-campaign-restoration")
@post("restore_campaign", takes=NoBody, gives=StateSerializer, refuses=(409,))
def restoration(request: Request, campaign_id: int) -> Response:
    """Bring a deleted campaign back. It is archived until an admin reopens it."""
    campaign = one_of(
        restorable_by(caller_of(request)).filter(pk=campaign_id),
        "there is no such deleted campaign for you",
    )
    lives.restore(campaign=campaign)
    return Response(StateSerializer(campaign).data)
