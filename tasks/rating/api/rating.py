"""The rater's calls: claim an item, submit its rating, look up what was rated; and the export of
all ratings, for researchers and admins."""

import uuid
from typing import Any

from django.http import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards import MEMBERS, RESULTS
from tasks.access.guards.operations import call_at, get, member_for_assignment, post
from tasks.models import Membership, Rating, Scope, Suggestion, SuggestionArm
from tasks.rating.queries.own_work import view_after
from tasks.rating.shown.serializers import (
    ClaimSerializer,
    GivesRemarks,
    ItemSerializer,
    NotAdmittedSerializer,
    RatingSerializer,
    RatingSubmission,
    SuggestionSerializer,
    body_of,
    form_of,
    with_remarks,
)
from tasks.rating.workflow.assignment import Claim, claim_item
from tasks.rating.workflow.exports import export_ratings
from tasks.rating.workflow.rating import show_before, submit_rating, suggestion_arm
from tasks.rating.workflow.records import close_views_of, note_shown_after
from tasks.votes.all_votes import AllVotesParameters, require_asked
from tasks.votes.ratings import history_of, with_words
from tasks.web.calls import KEY, ListParameters, asked_of, key_of, page_of
from tasks.web.downloads import JSON_LINES, send_lines


@call_at("v1/campaigns/<slug:slug>/claim", name="api-claim", first=True)
@post(
    "claim",
    MEMBERS,
    gives={
        200: ClaimSerializer,
        204: "No items left to rate.",
        403: (NotAdmittedSerializer, "Consent or calibration is missing."),
    },
    refuses=(409,),
    scope=Scope.RATE,
)
def claim(_request: Request, member: Membership) -> Response:
    """Claim the rater's next item, or the one they hold already.

    403 before the rater has consented and passed the calibration, where the campaign asks for
    them; 409 while paused.
    """
    close_views_of(member)
    claimed = claim_item(membership=member)
    return Response(claim_body(member, claimed)) if claimed else Response(status=204)


@call_at("v1/assignments/<int:assignment_id>/rating", name="api-rating", first=True)
@post(
    "submit_rating",
    headers=(KEY,),
    takes=RatingSubmission,
    gives={
        200: (RatingSerializer, "Already stored by an earlier call."),
        201: (RatingSerializer, "Stored."),
    },
    refuses=(403, 409),
    scope=Scope.RATE,
)
def rating(request: Request, assignment_id: int) -> Response:
    """Submit the rating of a claimed item; with a new key, revise it."""
    key = key_of(request)
    given, answers = body_of(request, RatingSubmission)
    submission = submit_rating(
        assignment_id=assignment_id,
        membership=member_for_assignment(request, assignment_id),
        answers=answers,
        idempotency_key=key,
        **with_remarks(given),
    )
    stored = submission.rating
    suggestion = shown_after(stored)
    body = {
        "rating": stored.pk,
        "assignment": stored.assignment_id,
        "label": submission.label,
        "counted": stored.has_place,
        "supersedes": stored.supersedes_id,
        "suggestion": SuggestionSerializer(suggestion).data if suggestion else None,
    }
    return Response(body, status=200 if submission.is_replay else 201)


def claim_body(membership: Membership, claimed: Claim) -> dict[str, Any]:
    item = claimed.item
    campaign = membership.campaign
    body = {
        "assignment": claimed.assignment_id,
        "idempotency_key": str(uuid.uuid4()),
        "expires_at": claimed.expires_at,
        "item": ItemSerializer(item).data,
        "form": form_of(campaign),
    }
    if suggestion_arm(campaign, claimed.assignment_id) == SuggestionArm.BEFORE:
        suggestion = show_before(campaign, assignment_id=claimed.assignment_id, item_id=item.id)
        body["suggestion"] = SuggestionSerializer(suggestion).data if suggestion else None
    return body


def shown_after(rating: Rating) -> Suggestion | None:
    """The suggestion that its rater sees after their answer; that it is shown is kept."""
    is_shown = rating.suggestion_arm in (SuggestionArm.BEFORE, SuggestionArm.AFTER)
    view = view_after(rating.assignment_id) if is_shown else None
    if view is None:
        return None
    note_shown_after(view)
    return view.suggestion


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


class RatedSerializer(GivesRemarks):
    """A rating in its current revision. `assignment` is null where it was imported."""

    rating = serializers.IntegerField(source="pk")
    assignment = serializers.IntegerField(source="assignment_id", allow_null=True)
    item = ItemSerializer()
    label = serializers.CharField(source="outcome.label")  # type: ignore[assignment]  # a field named like DRF's own
    answers = serializers.DictField(source="outcome.answers", child=serializers.CharField())
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
    return page_of(request, ratings, RatedSerializer)


@call_at("v1/campaigns/<slug:slug>/ratings/export", name="api-ratings-export")
@get(
    "export_ratings",
    RESULTS,
    asks=AllVotesParameters,
    gives={(200, JSON_LINES): OpenApiTypes.STR},
    refuses=(409,),
)
def ratings(request: Request, member: Membership) -> HttpResponseBase:
    """Every current rating as a JSON line: the item's fields, rater's pseudonym, label, answers.

    `./run manage import_ratings` reads them back. Comments stay inside the platform. 409 asks who
    judges in the campaign whether they want to see all votes.
    """
    require_asked(request, member)
    campaign = member.campaign
    return send_lines(export_ratings(campaign=campaign), f"{campaign.slug}-ratings.jsonl")
