"""Calls on an assignment besides rating it: look at it, keep a draft, skip, flag; and the flags,
which admins settle."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards import ADMIN
from tasks.access.guards.operations import call_at, get, member_for_assignment, post, put
from tasks.models import (
    Assignment,
    AssignmentState,
    Draft,
    Flag,
    Membership,
    Rating,
    Scope,
    Suggestion,
    SuggestionArm,
)
from tasks.rating.api.rating import claim_body, shown_after
from tasks.rating.queries.own_work import flags_seen_by, open_flag_on, was_submitted
from tasks.rating.shown.serializers import (
    ClaimSerializer,
    FormSerializer,
    GivesRemarks,
    ItemSerializer,
    NotAdmittedSerializer,
    SuggestionSerializer,
    TakesRemarks,
    form_of,
    with_remarks,
)
from tasks.rating.workflow.assignment import claim_following
from tasks.rating.workflow.rating import (
    MAX_SECONDS,
    save_draft,
    show_before,
    suggestion_arm,
)
from tasks.rating.workflow.records import close_view, raise_flag, settle_flag
from tasks.votes.items import own_assignment
from tasks.votes.ratings import history_of
from tasks.votes.workflow import skip_item
from tasks.web.api_errors import Conflict
from tasks.web.calls import (
    MAX_KEY,
    Body,
    ListParameters,
    NoBody,
    asked_of,
    one_of,
    page_of,
    read_body,
)

_ANSWERS = "Answers by question key, complete or not, as in `form.questions`."


class DraftBody(TakesRemarks, Body):
    """The form so far."""

    answers = serializers.DictField(required=False, default=dict, help_text=_ANSWERS)
    seconds = serializers.FloatField(
        required=False, default=None, allow_null=True, min_value=0, max_value=MAX_SECONDS
    )
    idempotency_key = serializers.CharField(
        required=False,
        max_length=MAX_KEY,
        help_text="Key under which the form will be submitted; nothing is kept after that.",
    )


class Reason(Body):
    """Why, in a few words."""

    reason = serializers.CharField(max_length=500)


class DraftSerializer(GivesRemarks):
    """The rater's form as it was kept last."""

    answers = serializers.DictField(child=serializers.CharField(), help_text=_ANSWERS)
    seconds = serializers.FloatField(allow_null=True, help_text="Active time, null if not known.")
    updated_at = serializers.DateTimeField(allow_null=True, help_text="Null if nothing is kept.")


class OwnFlagSerializer(serializers.ModelSerializer[Flag]):
    """The rater's flag on the item."""

    class Meta:
        model = Flag
        fields = ["id", "reason", "created_at"]


class OwnRatingSerializer(GivesRemarks):
    """The rater's current rating; a further submission supersedes it."""

    rating = serializers.IntegerField(source="pk")
    label = serializers.CharField(source="outcome.label")  # type: ignore[assignment]  # a field named like DRF's own
    answers = serializers.DictField(source="outcome.answers", child=serializers.CharField())


class AssignmentSerializer(serializers.Serializer[Any]):
    """An assignment with all that its form shows."""

    assignment = serializers.IntegerField()
    state = serializers.ChoiceField(choices=["active", "submitted"])
    item = ItemSerializer()
    form = FormSerializer()
    draft = DraftSerializer()
    rating = OwnRatingSerializer(allow_null=True)
    flag = OwnFlagSerializer(allow_null=True)
    suggestion = SuggestionSerializer(
        allow_null=True, help_text="Null if the rater may not see it, or not yet."
    )
    has_answers = serializers.BooleanField(
        help_text="True if admins have published answers about the item: see `answers`."
    )


@call_at("v1/assignments/<int:assignment_id>", name="api-assignment")
@get("assignment", gives=AssignmentSerializer, scope=Scope.RATE)
def show_assignment(request: Request, assignment_id: int) -> Response:
    """An assignment of one's own, open or rated, to go on with or to revise."""
    found = _own(request, assignment_id)
    rating = history_of(found.rater).filter(assignment=found).first()
    campaign = found.rater.campaign
    flag, suggestion = open_flag_on(found.item_id, found.rater_id), _suggestion(found, rating)
    body = {
        "assignment": found.pk,
        "state": found.state,
        "item": ItemSerializer(found.item).data,
        "form": form_of(campaign),
        "draft": _draft(found),
        "rating": OwnRatingSerializer(rating).data if rating else None,
        "flag": OwnFlagSerializer(flag).data if flag else None,
        "suggestion": SuggestionSerializer(suggestion).data if suggestion else None,
        "has_answers": getattr(found, "has_answers", False),
    }
    return Response(body)


@call_at("v1/assignments/<int:assignment_id>/draft", name="api-draft")
@get("draft", gives=DraftSerializer, scope=Scope.RATE)
@put("save_draft", takes=DraftBody, gives=DraftSerializer, scope=Scope.RATE)
def keep_draft(request: Request, assignment_id: int) -> Response:
    """The last kept state of the rater's form; or keep its current state.

    Nobody else sees it. It is dropped with the submission of its rating.
    """
    found = _own(request, assignment_id)
    if request.method == "PUT":
        given = with_remarks(read_body(request, DraftBody))
        if not was_submitted(found, given.pop("idempotency_key", None)):
            save_draft(assignment=found, **given)
    return Response(_draft(found))


@call_at("v1/assignments/<int:assignment_id>/skip", name="api-skip")
@post(
    "skip_item",
    takes=Reason,
    gives={204: "Skipped."},
    refuses={409: "It has been rated."},
    scope=Scope.RATE,
)
def skip(request: Request, assignment_id: int) -> Response:
    """Give an item back unrated. It is not offered to this rater again."""
    found, given = _own(request, assignment_id), read_body(request, Reason)
    if found.state != AssignmentState.ACTIVE:
        raise Conflict("the item has been rated: it can be revised, not skipped")
    skip_item(assignment=found, reason=given["reason"])
    return Response(status=204)


@call_at("v1/assignments/<int:assignment_id>/flag", name="api-flag")
@post("raise_flag", takes=Reason, gives=OwnFlagSerializer, scope=Scope.RATE)
def flag_item(request: Request, assignment_id: int) -> Response:
    """Point the item out to the admins; doing it again changes the reason while it is open."""
    found, given = _own(request, assignment_id), read_body(request, Reason)
    raised = raise_flag(assignment=found, reason=given["reason"])
    raised.refresh_from_db(fields=["created_at"])
    return Response(OwnFlagSerializer(raised).data)


@call_at("v1/assignments/<int:assignment_id>/go-on", name="api-go-on")
@post(
    "go_on",
    takes=NoBody,
    gives={204: "Noted, or no further step was needed."},
    scope=Scope.RATE,
)
def go_on(request: Request, assignment_id: int) -> Response:
    """Say that the rater has gone on from the suggestion that came with the answer to a rating. A
    claim says so as well."""
    found = _own(request, assignment_id)
    close_view(assignment_id=found.pk)
    return Response(status=204)


@call_at("v1/assignments/<int:assignment_id>/following", name="api-following")
@post(
    "claim_following",
    takes=NoBody,
    gives={
        200: ClaimSerializer,
        204: "No suggestion will be shown, or the assignment is settled.",
        403: (NotAdmittedSerializer, "Consent or calibration is missing."),
    },
    refuses={409: "The campaign or the rater is paused."},
    scope=Scope.RATE,
)
def following(request: Request, assignment_id: int) -> Response:
    """Claim the item after this one, to show it without waiting. It is held for five minutes; the
    ordinary claim after the rating renews that."""
    found = _own(request, assignment_id)
    claimed = claim_following(assignment=found)
    return Response(claim_body(found.rater, claimed)) if claimed else Response(status=204)


def _own(request: Request, assignment_id: int) -> Assignment:
    """Raises Assignment.DoesNotExist, and NotFound for anybody else's."""
    return own_assignment(member_for_assignment(request, assignment_id), assignment_id)


def _suggestion(assignment: Assignment, rating: Rating | None) -> Suggestion | None:
    """Only where the rater sees it with the item, or saw it after their answer."""
    campaign = assignment.rater.campaign
    if suggestion_arm(campaign, assignment.pk) != SuggestionArm.BEFORE:
        return shown_after(rating) if rating else None
    return show_before(campaign, assignment_id=assignment.pk, item_id=assignment.item_id)


def _draft(assignment: Assignment) -> dict[str, Any]:
    kept = assignment.drafts.order_by("-updated_at").first() or Draft()
    protocol = assignment.rater.campaign.annotation_protocol
    return {**DraftSerializer(kept).data, "answers": protocol.cut(kept.answers)}


class FlagParameters(ListParameters):
    open = serializers.BooleanField(
        required=False,
        allow_null=True,
        default=None,
        help_text="Only open flags (true), or only settled ones (false).",
    )


class FlagSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    item = serializers.CharField(source="item.key", help_text="The item's id.")
    rater = serializers.CharField(source="rater.pseudonym", help_text="Pseudonym.")
    reason = serializers.CharField()
    created_at = serializers.DateTimeField()
    settled_at = serializers.DateTimeField(allow_null=True)
    settled_by = serializers.CharField(
        source="settled_by.pseudonym", allow_null=True, help_text="Pseudonym."
    )
    settlement = serializers.CharField()


class Settlement(Body):
    settlement = serializers.CharField(max_length=500, help_text="Explanation of the settlement.")


@call_at("v1/campaigns/<slug:slug>/flags", name="api-flags")
@get("flags", ADMIN, rows=FlagSerializer, asks=FlagParameters)
def flags(request: Request, member: Membership) -> Response:
    """The campaign's flags, newest first; without those of others on items that the caller is to
    rate."""
    asked = asked_of(request, FlagParameters)
    found = flags_seen_by(member)
    if asked["open"] is not None:
        found = found.filter(settled_at__isnull=asked["open"])
    return page_of(request, found, FlagSerializer)


@call_at("v1/campaigns/<slug:slug>/flags/<int:flag_id>/settle", name="api-flag-settle")
@post("settle_flag", ADMIN, takes=Settlement, gives=FlagSerializer, refuses=(409,))
def settle(request: Request, member: Membership, flag_id: int) -> Response:
    """Settle a flag for good; 409 if that has been done before."""
    given = read_body(request, Settlement)
    flag = one_of(flags_seen_by(member).filter(pk=flag_id), "there is no such flag")
    if not settle_flag(flag=flag, by=member, settlement=given["settlement"]):
        raise Conflict("the flag was already settled")
    return Response(FlagSerializer(flags_seen_by(member).get(pk=flag_id)).data)
