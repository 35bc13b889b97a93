"""Calibration: a short batch with known answers, to be passed before live work.

An answer is final, and shown beside the expected one at once. Members who used up their attempts
depend on the campaign's admins, who grant one more or pass them; both are logged with a reason.
"""

from collections.abc import Mapping

from django.contrib.admin.models import CHANGE, LogEntry
from django.db import transaction
from django.db.models.functions import Now

from tasks.models import (
    AuditAction,
    CalibrationAnswer,
    CalibrationAttempt,
    Campaign,
    Item,
    Membership,
)
from tasks.storing.acts import changes, record
from tasks.storing.refusals import Refusal
from tasks.training.queries import (
    DECISION,
    Run,
    attempts_left,
    calibration_items,
    last_attempt,
    run_of,
)

_SETTINGS = ("requires_calibration", "calibration_pass_percent", "calibration_attempts")


class CalibrationRefused(Refusal):
    """It cannot be done now; the message says why."""


class NoAttemptsLeft(CalibrationRefused):
    """All attempts are used up: the campaign's admins decide how to go on."""


class NoCalibrationItems(CalibrationRefused):
    """There is nothing to calibrate with."""


@transaction.atomic
def configure_calibration(
    *, campaign: Campaign, is_required: bool, pass_percent: int, attempts: int
) -> None:
    """Whether raters have to pass, with how many per cent as expected, in how many attempts.

    Raises NoCalibrationItems if it is required and there is no calibration item.
    """
    if is_required and not calibration_items(campaign).exists():
        raise NoCalibrationItems("there are no calibration items: import some first")
    before = {name: getattr(campaign, name) for name in _SETTINGS}
    campaign.requires_calibration = is_required
    campaign.calibration_pass_percent = pass_percent
    campaign.calibration_attempts = attempts
    campaign.save(update_fields=_SETTINGS)
    after = {name: getattr(campaign, name) for name in _SETTINGS}
    if before != after:
        details = changes(before, after)
        record(AuditAction.CALIBRATION_SET, campaign=campaign, details=details)


@transaction.atomic
def start_attempt(*, membership: Membership) -> CalibrationAttempt:
    """The attempt that is under way, or else the next one.

    Raises NoAttemptsLeft, NoCalibrationItems, and CalibrationRefused for who has passed.
    """
    _lock(membership)
    if open_attempt := _open_attempt(membership):
        return open_attempt
    _require_not_passed(membership)
    if not calibration_items(membership.campaign).exists():
        raise NoCalibrationItems("there are no calibration items")
    if not attempts_left(membership):
        raise NoAttemptsLeft("no attempts are left; the campaign's admins can help")
    return _new_attempt(membership)


@transaction.atomic
def answer_item(*, attempt: CalibrationAttempt, item: Item, answers: Mapping[str, object]) -> Run:
    """Store the answer to the attempt's next item; the last one decides the attempt.

    An item that has its answer keeps it. Raises AnswersError, and CalibrationRefused for an item
    whose turn it is not.
    """
    _lock(attempt.membership)
    attempt.refresh_from_db(fields=["finished_at"])
    run = run_of(attempt)
    if item.pk in run.verdicts:
        return run
    if run.next_item != item or attempt.finished_at is not None:
        raise CalibrationRefused("another item is the current one")
    campaign = attempt.membership.campaign
    outcome = campaign.annotation_protocol.outcome(answers)
    CalibrationAnswer.objects.create(attempt=attempt, item=item, outcome_id=outcome.id)
    run = run_of(attempt)
    if run.next_item is None:
        _finish(attempt, is_passed=run.as_expected >= run.needed)
    return run


@transaction.atomic
def grant_attempt(*, membership: Membership, reason: str, by: Membership) -> CalibrationAttempt:
    """One more attempt for a member who has none left; it waits until they go on.

    Raises CalibrationRefused for somebody who needs none.
    """
    _lock(membership)
    _require_not_passed(membership)
    if attempts_left(membership) or _open_attempt(membership):
        raise CalibrationRefused(f"{membership.name} still has an attempt")
    attempt = _new_attempt(membership)
    _record(AuditAction.ATTEMPT_GRANTED, membership, "one more attempt", reason, by)
    return attempt


@transaction.atomic
def pass_member(*, membership: Membership, reason: str, by: Membership) -> CalibrationAttempt:
    """Let a member pass whatever they answered. Raises CalibrationRefused for who has passed."""
    _lock(membership)
    _require_not_passed(membership)
    attempt = _open_attempt(membership) or _new_attempt(membership)
    _finish(attempt, is_passed=True)
    _record(AuditAction.PASSED_BY_DECISION, membership, "passed by decision", reason, by)
    return attempt


def _lock(membership: Membership) -> None:
    """Bring the member up to date; whoever else wants to change their calibration waits."""
    now = Membership.objects.select_for_update().get(pk=membership.pk)
    membership.passed_calibration_id = now.passed_calibration_id


def _require_not_passed(membership: Membership) -> None:
    if membership.passed_calibration_id is not None:
        raise CalibrationRefused(f"{membership.name} has passed already")


def _open_attempt(membership: Membership) -> CalibrationAttempt | None:
    last = last_attempt(membership)
    return last if last is not None and last.finished_at is None else None


def _new_attempt(membership: Membership) -> CalibrationAttempt:
    last = last_attempt(membership)
    guideline = membership.campaign.guideline
    assert guideline is not None  # noqa: S101 - every campaign is created with guidelines
    return CalibrationAttempt.objects.create(
        membership=membership, number=last.number + 1 if last else 1, guideline=guideline
    )


def _finish(attempt: CalibrationAttempt, *, is_passed: bool) -> None:
    attempt.finished_at, attempt.is_passed = Now(), is_passed
    attempt.save(update_fields=["finished_at", "is_passed"])
    attempt.refresh_from_db(fields=["finished_at"])
    if is_passed:
        attempt.membership.passed_calibration = attempt
        attempt.membership.save(update_fields=["passed_calibration"])


def _record(
    action: AuditAction, membership: Membership, decision: str, reason: str, by: Membership
) -> None:
    assert by.user_id is not None  # noqa: S101 - who decides has signed in
    text = f"{DECISION}{decision}. {reason}"
    LogEntry.objects.log_actions(by.user_id, [membership], CHANGE, text, single_object=True)
    record(
        action,
        campaign=membership.campaign,
        subject=("member", membership.name),
        details={"reason": reason},
        by=by,
    )
