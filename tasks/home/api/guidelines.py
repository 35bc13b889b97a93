"""Guidelines of a campaign: those in force, every version, and publishing one."""

from typing import Any

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards.calls import member_of
from tasks.access.guards.scopes import needs
from tasks.campaigns.workflow.campaign import publish_guideline
from tasks.home.forms import GuidelineForm
from tasks.models import Campaign, Guideline, Role, Scope
from tasks.web.addresses import call_at
from tasks.web.api_errors import ErrorSerializer
from tasks.web.bodies import Body, read_body, refusal_of
from tasks.web.lists import ListParameters, asked_of, page_of, page_serializer

_REFUSALS = {403: ErrorSerializer, 404: ErrorSerializer}


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
@extend_schema(
    operation_id="guideline_in_force",
    responses={200: GuidelineSerializer, 404: ErrorSerializer},
)
@needs(Scope.RATE)
@api_view(["GET"])
def in_force(request: Request, slug: str) -> Response:
    """The guidelines that the caller rates by."""
    campaign = member_of(request, slug).campaign
    if campaign.guideline is None:
        raise NotFound("the campaign has no guidelines")
    return Response(_guideline(campaign, campaign.guideline))


@call_at("v1/campaigns/<slug:slug>/guidelines", name="api-guidelines")
@extend_schema(
    methods=["GET"],
    operation_id="guidelines",
    parameters=[ListParameters],
    responses={
        200: page_serializer(GuidelineVersionSerializer),
        400: ErrorSerializer,
        404: ErrorSerializer,
    },
)
@extend_schema(
    methods=["POST"],
    operation_id="publish_guideline",
    request=NewGuideline,
    responses={
        200: OpenApiResponse(GuidelineSerializer, "This very text is in force already."),
        201: OpenApiResponse(GuidelineSerializer, "Published."),
        400: ErrorSerializer,
        **_REFUSALS,
    },
)
@api_view(["GET", "POST"])
def guidelines(request: Request, slug: str) -> Response:
    """Every version, newest first, without its text; or publish a new one, as an admin."""
    if request.method == "POST":
        return _publish(request, member_of(request, slug, Role.ADMIN).campaign)
    campaign = member_of(request, slug).campaign
    asked_of(request, ListParameters)
    versions = Guideline.objects.filter(campaign=campaign)
    return page_of(request, versions, lambda each: _version(campaign, each), order=("-version",))


@call_at("v1/campaigns/<slug:slug>/guidelines/<int:number>", name="api-guideline")
@extend_schema(
    operation_id="guideline",
    responses={200: GuidelineSerializer, 404: ErrorSerializer},
)
@api_view(["GET"])
def guideline(request: Request, slug: str, number: int) -> Response:
    """The version of this number with its text."""
    campaign = member_of(request, slug).campaign
    found = Guideline.objects.filter(campaign=campaign, version=number).first()
    if found is None:
        raise NotFound("there is no such version of the guidelines")
    return Response(_guideline(campaign, found))


def _publish(request: Request, campaign: Campaign) -> Response:
    form = GuidelineForm(read_body(request, NewGuideline))
    if not form.is_valid():
        raise refusal_of(form)
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
