"""Guidelines of a campaign: those in force, every version, and publishing one."""

from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards.operations import call_at, get, post
from tasks.access.guards.roles import ADMIN, MEMBERS
from tasks.campaigns.workflow.campaign import publish_guideline
from tasks.home.forms import GuidelineForm
from tasks.models import Campaign, Guideline, Membership, Scope
from tasks.web.bodies import Body, read_body
from tasks.web.form_errors import require_valid
from tasks.web.lists import one_of, page_of


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
    if request.method == "POST":
        return _publish(request, member.campaign)
    campaign = member.campaign
    versions = Guideline.objects.filter(campaign=campaign)
    return page_of(request, versions, lambda each: _version(campaign, each), order=("-version",))


@call_at("v1/campaigns/<slug:slug>/guidelines/<int:number>", name="api-guideline")
@get("guideline", MEMBERS, gives=GuidelineSerializer)
def guideline(_request: Request, member: Membership, number: int) -> Response:
    """The version of this number with its text."""
    campaign = member.campaign
    found = one_of(
        Guideline.objects.filter(campaign=campaign, version=number),
        "no such version of the guidelines",
    )
    return Response(_guideline(campaign, found))


def _publish(request: Request, campaign: Campaign) -> Response:
    form = GuidelineForm(read_body(request, NewGuideline))
    require_valid(form)
    before = campaign.guideline
    published = publish_guideline(campaign=campaign, text=form.cleaned_data["text"])
    return Response(_guideline(campaign, published), status=200 if published == before else 201)


def _version(campaign: Campaign, guideline: Guideline) -> dict[str, Any]:
    """As GuidelineVersionSerializer describes it."""
    return {
        "version": guideline.version,
        "created_at": guideline.created_at,
        "is_in_force": guideline.pk == campaign.guideline_id,
    }


def _guideline(campaign: Campaign, guideline: Guideline) -> dict[str, Any]:
    """As GuidelineSerializer describes it."""
    return {**_version(campaign, guideline), "text": guideline.text}
