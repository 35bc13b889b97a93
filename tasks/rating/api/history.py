"""The caller's ratings, to look up and to revise."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards.operations import call_at, get
from tasks.access.guards.roles import MEMBERS
from tasks.models import Membership, Rating, Scope
from tasks.rating.shown.serializers import ItemSerializer, item_body
from tasks.votes.items import as_shown
from tasks.votes.ratings import history_of, with_words
from tasks.web.lists import ListParameters, asked_of, page_of

_MAX_WORDS = 200


class HistoryParameters(ListParameters):
    q = serializers.CharField(
        required=False,
        max_length=_MAX_WORDS,
        help_text="Words that all occur in the question, an answer or the comment.",
    )
    label = serializers.CharField(  # type: ignore[assignment]  # a field named like DRF's own
        required=False, max_length=60, help_text="A label of the protocol."
    )


class RatedSerializer(serializers.Serializer[Any]):
    """A rating in its current revision. `assignment` is null where it was imported."""

    rating = serializers.IntegerField()
    assignment = serializers.IntegerField(allow_null=True)
    item = ItemSerializer()
    label = serializers.CharField()  # type: ignore[assignment]  # a field named like DRF's own
    answers = serializers.DictField(child=serializers.CharField())
    comment = serializers.CharField()
    seconds = serializers.FloatField(allow_null=True)
    created_at = serializers.DateTimeField()


@call_at("v1/campaigns/<slug:slug>/history", name="api-history")
@get("history", MEMBERS, rows=RatedSerializer, asks=HistoryParameters, scope=Scope.RATE)
def history(request: Request, member: Membership) -> Response:
    """The caller's own ratings, newest first."""
    asked = asked_of(request, HistoryParameters)
    ratings = history_of(member).filter(with_words(asked.get("q", "")))
    if "label" in asked:
        ratings = ratings.filter(outcome__label=asked["label"])
    return page_of(request, ratings, _rated)


def _rated(rating: Rating) -> dict[str, Any]:
    """As RatedSerializer describes it."""
    return {
        "rating": rating.pk,
        "assignment": rating.assignment_id,
        "item": item_body(as_shown(rating.item)),
        "label": rating.outcome.label,
        "answers": rating.outcome.answers,
        "comment": rating.comment,
        "seconds": rating.seconds,
        "created_at": rating.created_at,
    }
