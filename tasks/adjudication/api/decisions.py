"""Adjudication over the API: the current ratings, the decisions, first looks, deciding, and how far
experts agree."""

from collections.abc import Mapping
from typing import Any, get_args

from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards import RESULTS
from tasks.access.guards.operations import call_at, get, post
from tasks.adjudication.queries.decisions import (
    adjudication_report_of,
    decisions_open_to,
    ratings_open_to,
)
from tasks.adjudication.workflow import MAX_REASON, adjudicate, store_first_look
from tasks.models import Item, Membership
from tasks.models.suggestion import Ending
from tasks.rating.shown.serializers import GivesRemarks, SubmittedAnswers, body_of
from tasks.votes.items import live_items
from tasks.votes.ratings import is_counted
from tasks.web.calls import KEY, ListParameters, asked_of, key_of, one_of, page_of


class FirstLookSubmission(SubmittedAnswers):
    """The answers of an adjudicator before seeing the votes."""

    item = serializers.CharField(help_text="The item's id.")


class AdjudicationSubmission(FirstLookSubmission):
    """A decision: the answers, and why."""

    reason = serializers.CharField(max_length=MAX_REASON)
    guideline_version = serializers.IntegerField(
        required=False,
        allow_null=True,
        help_text="Version of the guidelines that the decision follows; refused (409) if it is no "
        "longer in use.",
    )
    settles_flags = serializers.BooleanField(
        default=False,
        help_text="Also settles the open flags on the item, with the reason as explanation.",
    )


class FirstLookSerializer(serializers.Serializer[Any]):
    first_look = serializers.IntegerField(source="pk")
    item = serializers.CharField(source="item.key")
    label = serializers.CharField(source="outcome.label")  # type: ignore[assignment]  # a field named like DRF's own


class AdjudicationSerializer(serializers.Serializer[Any]):
    """A decision. `first_label` is that of the blind first look, null where there was none."""

    adjudication = serializers.IntegerField(source="pk")
    item = serializers.CharField(source="item.key")
    adjudicator = serializers.CharField(source="adjudicator.pseudonym", help_text="Pseudonym.")
    label = serializers.CharField(source="outcome.label")  # type: ignore[assignment]  # a field named like DRF's own
    answers = serializers.DictField(source="outcome.answers", child=serializers.CharField())
    first_label = serializers.CharField(source="first_outcome.label", allow_null=True)
    reason = serializers.CharField()
    guideline_version = serializers.IntegerField(source="guideline.version", allow_null=True)
    supersedes = serializers.IntegerField(source="supersedes_id", allow_null=True)
    created_at = serializers.DateTimeField()


class AdjudicationParameters(ListParameters):
    item = serializers.CharField(required=False, help_text="An item's id.")
    adjudicator = serializers.CharField(required=False, help_text="Pseudonym.")


@call_at("v1/campaigns/<slug:slug>/adjudications", name="api-adjudications")
@get("adjudications", RESULTS, rows=AdjudicationSerializer, asks=AdjudicationParameters)
@post(
    "adjudicate",
    RESULTS,
    headers=(KEY,),
    takes=AdjudicationSubmission,
    gives={
        200: (AdjudicationSerializer, "Already stored by an earlier call."),
        201: (AdjudicationSerializer, "Stored."),
    },
    refuses=(409,),
)
def adjudications(request: Request, member: Membership) -> Response:
    """Current decisions, newest first; or decide an item, with a new key revise the decision.

    Where first looks are blind, decisions on items that the caller has not judged are left out
    of the list, and deciding without a first look is refused (409), as is deciding an item that
    the caller has rated.
    """
    return _list(request, member) if request.method == "GET" else _decide(request, member)


@call_at("v1/campaigns/<slug:slug>/first-looks", name="api-first-looks")
@post(
    "first_look",
    RESULTS,
    takes=FirstLookSubmission,
    gives={201: FirstLookSerializer},
    refuses=(409,),
)
def first_looks(request: Request, member: Membership) -> Response:
    """Judge an item before seeing what others say. It is final: other answers get 409."""
    given, answers = body_of(request, FirstLookSubmission)
    item = item_of(member, given["item"])
    look = store_first_look(item=item, adjudicator=member, answers=answers)
    return Response(FirstLookSerializer(look).data, status=201)


@call_at("v1/campaigns/<slug:slug>/adjudications/agreement", name="api-adjudication-agreement")
@get("adjudication_agreement", RESULTS, gives=OpenApiTypes.OBJECT)
def agreement(_request: Request, member: Membership) -> Response:
    """How far adjudicators agree, decide against majorities, and change their minds."""
    return Response(adjudication_report_of(member.campaign).as_json())


def _list(request: Request, member: Membership) -> Response:
    asked = asked_of(request, AdjudicationParameters)
    found = decisions_open_to(member)
    if "item" in asked:
        found = found.filter(item__key=asked["item"])
    if "adjudicator" in asked:
        found = found.filter(adjudicator__pseudonym=asked["adjudicator"])
    return page_of(request, found, AdjudicationSerializer)


def _decide(request: Request, member: Membership) -> Response:
    key = key_of(request)
    given, answers = body_of(request, AdjudicationSubmission)
    decided = adjudicate(
        item=item_of(member, given.pop("item")),
        adjudicator=member,
        answers=answers,
        idempotency_key=key,
        **given,
    )
    body = AdjudicationSerializer(decided.adjudication).data
    return Response(body, status=200 if decided.is_replay else 201)


def item_of(member: Membership, key: str) -> Item:
    return one_of(live_items(member.campaign).filter(key=key), "the campaign has no such item")


_FILTERS: Mapping[str, str] = {
    "rater": "rater__pseudonym",
    "item": "item__key",
    "label": "outcome__label",
}


class RatingParameters(ListParameters):
    rater = serializers.CharField(required=False, max_length=60, help_text="A pseudonym.")
    item = serializers.CharField(required=False, max_length=255, help_text="The item's id.")
    counted = serializers.BooleanField(
        required=False,
        allow_null=True,
        default=None,
        help_text="Votes alone, or those alone that do not count.",
    )
    label = serializers.CharField(  # type: ignore[assignment]  # a field named like DRF's own
        required=False, max_length=60, help_text="A label of the protocol."
    )


class SuggestionViewSerializer(serializers.Serializer[Any]):
    """A suggestion that the rater saw, with the item or after the answer.

    `seconds` is null unless it was closed within half an hour after it was shown.
    """

    matcher = serializers.CharField(source="suggestion.matcher")
    version = serializers.CharField(source="suggestion.version")
    score = serializers.FloatField(source="suggestion.score")
    is_correct = serializers.BooleanField(source="suggestion.is_correct")
    shown_at = serializers.DateTimeField(allow_null=True)
    closed_at = serializers.DateTimeField(allow_null=True)
    ending = serializers.ChoiceField(source="length.ending", choices=get_args(Ending))
    seconds = serializers.FloatField(source="length.seconds", allow_null=True)


class ListedRatingSerializer(GivesRemarks):
    """The last revision of a rating. `counted` is false for a surplus one and one set aside."""

    rating = serializers.IntegerField(source="pk")
    item = serializers.CharField(source="item.key")
    rater = serializers.CharField(source="rater.pseudonym", help_text="Pseudonym.")
    label = serializers.CharField(source="outcome.label")  # type: ignore[assignment]  # a field named like DRF's own
    answers = serializers.DictField(source="outcome.answers", child=serializers.CharField())
    counted = serializers.BooleanField(source="is_counted")
    set_aside = serializers.BooleanField(source="is_set_aside", help_text="By an admin's act.")
    supersedes = serializers.IntegerField(source="supersedes_id", allow_null=True)
    guideline_version = serializers.IntegerField(source="guideline.version", allow_null=True)
    wording = serializers.CharField(
        help_text="The words of the form, as `de-1`; empty for the published ones."
    )
    suggestion_arm = serializers.CharField(help_text="Part of the suggestion that the rater saw.")
    suggestion_view = SuggestionViewSerializer(
        source="assignment.suggestion_view",
        allow_null=True,
        help_text="Null if none was shown or if this is unknown.",
    )
    seconds = serializers.FloatField(allow_null=True)
    rated_at = serializers.DateTimeField(allow_null=True)
    created_at = serializers.DateTimeField()
    imported = serializers.BooleanField(
        source="rater.is_imported",
        help_text="True if the rater came from a file and has no account.",
    )


@call_at("v1/campaigns/<slug:slug>/ratings", name="api-ratings")
@get("ratings", RESULTS, rows=ListedRatingSerializer, asks=RatingParameters)
def ratings(request: Request, member: Membership) -> Response:
    """Ratings of live items in their last revision, newest first.

    Those of items that the caller is rating are left out; so are those of items that the caller
    could still judge by themselves, until they ask for the votes.
    """
    asked = asked_of(request, RatingParameters)
    wanted = {path: asked[name] for name, path in _FILTERS.items() if name in asked}
    seen = "assignment__suggestion_view__suggestion"
    found = ratings_open_to(member).select_related(seen).filter(**wanted)
    if asked["counted"] is not None:
        found = found.filter(is_counted() if asked["counted"] else ~is_counted())
    return page_of(request, found, ListedRatingSerializer)
