"""Guidelines, ratings per system, completion and calibration of a campaign."""

from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards import ADMIN, MEMBERS
from tasks.access.guards.operations import call_at, get, patch, post, put
from tasks.campaigns.workflow.campaign import publish_guideline
from tasks.campaigns.workflow.slots import set_overlap
from tasks.home.forms import CompletionForm
from tasks.models import Campaign, Guideline, Membership, Scope
from tasks.training.queries import calibration_items, member_standings
from tasks.training.workflow import configure_calibration, grant_attempt, pass_member
from tasks.web.calls import Body, one_of, page_of, read_body, require_valid


class GuidelineVersionSerializer(serializers.Serializer[Any]):
    version = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    is_in_force = serializers.BooleanField()


class GuidelineSerializer(GuidelineVersionSerializer):
    """One version, in Markdown."""

    text = serializers.CharField()


class NewGuideline(Body):
    text = serializers.CharField(max_length=200_000, help_text="Markdown.")


@call_at("v1/campaigns/<slug:slug>/guideline", name="api-guideline-in-force")
@get("guideline_in_force", MEMBERS, gives=GuidelineSerializer, scope=Scope.RATE)
def in_force(_request: Request, member: Membership) -> Response:
    """The guidelines that the caller rates by."""
    campaign = member.campaign
    if campaign.guideline is None:
        raise NotFound("the campaign has no guidelines")
    return Response(_guideline(campaign, campaign.guideline))


@call_at("v1/campaigns/<slug:slug>/guidelines", name="api-guidelines")
@get("guidelines", MEMBERS, rows=GuidelineVersionSerializer)
@post(
    "publish_guideline",
    ADMIN,
    takes=NewGuideline,
    gives={
        200: (GuidelineSerializer, "This text is already in use."),
        201: (GuidelineSerializer, "Published."),
    },
)
def guidelines(request: Request, member: Membership) -> Response:
    """Every version, newest first, without its text; or publish a new one, as an admin."""
    campaign = member.campaign
    if request.method == "POST":
        before = campaign.guideline
        text = read_body(request, NewGuideline)["text"]
        published = publish_guideline(campaign=campaign, text=text)
        status = 200 if published == before else 201
        return Response(_guideline(campaign, published), status=status)
    versions = Guideline.objects.filter(campaign=campaign)
    return page_of(request, versions, lambda each: _version(campaign, each), order=("-version",))


@call_at("v1/campaigns/<slug:slug>/guidelines/<int:number>", name="api-guideline")
@get("guideline", MEMBERS, gives=GuidelineSerializer)
def guideline(_request: Request, member: Membership, number: int) -> Response:
    """The version of this number with its text."""
    campaign = member.campaign
    text = one_of(
        Guideline.objects.filter(campaign=campaign, version=number),
        "no such version of the guidelines",
    )
    return Response(_guideline(campaign, text))


def _version(campaign: Campaign, guideline: Guideline) -> dict[str, Any]:
    return {
        "version": guideline.version,
        "created_at": guideline.created_at,
        "is_in_force": guideline.pk == campaign.guideline_id,
    }


def _guideline(campaign: Campaign, guideline: Guideline) -> dict[str, Any]:
    return {**_version(campaign, guideline), "text": guideline.text}


class OverlapsSerializer(serializers.Serializer[Any]):
    """Ratings per item: the campaign's number, and that of each system; null: the campaign's."""

    overlap = serializers.IntegerField()
    systems = serializers.DictField(child=serializers.IntegerField(allow_null=True))


class OverlapsChange(Body):
    """The systems whose number is to change; the others stay."""

    systems = serializers.DictField(
        child=serializers.IntegerField(allow_null=True, min_value=1, max_value=100)
    )


class Completion(Body):
    """Code and address for visitors from a crowd service when they are done."""

    completion_code = serializers.CharField(max_length=100, allow_blank=True)
    completion_url = serializers.CharField(
        max_length=500, allow_blank=True, help_text="An https address."
    )


class CalibrationSettings(Body):
    """Whether raters have to pass before live work, and how they do."""

    is_required = serializers.BooleanField()
    pass_percent = serializers.IntegerField(min_value=1, max_value=100)
    attempts = serializers.IntegerField(min_value=1, max_value=100)


class CalibrationRulesSerializer(serializers.Serializer[Any]):
    is_required = serializers.BooleanField(source="campaign.requires_calibration")
    pass_percent = serializers.IntegerField(source="campaign.calibration_pass_percent")
    attempts = serializers.IntegerField(source="campaign.calibration_attempts")
    items = serializers.IntegerField(help_text="Number of calibration items.")


class StandingSerializer(serializers.Serializer[Any]):
    """A member's calibration: passed, open (an attempt is under way), attempts-left or stuck."""

    member = serializers.IntegerField(source="membership.pk")
    pseudonym = serializers.CharField(source="membership.pseudonym")
    attempts = serializers.IntegerField(help_text="Attempts begun so far.")
    standing = serializers.ChoiceField(choices=["passed", "open", "attempts-left", "stuck"])
    decision = serializers.CharField(
        source="decision.get_change_message",
        allow_null=True,
        help_text="Latest decision of an admin about the member.",
    )


class Decision(Body):
    """One more attempt, or a pass whatever they answered."""

    decision = serializers.ChoiceField(choices=["grant", "pass"])
    reason = serializers.CharField(max_length=300)


@call_at("v1/campaigns/<slug:slug>/settings/overlaps", name="api-overlaps")
@get("overlaps", ADMIN, gives=OverlapsSerializer)
@patch("change_overlaps", ADMIN, takes=OverlapsChange, gives=OverlapsSerializer)
def overlaps(request: Request, member: Membership) -> Response:
    """How many ratings the items of each system get. For admins."""
    campaign = member.campaign
    if request.method == "PATCH":
        changes = read_body(request, OverlapsChange)["systems"]
        known = set(campaign.systems.values_list("name", flat=True))
        for name in changes:
            if name not in known:
                raise serializers.ValidationError({"systems": {name: "there is no such system"}})
        set_overlap(campaign=campaign, overlaps=changes)
    systems = dict(campaign.systems.order_by("name").values_list("name", "overlap"))
    return Response({"overlap": campaign.overlap, "systems": systems})


@call_at("v1/campaigns/<slug:slug>/settings/completion", name="api-completion")
@get("completion", ADMIN, gives=Completion)
@put("set_completion", ADMIN, takes=Completion, gives=Completion)
def completion(request: Request, member: Membership) -> Response:
    """The completion code of a crowd service, and the address that takes it. For admins."""
    campaign = member.campaign
    if request.method == "PUT":
        form = CompletionForm(read_body(request, Completion), instance=campaign)
        require_valid(form)
        form.save()
    return Response(Completion(campaign).data)


@call_at("v1/campaigns/<slug:slug>/settings/calibration", name="api-calibration-settings")
@get("calibration_settings", ADMIN, gives=CalibrationRulesSerializer)
@put(
    "set_calibration",
    ADMIN,
    takes=CalibrationSettings,
    gives=CalibrationRulesSerializer,
    refuses=(409,),
)
def calibration(request: Request, member: Membership) -> Response:
    """Whether a calibration is required, and how it is passed; 409 without calibration items.

    For admins.
    """
    campaign = member.campaign
    if request.method == "PUT":
        configure_calibration(campaign=campaign, **read_body(request, CalibrationSettings))
    values = {"campaign": campaign, "items": calibration_items(campaign).count()}
    return Response(CalibrationRulesSerializer(values).data)


@call_at(
    "v1/campaigns/<slug:slug>/settings/calibration/standings", name="api-calibration-standings"
)
@get("calibration_standings", ADMIN, gives=StandingSerializer(many=True))
def standings(_request: Request, member: Membership) -> Response:
    """The calibration of every active member with an account. For admins."""
    return Response(StandingSerializer(member_standings(member.campaign), many=True).data)


@call_at(
    "v1/campaigns/<slug:slug>/settings/calibration/<int:member_id>", name="api-calibration-decide"
)
@post("decide_calibration", ADMIN, takes=Decision, gives=StandingSerializer, refuses=(409,))
def decide(request: Request, member: Membership, member_id: int) -> Response:
    """Give a member one more attempt, or let them pass; with a reason, which is logged.

    409 for who has passed, or for one more attempt where there is one left. For admins.
    """
    body = read_body(request, Decision)
    members = Membership.objects.filter(
        campaign=member.campaign, user__isnull=False, is_active=True
    )
    membership = one_of(
        members.select_related("campaign__guideline").filter(pk=member_id),
        "there is no such member",
    )
    decide_on = pass_member if body["decision"] == "pass" else grant_attempt
    decide_on(membership=membership, reason=body["reason"], by=member)
    standings = {each.membership.pk: each for each in member_standings(member.campaign)}
    return Response(StandingSerializer(standings[membership.pk]).data)
