"""Adjudicating: a blind first look where the campaign wants one, then a decision with its reason.

Decisions are kept apart from the votes and change none of them. Nobody adjudicates what they
have rated or are rating: they would be judging themselves.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import transaction

from tasks.adjudication.queries.decisions import first_look_at, has_rated, own_decision
from tasks.events.workflow.events import NewEvent, note_events
from tasks.models import (
    Adjudication,
    AuditAction,
    EventKind,
    FirstLook,
    Flag,
    Item,
    LeftItem,
    Membership,
)
from tasks.rating.workflow.rating import (
    SubmissionRefused,
    payload_hash,
    require_guideline,
    stored_before,
)
from tasks.rating.workflow.records import settle_flag
from tasks.storing.acts import record
from tasks.storing.refusals import as_reason
from tasks.votes.blindness import is_rating, may_judge_blind
from tasks.votes.workflow import lock_member

MAX_REASON = 5000
_MAX_SETTLEMENT = Flag._meta.get_field("settlement").max_length or 0


class OwnItem(SubmissionRefused):
    """The adjudicator has rated the item, or is rating it."""


class ReasonMissing(SubmissionRefused):
    """A decision needs a reason, in words."""


class FirstLookMissing(SubmissionRefused):
    """The campaign asks for a judgement before the votes are seen."""


class FirstLookRefused(SubmissionRefused):
    """A first look was given before, or would not be blind."""


@dataclass(frozen=True, slots=True)
class Decided:
    """A stored decision; `is_replay` when this very decision had been stored before."""

    adjudication: Adjudication
    label: str
    is_replay: bool


def asks_for_first_look(*, item: Item, adjudicator: Membership) -> bool:
    """Whether the adjudicator has to judge the item before they may see its votes.

    Who has decided it, or asked for its votes, has seen them.
    """
    return may_judge_blind(item, adjudicator)


@transaction.atomic
def store_first_look(
    *, item: Item, adjudicator: Membership, answers: Mapping[str, object]
) -> FirstLook:
    """The adjudicator's answer before seeing the votes; the same again changes nothing.

    Raises AnswersError, OwnItem, and FirstLookRefused for other answers than before or where
    it would not be blind.
    """
    outcome = adjudicator.campaign.annotation_protocol.outcome(answers)
    lock_member(adjudicator)
    if earlier := first_look_at(item, adjudicator):
        if earlier.outcome_id != outcome.id:
            raise FirstLookRefused("this item already has your first look, with other answers")
        return earlier
    require_no_part(item=item, adjudicator=adjudicator)
    if not asks_for_first_look(item=item, adjudicator=adjudicator):
        raise FirstLookRefused(
            "you have already seen the votes on this item, so a first look would not be blind"
        )
    return FirstLook.objects.create(item=item, adjudicator=adjudicator, outcome_id=outcome.id)


@transaction.atomic
def adjudicate(
    *,
    item: Item,
    adjudicator: Membership,
    answers: Mapping[str, object],
    reason: str,
    idempotency_key: str,
    guideline_version: int | None = None,
    settles_flags: bool = False,
) -> Decided:
    """Store a decision; one with a new key supersedes the adjudicator's earlier one.

    With `settles_flags` the open flags on the item are settled, the reason being how.

    Raises AnswersError, KeyReused, GuidelineChanged, OwnItem, ReasonMissing and
    FirstLookMissing.
    """
    campaign = adjudicator.campaign
    outcome = campaign.annotation_protocol.outcome(answers)
    reason = reason.strip()
    hashed = payload_hash(item.pk, outcome.id, reason, settles_flags)
    lock_member(adjudicator)
    own = Adjudication.objects.filter(adjudicator=adjudicator)
    if earlier := stored_before(own, idempotency_key, hashed):
        return Decided(earlier, outcome.label, is_replay=True)
    require_no_part(item=item, adjudicator=adjudicator)
    require_guideline(campaign, guideline_version)
    if not reason:
        raise ReasonMissing("a decision needs a reason")
    if asks_for_first_look(item=item, adjudicator=adjudicator):
        raise FirstLookMissing("this campaign requires a first look before the decision")
    look = first_look_at(item, adjudicator)
    stored = Adjudication.objects.create(
        item=item,
        adjudicator=adjudicator,
        outcome_id=outcome.id,
        first_outcome_id=look.outcome_id if look else None,
        reason=reason,
        guideline=campaign.guideline,
        supersedes=own_decision(item, adjudicator),
        idempotency_key=idempotency_key,
        payload_hash=hashed,
    )
    if settles_flags:
        for flag in item.flags.filter(settled_at=None):
            settlement = as_reason(reason, _MAX_SETTLEMENT)
            settle_flag(flag=flag, by=adjudicator, settlement=settlement, is_decision=True)
    data = {
        "adjudication": stored.pk,
        "item": item.key,
        "adjudicator": adjudicator.pseudonym,
        "label": outcome.label,
        "supersedes": stored.supersedes_id,
    }
    note_events(campaign.pk, NewEvent(EventKind.ADJUDICATION_DECIDED, data))
    # that there is a decision; which one, others may have to find out blind
    record(
        AuditAction.ADJUDICATION_DECIDED,
        campaign=campaign,
        subject=("item", item.key),
        details={"supersedes_earlier": stored.supersedes_id is not None},
        by=adjudicator,
    )
    return Decided(stored, outcome.label, is_replay=False)


def leave_item(*, item: Item, adjudicator: Membership) -> None:
    """Leave an item for somebody else; its adjudicator may still come back to it."""
    LeftItem.objects.get_or_create(item=item, adjudicator=adjudicator)


def require_no_part(*, item: Item, adjudicator: Membership) -> None:
    """Raises OwnItem for somebody who has rated the item or is rating it."""
    if has_rated(item, adjudicator):
        raise OwnItem("you have rated this item, so somebody else has to decide")
    if is_rating(item, adjudicator):
        raise OwnItem("you are rating this item: skip it, or leave the decision to somebody else")
