"""The words of a campaign's form in other languages than the original."""

from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards.operations import call_at, delete, get, put
from tasks.access.guards.roles import ADMIN, MEMBERS
from tasks.campaigns.queries.wordings import wording_in_force, wording_languages, wordings_in_force
from tasks.campaigns.workflow.wording import WordingError, publish_wording, withdraw_wording
from tasks.models import Campaign, Membership, Scope, Wording
from tasks.web.bodies import Body, read_body


class WordingVersionSerializer(serializers.Serializer[Any]):
    """A wording in force. `id` is what a rating given in these words says as `wording`."""

    id = serializers.IntegerField()
    language = serializers.CharField()
    version = serializers.IntegerField()
    guideline_version = serializers.IntegerField(allow_null=True)
    created_at = serializers.DateTimeField()


class WordingSerializer(WordingVersionSerializer):
    texts = serializers.DictField(
        child=serializers.CharField(),
        help_text="The text in this language by the original, as in `form.questions` of a claim.",
    )


class NewWording(Body):
    texts = serializers.DictField(
        child=serializers.CharField(allow_blank=True),
        help_text="Every text of the form, by the original.",
    )


@call_at("v1/campaigns/<slug:slug>/wordings", name="api-wordings")
@get("wordings", MEMBERS, gives=WordingSerializer(many=True), scope=Scope.RATE)
def wordings(_request: Request, member: Membership) -> Response:
    """Those in force, one for each language at most."""
    campaign = member.campaign
    found = (wording_in_force(campaign, each) for each in wordings_in_force(campaign))
    return Response([_body(wording) for wording in found if wording])


@call_at("v1/campaigns/<slug:slug>/wordings/<slug:language>", name="api-wording")
@get("wording", MEMBERS, gives=WordingSerializer)
@put("publish_wording", ADMIN, takes=NewWording, gives=WordingSerializer)
@delete("withdraw_wording", ADMIN, gives={204: "Raters of this language see the original."})
def wording(request: Request, member: Membership, language: str) -> Response:
    """The words in force in a language; or publish the next version or go back to the original, as
    an admin. Equal texts publish nothing."""
    campaign = member.campaign
    if request.method == "PUT":
        return Response(_body(_publish(request, campaign, language)))
    if (found := wording_in_force(campaign, language)) is None:
        raise NotFound("no words of this language are in force")
    if request.method == "DELETE":
        withdraw_wording(campaign=campaign, language=language)
        return Response(status=204)
    return Response(_body(found))


def _publish(request: Request, campaign: Campaign, language: str) -> Wording:
    if language not in wording_languages():
        raise NotFound("the pages do not have this language")
    texts = read_body(request, NewWording)["texts"]
    try:
        return publish_wording(campaign=campaign, language=language, texts=texts)
    except WordingError as error:
        raise serializers.ValidationError({"texts": str(error)}) from error


def _body(wording: Wording) -> dict[str, Any]:
    """As WordingSerializer describes it."""
    return {
        "id": wording.pk,
        "language": wording.language,
        "version": wording.version,
        "guideline_version": wording.guideline.version if wording.guideline else None,
        "created_at": wording.created_at,
        "texts": wording.texts,
    }
