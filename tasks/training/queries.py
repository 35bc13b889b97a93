"""Calibration: the items, how an attempt stands, and how everybody stands.

What is expected of an item is read only together with the answer that was given to it.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import Count, Exists, OuterRef, QuerySet

from tasks.models import (
    CalibrationAnswer,
    CalibrationAttempt,
    Campaign,
    Item,
    ItemPurpose,
    Membership,
    Outcome,
)

DECISION = "Calibration: "
"""With what an admin's decision begins in Django's log of changes."""


@dataclass(frozen=True, slots=True)
class AnswerCheck:
    """One answer of an attempt beside the one that was expected."""

    item: Item
    given: Outcome
    expected: Outcome
    explanation: str

    @property
    def is_as_expected(self) -> bool:
        return self.given.label == self.expected.label


@dataclass(frozen=True, slots=True)
class Run:
    """An attempt with its items in their order, and the verdicts so far by item."""

    attempt: CalibrationAttempt
    items: Sequence[Item]
    verdicts: Mapping[int, AnswerCheck]

    @property
    def next_item(self) -> Item | None:
        """The first item without an answer; None when all have one."""
        return next((item for item in self.items if item.pk not in self.verdicts), None)

    @property
    def as_expected(self) -> int:
        return sum(verdict.is_as_expected for verdict in self.verdicts.values())

    @property
    def needed(self) -> int:
        """The number of answers as expected that are needed to pass."""
        percent = self.attempt.membership.campaign.calibration_pass_percent
        # rounded up in whole numbers: 80 per cent of 5 items are exactly 4
        return -(-percent * len(self.items) // 100)

    @property
    def differences(self) -> list[AnswerCheck]:
        """The answers that were not as expected, in the order of the items."""
        given = [self.verdicts[item.pk] for item in self.items if item.pk in self.verdicts]
        return [verdict for verdict in given if not verdict.is_as_expected]


Standing = Literal["passed", "open", "attempts-left", "stuck"]
"""Has passed; has begun an attempt or been granted one; may begin one; needs an admin."""


@dataclass(frozen=True, slots=True)
class MemberStanding:
    """A member's state, for admins. `decision` is the latest one an admin took about them."""

    membership: Membership
    attempts: int
    standing: Standing
    decision: LogEntry | None


def calibration_items(campaign: Campaign) -> QuerySet[Item]:
    return Item.objects.filter(campaign=campaign, purpose=ItemPurpose.CALIBRATION)


def last_attempt(membership: Membership) -> CalibrationAttempt | None:
    return attempts_of(membership).order_by("-number").first()


def attempts_of(membership: Membership) -> QuerySet[CalibrationAttempt]:
    return CalibrationAttempt.objects.filter(membership=membership).select_related(
        "membership__campaign__guideline"
    )


def attempts_left(membership: Membership) -> int:
    """The number of attempts that the member may still begin; one that an admin grants has
    begun."""
    used = CalibrationAttempt.objects.filter(membership=membership).count()
    return max(0, membership.campaign.calibration_attempts - used)


def run_of(attempt: CalibrationAttempt) -> Run:
    """Items that came in after the attempt began are not part of it."""
    campaign = attempt.membership.campaign
    items = calibration_items(campaign).filter(created_at__lte=attempt.started_at)

    def shuffled(item: Item) -> bytes:
        """Otherwise for every attempt, and always alike for one."""
        text = f"calibration {campaign.seed} {attempt.membership_id} {attempt.number} {item.key}"
        return hashlib.sha256(text.encode()).digest()

    answers = CalibrationAnswer.objects.filter(attempt=attempt).select_related(
        "item__question", "item__expected__outcome", "outcome"
    )
    verdicts = {}
    for answer in answers:
        item, known = answer.item, answer.item.expected
        verdicts[item.pk] = AnswerCheck(item, answer.outcome, known.outcome, known.explanation)
    return Run(attempt, sorted(items.select_related("question"), key=shuffled), verdicts)


def standing_of(membership: Membership) -> Standing:
    finished = attempts_of(membership).values_list("finished_at", flat=True)
    return _standing(membership.campaign, membership, len(finished), is_open=None in set(finished))


def member_standings(campaign: Campaign) -> list[MemberStanding]:
    """Every active member with an account, by name."""
    unfinished = CalibrationAttempt.objects.filter(membership=OuterRef("pk"), finished_at=None)
    members = (
        Membership.objects.filter(campaign=campaign, is_active=True, user__isnull=False)
        .annotate(attempts=Count("calibration_attempts"), has_open_attempt=Exists(unfinished))
        .order_by("name")
    )
    # the latest about each, from Django's log of changes
    entries = LogEntry.objects.filter(
        content_type=ContentType.objects.get_for_model(Membership),
        object_id__in=[str(member.pk) for member in members],
        change_message__startswith=DECISION,
    )
    decisions = {int(entry.object_id or 0): entry for entry in entries.order_by("id")}
    return [
        MemberStanding(
            member,
            member.attempts,
            _standing(campaign, member, member.attempts, is_open=member.has_open_attempt),
            decisions.get(member.pk),
        )
        for member in members
    ]


def _standing(campaign: Campaign, member: Membership, attempts: int, *, is_open: bool) -> Standing:
    if member.passed_calibration_id is not None:
        return "passed"
    if is_open:
        return "open"
    return "attempts-left" if attempts < campaign.calibration_attempts else "stuck"
