"""Campaigns: starting one, what it is, and its settings."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django.forms import model_to_dict
from rest_framework import serializers
from rest_framework.exceptions import NotFound, PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards.calls import caller_of, member_of, token_of
from tasks.access.guards.operations import call_at, get, patch, post
from tasks.access.guards.roles import ADMIN, MEMBERS
from tasks.access.queries.memberships import (
    campaign_to_enter,
    campaigns_of_site,
    membership_in,
    memberships_of,
)
from tasks.campaigns.workflow.campaign import SETTINGS, change_settings, create_campaign
from tasks.home.api.campaign_serializers import CampaignSerializer, SettingsSerializer
from tasks.home.forms import NewCampaignForm, SettingsForm
from tasks.home.queries.own_work import own_work
from tasks.home.queries.situation import Situation, situation_for
from tasks.home.shown.next_step import next_step
from tasks.models import Campaign, Membership, Role, SuggestionPolicy, User
from tasks.people.workflow.members import NotAnOperator, enter_as_operator
from tasks.protocols import protocols
from tasks.rating.queries.time_spent import time_spent_by
from tasks.rating.workflow.admission import what_is_missing
from tasks.web.bodies import Body, read_body
from tasks.web.form_errors import require_valid
from tasks.web.lists import page_of


class MyCampaignSerializer(serializers.Serializer[Any]):
    """A campaign of the caller, and who they are in it."""

    slug = serializers.SlugField(source="campaign.slug")
    title = serializers.CharField(source="campaign.title")
    protocol = serializers.CharField(source="campaign.protocol")
    state = serializers.CharField(source="campaign.state")
    role = serializers.ChoiceField(choices=Role.choices)
    paused = serializers.BooleanField(source="is_paused")


class SiteCampaignSerializer(serializers.Serializer[Any]):
    """A campaign of the site; `role` is the operator's in it, null where they are no member."""

    slug = serializers.SlugField()
    title = serializers.CharField()
    protocol = serializers.CharField()
    state = serializers.CharField()
    role = serializers.ChoiceField(choices=Role.choices, allow_null=True)


class NewCampaign(Body):
    """The start of a campaign; everything else can wait for the settings."""

    slug = serializers.CharField(
        max_length=60, help_text="Lower-case letters, digits and single hyphens between them."
    )
    title = serializers.CharField(max_length=200)
    protocol = serializers.ChoiceField(
        choices=sorted(protocols()), help_text="Cannot be changed later."
    )
    overlap = serializers.IntegerField(default=3, min_value=1, max_value=100)
    suggestions = serializers.ChoiceField(
        choices=SuggestionPolicy.choices, default=SuggestionPolicy.HIDDEN
    )
    description = serializers.CharField(required=False, allow_blank=True, default="")


class SettingsChange(Body, SettingsSerializer):
    """The settings to change; all others stay."""


@call_at("v1/campaigns", name="api-campaigns")
@get("campaigns", rows=MyCampaignSerializer, refuses=(403,), within_campaign=True)
@post("create_campaign", takes=NewCampaign, gives={201: CampaignSerializer}, refuses=(403,))
def campaigns(request: Request) -> Response:
    """The campaigns in which the caller is an active member, the last joined first; or start one,
    as one of the site's staff: whoever starts one is its admin."""
    return _mine(request) if request.method == "GET" else _start(request)


@call_at("v1/campaigns/<slug:slug>", name="api-campaign")
@get("campaign", MEMBERS, gives=CampaignSerializer)
@patch("change_campaign", ADMIN, takes=SettingsChange(partial=True), gives=CampaignSerializer)
def campaign(request: Request, member: Membership) -> Response:
    """A campaign with its progress and the caller's own; or change its settings, as an admin."""
    if request.method == "PATCH":
        _change(member.campaign, read_body(request, SettingsChange, partial=True))
        member = member_of(request, member.campaign.slug)
    return Response(_campaign(member))


@call_at("v1/site/campaigns", name="api-site-campaigns")
@get("site_campaigns", rows=SiteCampaignSerializer, refuses=(403,))
def site_campaigns(request: Request) -> Response:
    """Every campaign of the site, the last made first. For operators of the site."""
    user = _operator(request)
    return page_of(request, campaigns_of_site(user), SiteCampaignSerializer)


@call_at("v1/campaigns/<slug:slug>/entry", name="api-campaign-enter")
@post("enter_campaign", gives=CampaignSerializer, refuses=(403,), while_archived=True)
def enter(request: Request, slug: str) -> Response:
    """Come in as an admin, as an operator of the site; a member stays what they are.

    The campaign's members and its audit log show it.
    """
    try:
        campaign = campaign_to_enter(caller_of(request), slug)
    except Campaign.DoesNotExist:
        raise NotFound("no such campaign, or you are not a member of it") from None
    user = _operator(request)
    enter_as_operator(campaign=campaign, user=user)
    member = membership_in(user, slug)
    member.campaign.reader = member
    return Response(_campaign(member))


def _operator(request: Request) -> User:
    """The caller, if they are an operator and call by no token that is for one campaign."""
    user, token = caller_of(request), token_of(request)
    if not user.is_operator or (token is not None and token.campaign_id is not None):
        raise PermissionDenied(NotAnOperator.reason)
    return user


def _change(campaign: Campaign, changes: Mapping[str, Any]) -> None:
    """By the form of the settings page, as if its other fields had been sent unchanged."""
    form = SettingsForm({**model_to_dict(campaign, SETTINGS), **changes}, instance=campaign)
    require_valid(form)
    changed = {name: form.cleaned_data[name] for name in form.changed_data}
    change_settings(campaign=campaign, changes=changed)


def _mine(request: Request) -> Response:
    found, token = memberships_of(caller_of(request)), token_of(request)
    if token is not None and token.campaign_id is not None:
        found = found.filter(campaign=token.campaign_id)
    return page_of(request, found, MyCampaignSerializer)


def _start(request: Request) -> Response:
    user = request.user
    if not isinstance(user, User) or not user.is_staff:
        raise PermissionDenied("only the site's staff may create campaigns")
    form = NewCampaignForm(read_body(request, NewCampaign))
    require_valid(form)
    made = create_campaign(**form.cleaned_data, created_by=user)
    return Response(_campaign(membership_in(user, made.slug)), status=201)


def _campaign(member: Membership) -> dict[str, Any]:
    """As CampaignSerializer describes it."""
    campaign = member.campaign
    consent = campaign.consent_text
    facts = None if member.role == Role.RATER else situation_for(member)
    return {
        "slug": campaign.slug,
        "title": campaign.title,
        "description": campaign.description,
        "language": campaign.language,
        "protocol": campaign.protocol,
        "labels": [
            {"value": label.value, "title": label.title}
            for label in campaign.annotation_protocol.labels
        ],
        "state": campaign.state,
        "guideline_version": campaign.guideline_version,
        "consent_version": consent.version if consent else None,
        "progress": asdict(facts.progress) if facts else None,
        "own": _own(member),
        "settings": SettingsSerializer(campaign).data if facts else None,
        "contents": asdict(facts.contents) if facts else None,
        "next_step": _next_step(campaign, facts) if facts else None,
    }


def _next_step(campaign: Campaign, facts: Situation) -> dict[str, str]:
    """As NextStepSerializer describes it."""
    step = next_step(facts)
    return {"key": step.key, "page": step.address(campaign)}


def _own(member: Membership) -> dict[str, Any]:
    """As OwnStandingSerializer describes it."""
    work = own_work(member)
    return {
        "role": member.role,
        "pseudonym": member.pseudonym,
        "is_paused": member.is_paused,
        "missing": what_is_missing(member),
        "next": work.next,
        "left": work.left,
        "ratings": work.rated,
        "time": asdict(time_spent_by(member)),
    }
