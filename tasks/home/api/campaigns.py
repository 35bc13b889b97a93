"""Campaigns: starting one, what it is, and its settings."""

from typing import Any, get_args

from django.forms import model_to_dict
from rest_framework import serializers
from rest_framework.exceptions import NotFound, PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards import ADMIN, MEMBERS
from tasks.access.guards.operations import call_at, caller_of, get, member_of, patch, post, token_of
from tasks.access.queries import campaign_to_enter, campaigns_of_site, membership_in, memberships_of
from tasks.campaigns.workflow.campaign import SETTINGS, change_settings, create_campaign
from tasks.home.forms import NewCampaignForm, SettingsForm
from tasks.home.queries.personal import NextForMember, own_work
from tasks.home.queries.situation import situation_for
from tasks.home.shown import next_step
from tasks.models import Campaign, CampaignState, Membership, Role, SuggestionPolicy, User
from tasks.people.workflow.members import NotAnOperator, enter_as_operator
from tasks.protocols import protocols
from tasks.rating.queries.own_work import time_spent_by
from tasks.rating.workflow.admission import Missing, what_is_missing
from tasks.rating.workflow.assignment import MOST_LEFT
from tasks.web.calls import Body, page_of, read_body, require_valid


class SettingsSerializer(serializers.ModelSerializer[Campaign]):
    """Settings that may change in a running campaign."""

    class Meta:
        model = Campaign
        fields = SETTINGS


class ContentsSerializer(serializers.Serializer[Any]):
    """How much of what there is in a campaign."""

    questions = serializers.IntegerField()
    unanswerable = serializers.IntegerField(
        help_text="Of the questions; candidates for them are not counted."
    )
    candidates = serializers.IntegerField()
    exact_matches = serializers.IntegerField(help_text="Of the candidates; they are not rated.")
    items = serializers.IntegerField()
    suggested = serializers.IntegerField(help_text="Items that the campaign's matcher has scored.")
    raters = serializers.IntegerField(help_text="Active members of that role with an account.")
    have_rated = serializers.IntegerField(
        help_text="Raters with at least one vote, by account or import."
    )
    ratings = serializers.IntegerField()
    releases = serializers.IntegerField()


class ProgressSerializer(serializers.Serializer[Any]):
    """Ratings in place, and ratings wanted; those of live items, without surplus."""

    done = serializers.IntegerField()
    wanted = serializers.IntegerField()


class TimeSpentSerializer(serializers.Serializer[Any]):
    """Active seconds, revisions included; `pace` is the median over the items."""

    total = serializers.FloatField()
    this_week = serializers.FloatField()
    pace = serializers.FloatField(allow_null=True)
    items = serializers.IntegerField(help_text="Those whose time is known.")


class OwnStandingSerializer(serializers.Serializer[Any]):
    """The caller's progress in the campaign."""

    role = serializers.ChoiceField(choices=Role.choices, source="member.role")
    pseudonym = serializers.CharField(source="member.pseudonym")
    is_paused = serializers.BooleanField(source="member.is_paused")
    missing = serializers.ChoiceField(
        choices=get_args(Missing), allow_null=True, help_text="Steps before the first item."
    )
    next = serializers.ChoiceField(
        choices=get_args(NextForMember),
        source="work.next",
        help_text="Next step for a rater; `stuck` if an admin has to decide about the calibration.",
    )
    left = serializers.IntegerField(
        allow_null=True,
        source="work.left",
        help_text="Upper bound of the items left to rate, control items included: rounded to "
        f"tens, or the rest of the quota; null for more than {MOST_LEFT}.",
    )
    ratings = serializers.IntegerField(
        source="work.rated", help_text="Items rated; revisions count once."
    )
    time = TimeSpentSerializer()


class NextStepSerializer(serializers.Serializer[Any]):
    """The next thing to do in a campaign; `key` names the case as the documentation does."""

    key = serializers.CharField()
    page = serializers.CharField(help_text="Path of the page for this step.")


class LabelSerializer(serializers.Serializer[Any]):
    value = serializers.CharField()
    title = serializers.CharField()


class CampaignSerializer(serializers.Serializer[Any]):
    """A campaign as its members see it; `progress`, `settings`, `contents` and `next_step` are null
    for raters.

    The progress of a campaign rises with ratings of live items alone, so a rater who saw it could
    tell control items from them.
    """

    slug = serializers.CharField(source="campaign.slug")
    title = serializers.CharField(source="campaign.title")
    description = serializers.CharField(source="campaign.description")
    language = serializers.CharField(source="campaign.language")
    protocol = serializers.CharField(source="campaign.protocol")
    labels = LabelSerializer(many=True, source="campaign.annotation_protocol.labels")
    state = serializers.ChoiceField(choices=CampaignState.choices, source="campaign.state")
    guideline_version = serializers.IntegerField(
        allow_null=True, source="campaign.guideline_version"
    )
    consent_version = serializers.IntegerField(
        allow_null=True, source="campaign.consent_text.version"
    )
    progress = ProgressSerializer(allow_null=True, source="facts.progress")
    own = OwnStandingSerializer()
    settings = SettingsSerializer(allow_null=True)
    contents = ContentsSerializer(allow_null=True, source="facts.contents")
    next_step = NextStepSerializer(allow_null=True)


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
        campaign = member.campaign
        changes = read_body(request, SettingsChange, partial=True)
        # by the form of the page, as if its other fields had been sent unchanged
        form = SettingsForm({**model_to_dict(campaign, SETTINGS), **changes}, instance=campaign)
        fields = require_valid(form)
        changed = {name: fields[name] for name in form.changed_data}
        change_settings(campaign=campaign, changes=changed)
        member = member_of(request, campaign.slug)
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


def _mine(request: Request) -> Response:
    memberships, token = memberships_of(caller_of(request)), token_of(request)
    if token is not None and token.campaign_id is not None:
        memberships = memberships.filter(campaign=token.campaign_id)
    return page_of(request, memberships, MyCampaignSerializer)


def _start(request: Request) -> Response:
    user = request.user
    if not isinstance(user, User) or not user.is_staff:
        raise PermissionDenied("only the site's staff may create campaigns")
    fields = require_valid(NewCampaignForm(read_body(request, NewCampaign)))
    made = create_campaign(**fields, created_by=user)
    return Response(_campaign(membership_in(user, made.slug)), status=201)


def _campaign(member: Membership) -> dict[str, Any]:
    campaign = member.campaign
    facts = None if member.role == Role.RATER else situation_for(member)
    step = next_step(facts) if facts else None
    values = {
        "campaign": campaign,
        "own": {
            "member": member,
            "missing": what_is_missing(member),
            "work": own_work(member),
            "time": time_spent_by(member),
        },
        "facts": facts,
        "settings": campaign if facts else None,
        "next_step": step and {"key": step.key, "page": step.address(campaign)},
    }
    return CampaignSerializer(values).data
