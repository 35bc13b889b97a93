"""Consent: the text raters agree to, agreeing to it, and publishing another."""

from typing import Any

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards.calls import member_of
from tasks.access.guards.scopes import needs
from tasks.models import Consent, ConsentText, Membership, Role, Scope
from tasks.people.workflow.consent import give_consent, publish_consent_text
from tasks.web.addresses import call_at
from tasks.web.api_errors import ErrorSerializer
from tasks.web.bodies import Body, read_body
from tasks.web.lists import ListParameters, asked_of, page_of, page_serializer

_REFUSALS = {403: ErrorSerializer, 404: ErrorSerializer}


class ConsentSerializer(serializers.Serializer[Any]):
    """The text in force, in Markdown, and when the caller agreed to it."""

    version = serializers.IntegerField()
    text = serializers.CharField()
    given_at = serializers.DateTimeField(allow_null=True)


class ConsentTextSerializer(serializers.Serializer[Any]):
    version = serializers.IntegerField()
    text = serializers.CharField()
    created_at = serializers.DateTimeField()
    is_in_force = serializers.BooleanField()


class Agreement(Body):
    """That the caller has read this version and agrees to take part."""

    version = serializers.IntegerField(min_value=1, max_value=2**31 - 1)


class NewConsentText(Body):
    text = serializers.CharField(
        max_length=50_000, allow_blank=True, help_text="Markdown; empty: nobody is asked any more."
    )


@call_at("v1/campaigns/<slug:slug>/consent", name="api-consent")
@extend_schema(
    methods=["GET"],
    operation_id="consent",
    responses={200: ConsentSerializer, 404: ErrorSerializer},
)
@extend_schema(
    methods=["POST"],
    operation_id="give_consent",
    request=Agreement,
    responses={
        200: ConsentSerializer,
        400: ErrorSerializer,
        404: ErrorSerializer,
        409: OpenApiResponse(ErrorSerializer, "Another version is in force."),
    },
)
@needs(Scope.RATE)
@api_view(["GET", "POST"])
def consent(request: Request, slug: str) -> Response:
    """The text in force, 404 where nobody is asked for consent; or agree to it."""
    member = member_of(request, slug)
    if request.method == "POST":
        give_consent(membership=member, version=read_body(request, Agreement)["version"])
    return Response(_consent(member))


@call_at("v1/campaigns/<slug:slug>/settings/consent-texts", name="api-consent-texts")
@extend_schema(
    methods=["GET"],
    operation_id="consent_texts",
    parameters=[ListParameters],
    responses={
        200: page_serializer(ConsentTextSerializer),
        400: ErrorSerializer,
        **_REFUSALS,
    },
)
@extend_schema(
    methods=["POST"],
    operation_id="publish_consent_text",
    request=NewConsentText,
    responses={
        200: OpenApiResponse(ConsentTextSerializer, "In force."),
        204: OpenApiResponse(description="Nobody is asked for consent any more."),
        400: ErrorSerializer,
        **_REFUSALS,
    },
)
@api_view(["GET", "POST"])
def consent_texts(request: Request, slug: str) -> Response:
    """Every version, newest first; or publish one, to which everybody is asked to agree anew.

    For admins. Equal text changes nothing.
    """
    campaign = member_of(request, slug, Role.ADMIN).campaign
    if request.method == "POST":
        text = read_body(request, NewConsentText)["text"]
        published = publish_consent_text(campaign=campaign, text=text)
        return Response(_text(published, published.pk)) if published else Response(status=204)
    asked_of(request, ListParameters)
    texts = ConsentText.objects.filter(campaign=campaign)
    current = campaign.consent_text_id
    return page_of(request, texts, lambda each: _text(each, current), order=("-version",))


def _consent(member: Membership) -> dict[str, Any]:
    """As ConsentSerializer describes it."""
    text = member.campaign.consent_text
    if text is None:
        raise NotFound("nobody is asked for consent here")
    given = Consent.objects.filter(membership=member, text=text).first()
    return {
        "version": text.version,
        "text": text.text,
        "given_at": given.given_at if given else None,
    }


def _text(text: ConsentText, current: int | None) -> dict[str, Any]:
    """As ConsentTextSerializer describes it."""
    return {
        "version": text.version,
        "text": text.text,
        "created_at": text.created_at,
        "is_in_force": text.pk == current,
    }
