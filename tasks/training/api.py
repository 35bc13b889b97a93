"""The caller's calibration: its state, an attempt, one answer at a time with its verdict.

No answer reveals the expected one of an item before the item is answered.
"""

from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards.operations import call_at, get, member_of, post
from tasks.models import CalibrationAttempt, Membership, Scope
from tasks.rating.shown.serializers import (
    FormSerializer,
    ItemSerializer,
    NotAdmittedSerializer,
    form_of,
)
from tasks.rating.workflow.admission import NotAdmitted, what_is_missing
from tasks.training.queries import (
    Run,
    attempts_left,
    attempts_of,
    calibration_items,
    last_attempt,
    run_of,
)
from tasks.training.workflow import CalibrationRefused, answer_item, start_attempt
from tasks.votes.items import id_for_raters
from tasks.web.calls import Body, NoBody, one_of, read_body

_CONSENT = {403: (NotAdmittedSerializer, "Consent is missing.")}


class AnswerSerializer(serializers.Serializer[Any]):
    label = serializers.CharField()  # type: ignore[assignment]  # a field named like DRF's own
    answers = serializers.DictField(child=serializers.CharField())


class VerdictSerializer(serializers.Serializer[Any]):
    """An answer beside the one that was expected."""

    item = ItemSerializer()
    is_as_expected = serializers.BooleanField()
    given = AnswerSerializer()
    expected = AnswerSerializer()
    explanation = serializers.CharField()


class AttemptSerializer(serializers.Serializer[Any]):
    """An attempt: its verdicts so far, and the item whose turn it is."""

    number = serializers.IntegerField()
    started_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    is_passed = serializers.BooleanField(allow_null=True)
    items = serializers.IntegerField()
    needed = serializers.IntegerField(help_text="Number of expected answers needed to pass.")
    as_expected = serializers.IntegerField()
    verdicts = VerdictSerializer(many=True)
    next_item = ItemSerializer(allow_null=True)
    form = FormSerializer()


class CalibrationSerializer(serializers.Serializer[Any]):
    """The state of the caller's calibration; `attempt` is the number of their latest one."""

    is_required = serializers.BooleanField()
    is_passed = serializers.BooleanField()
    items = serializers.IntegerField()
    attempts_left = serializers.IntegerField()
    attempt = serializers.IntegerField(allow_null=True)


class CalibrationAnswer(Body):
    item = serializers.CharField(max_length=255, help_text="Id of the current item.")
    answers = serializers.DictField(help_text="As in a rating, but final.")


@call_at("v1/campaigns/<slug:slug>/calibration", name="api-calibration")
@get("calibration", gives={200: CalibrationSerializer, **_CONSENT}, scope=Scope.RATE)
@post(
    "start_calibration",
    takes=NoBody,
    gives={200: AttemptSerializer, **_CONSENT},
    refuses={409: "Already passed, or no attempts left."},
    scope=Scope.RATE,
)
def calibration(request: Request, slug: str) -> Response:
    """The state of the caller's calibration; or begin an attempt, or continue the open one.

    404 where there are no calibration items.
    """
    member = _member(request, slug)
    if request.method == "POST":
        begun = start_attempt(membership=member)
        return Response(_attempt(run_of(_own_attempt(member, begun.number))))
    last = last_attempt(member)
    return Response(
        {
            "is_required": member.campaign.requires_calibration,
            "is_passed": member.passed_calibration_id is not None,
            "items": calibration_items(member.campaign).count(),
            "attempts_left": attempts_left(member),
            "attempt": last.number if last else None,
        }
    )


@call_at("v1/campaigns/<slug:slug>/calibration/<int:number>", name="api-calibration-attempt")
@get("calibration_attempt", gives={200: AttemptSerializer, **_CONSENT}, scope=Scope.RATE)
def attempt(request: Request, slug: str, number: int) -> Response:
    """The current state of one of the caller's attempts."""
    return Response(_attempt(run_of(_own_attempt(_member(request, slug), number))))


@call_at(
    "v1/campaigns/<slug:slug>/calibration/<int:number>/answers", name="api-calibration-answers"
)
@post(
    "answer_calibration",
    takes=CalibrationAnswer,
    gives={200: AttemptSerializer, **_CONSENT},
    refuses={409: "Another item is the current one."},
    scope=Scope.RATE,
)
def answers(request: Request, slug: str, number: int) -> Response:
    """Answer the item whose turn it is; its verdict is the last of the attempt's.

    An item that has its answer keeps it.
    """
    run = run_of(_own_attempt(_member(request, slug), number))
    given = read_body(request, CalibrationAnswer)
    item = next((item for item in run.items if id_for_raters(item.pk) == given["item"]), None)
    if item is None:
        raise CalibrationRefused("another item is the current one")
    return Response(_attempt(answer_item(attempt=run.attempt, item=item, answers=given["answers"])))


def _member(request: Request, slug: str) -> Membership:
    """Raises NotAdmitted before consent, NotFound where there is nothing to calibrate with."""
    member = member_of(request, slug)
    if what_is_missing(member) == "consent":
        raise NotAdmitted("consent", slug)
    if not calibration_items(member.campaign).exists():
        raise NotFound("the campaign has no calibration items")
    return member


def _own_attempt(member: Membership, number: int) -> CalibrationAttempt:
    attempt = one_of(attempts_of(member).filter(number=number), "you have no such attempt")
    attempt.membership = member
    return attempt


def _attempt(run: Run) -> dict[str, Any]:
    attempt, campaign = run.attempt, run.attempt.membership.campaign
    following = run.next_item if attempt.finished_at is None else None
    answered = [run.verdicts[item.pk] for item in run.items if item.pk in run.verdicts]
    return {
        "number": attempt.number,
        "started_at": attempt.started_at,
        "finished_at": attempt.finished_at,
        "is_passed": attempt.is_passed,
        "items": len(run.items),
        "needed": run.needed,
        "as_expected": run.as_expected,
        "verdicts": VerdictSerializer(answered, many=True).data,
        "next_item": ItemSerializer(following).data if following else None,
        "form": form_of(campaign),
    }
