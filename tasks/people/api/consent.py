"""Consent: the text raters agree to, agreeing to it, and publishing another."""

from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards.operations import call_at, get, post
from tasks.access.guards.roles import ADMIN, MEMBERS
from tasks.models import Consent, ConsentText, Membership, Scope
from tasks.people.workflow.consent import give_consent, publish_consent_text
from tasks.web.bodies import Body, read_body
from tasks.web.lists import page_of


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
        max_length=50_000, allow_blank=True, help_text="Markdown; empty to ask nobody from now on."
    )


@call_at("v1/campaigns/<slug:slug>/consent", name="api-consent")
@get("consent", MEMBERS, gives=ConsentSerializer, scope=Scope.RATE)
@post(
    "give_consent",
    MEMBERS,
    takes=Agreement,
    gives=ConsentSerializer,
    refuses={409: "Another version is in force."},
    scope=Scope.RATE,
)
def consent(request: Request, member: Membership) -> Response:
    """The text in force, 404 where nobody is asked for consent; or agree to it."""
    if request.method == "POST":
        give_consent(membership=member, version=read_body(request, Agreement)["version"])
    return Response(_consent(member))


@call_at("v1/campaigns/<slug:slug>/settings/consent-texts", name="api-consent-texts")
@get("consent_texts", ADMIN, rows=ConsentTextSerializer)
@post(
    "publish_consent_text",
    ADMIN,
    takes=NewConsentText,
    gives={
        200: (ConsentTextSerializer, "In force."),
        204: "Nobody is asked for consent now.",
    },
)
def consent_texts(request: Request, member: Membership) -> Response:
    """Every version, newest first; or publish one, to which everybody has to agree again.

    For admins. Equal text changes nothing.
    """
    campaign = member.campaign
    if request.method == "POST":
        text = read_body(request, NewConsentText)["text"]
        published = publish_consent_text(campaign=campaign, text=text)
        return Response(_text(published, published.pk)) if published else Response(status=204)
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
