"""The rater's two calls: claim an item, submit its rating."""

import uuid
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards.calls import member_for_assignment
from tasks.access.guards.operations import call_at, post
from tasks.access.guards.roles import MEMBERS
from tasks.models import Membership, Rating, Scope, Suggestion, SuggestionArm
from tasks.rating.queries.suggestion_views import view_after
from tasks.rating.shown.not_admitted import NotAdmittedSerializer
from tasks.rating.shown.serializers import (
    ClaimSerializer,
    RatingSerializer,
    RatingSubmission,
    SuggestionSerializer,
    body_of,
    form_of,
    item_body,
)
from tasks.rating.workflow.assignment import Claim, claim_item
from tasks.rating.workflow.rating import StoredRating, show_before, submit_rating, suggestion_arm
from tasks.rating.workflow.suggestion_views import close_views_of, note_shown_after
from tasks.web.idempotency import KEY, key_of


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
        guideline_version=given.get("guideline_version"),
        wording=given.get("wording", ""),
        comment=given.get("comment", ""),
        seconds=given.get("seconds"),
    )
    return Response(_rating(submission), status=200 if submission.is_replay else 201)


def claim_body(membership: Membership, claimed: Claim) -> dict[str, Any]:
    """As ClaimSerializer describes it."""
    item = claimed.item
    campaign = membership.campaign
    body = {
        "assignment": claimed.assignment_id,
        "idempotency_key": str(uuid.uuid4()),
        "expires_at": claimed.expires_at,
        "item": item_body(item),
        "form": form_of(campaign),
    }
    if suggestion_arm(campaign, claimed.assignment_id) == SuggestionArm.BEFORE:
        suggestion = show_before(campaign, assignment_id=claimed.assignment_id, item_id=item.id)
        body["suggestion"] = SuggestionSerializer(suggestion).data if suggestion else None
    return body


def _rating(submission: StoredRating) -> dict[str, Any]:
    """As RatingSerializer describes it."""
    rating = submission.rating
    suggestion = shown_after(rating)
    return {
        "rating": rating.pk,
        "assignment": rating.assignment_id,
        "label": submission.label,
        "counted": rating.has_place,
        "supersedes": rating.supersedes_id,
        "suggestion": SuggestionSerializer(suggestion).data if suggestion else None,
    }


def shown_after(rating: Rating) -> Suggestion | None:
    """The suggestion that its rater sees after their answer; that it is shown is kept."""
    is_shown = rating.suggestion_arm in (SuggestionArm.BEFORE, SuggestionArm.AFTER)
    view = view_after(rating.assignment_id) if is_shown else None
    if view is None:
        return None
    note_shown_after(view)
    return view.suggestion
