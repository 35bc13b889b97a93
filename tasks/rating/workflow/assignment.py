"""Handing out items: who gets which item next, for how long, and how it is given back.

A claim is one statement on PostgreSQL and one immediate transaction on SQLite, on the database's
clock. A rater who already holds an item gets it again, with a new lease.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import IntegrityError, connection, transaction
from django.db.backends.utils import CursorWrapper

from tasks.models import (
    Assignment,
    AssignmentState,
    CampaignState,
    Membership,
    Role,
    Slot,
)
from tasks.rating.workflow import claim_statement
from tasks.rating.workflow.admission import require_admission
from tasks.rating.workflow.controls import claim_control
from tasks.storing.archived import require_not_archived
from tasks.storing.refusals import Refusal
from tasks.storing.syncing import synced_with_the_next
from tasks.votes.items import ItemToRate, item_to_rate
from tasks.votes.progress import is_quota_reached


class Paused(Refusal):
    """Nothing is handed out for the time being."""


class CampaignPaused(Paused):
    """The campaign is paused, for everybody."""


class RaterPaused(Paused):
    """The rater is paused in this campaign."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A held item. The lease ends at `expires_at` by the database's clock; before this claim it did
    at `until`, if the rater held the item already."""

    assignment_id: int
    expires_at: datetime
    item: ItemToRate
    until: datetime | None = None


def claim_item(*, membership: Membership) -> Claim | None:
    """The item the rater holds, or else the next open one; None when nothing is left to rate.

    Raters walk the campaign's order, each from where they are, so that the next item is found by
    the index. After the end they start again, for items that were given back. Now and then the
    next item is a control item. Nothing is left for a rater whose quota is reached. No researcher
    or admin gets an item on which they have judged as an adjudicator or asked for the votes.

    Raises NotAdmitted, CampaignArchived, CampaignPaused and RaterPaused.
    """
    require_admission(membership)
    require_not_archived(membership.campaign)
    if membership.campaign.state != CampaignState.OPEN:
        raise CampaignPaused(f"{membership.campaign} is paused")
    if membership.is_paused:
        raise RaterPaused(f"you are paused in {membership.campaign}")
    if is_quota_reached(membership):
        return None
    try:
        return _claim(membership)
    except IntegrityError:
        # the same rater claimed twice at once: what the other call got is now theirs
        return _claim(membership)


def _claim(membership: Membership) -> Claim | None:
    if membership.campaign.control_every and not _has_in_hand(membership):
        claim_control(membership=membership)
    if connection.vendor == "postgresql":
        return _claim_on_postgres(membership)
    with synced_with_the_next():
        return _claim_on_sqlite(membership)


@transaction.atomic
def skip_item(*, assignment: Assignment, reason: str) -> None:
    """Give an item back unrated. It is not offered to this rater again."""
    Assignment.objects.filter(pk=assignment.pk, state=AssignmentState.ACTIVE).update(
        state=AssignmentState.SKIPPED, skip_reason=reason
    )
    Slot.objects.filter(holder=assignment, is_filled=False).update(holder=None, expires_at=None)


def _claim_on_postgres(membership: Membership) -> Claim | None:
    parameters: dict[str, Any] = {
        "rater": membership.pk,
        "campaign": membership.campaign_id,
        "lease": _lease(membership),
    }
    of_adjudicator = _may_adjudicate(membership)
    statement = claim_statement.CLAIM_OF_ADJUDICATOR if of_adjudicator else claim_statement.CLAIM
    with connection.cursor() as cursor:
        for from_start in (False, True):
            cursor.execute(statement, {**parameters, "from_start": from_start})
            if row := cursor.fetchone():
                assignment_id, expires_at, until = row
                return Claim(assignment_id, expires_at, item_to_rate(assignment_id), until)
    return None


@transaction.atomic
def _claim_on_sqlite(membership: Membership) -> Claim | None:
    rater: dict[str, Any] = {"rater": membership.pk}
    lease: Any = _lease(membership)
    with connection.cursor() as cursor:
        cursor.execute(claim_statement.HELD_SLOT, {**rater, "lease": lease})
        if row := cursor.fetchone():
            slot, assignment, until = row
        elif row := _open_slot(membership, cursor):
            (slot, item), until = row, None
            cursor.execute(claim_statement.ASSIGN, {**rater, "slot": slot, "item": item})
            (assignment,) = cursor.fetchone()
        else:
            return None
        held = {"slot": slot, "assignment": assignment, "lease": lease}
        cursor.execute(claim_statement.HOLD, held)
        (expires,) = cursor.fetchone()
    before = until and until.replace(tzinfo=UTC)
    return Claim(assignment, expires.replace(tzinfo=UTC), item_to_rate(assignment), before)


def _has_in_hand(membership: Membership) -> bool:
    """Whether the rater has begun with an item; what is kept for them for longer comes later."""
    asked: dict[str, Any] = {"rater": membership.pk, "lease": _lease(membership)}
    with connection.cursor() as cursor:
        cursor.execute(claim_statement.IN_HAND[connection.vendor], asked)
        return cursor.fetchone() is not None


def _lease(membership: Membership) -> timedelta | str:
    """How long a claim holds an item, as the database adds it to a time."""
    minutes = membership.lease_minutes
    is_postgres = connection.vendor == "postgresql"
    return timedelta(minutes=minutes) if is_postgres else f"+{minutes} minutes"


def _open_slot(membership: Membership, cursor: CursorWrapper) -> tuple[int, int] | None:
    """The next one and its item, from where the rater is in the campaign's order to its end, or
    else from its beginning."""
    of_adjudicator = _may_adjudicate(membership)
    statement = (
        claim_statement.OPEN_SLOT_OF_ADJUDICATOR if of_adjudicator else claim_statement.OPEN_SLOT
    )
    asked = {"rater": membership.pk, "campaign": membership.campaign_id}
    for from_start in (False, True):
        cursor.execute(statement, {**asked, "from_start": from_start})
        if row := cursor.fetchone():
            slot, item = row
            return slot, item
    return None


def _may_adjudicate(membership: Membership) -> bool:
    return membership.role != Role.RATER
