"""Handing out items: who gets which item next, and for how long.

A claim is one statement on PostgreSQL and one immediate transaction on SQLite, on the database's
clock. A rater who already holds an item gets it again, with a new lease. Slots that an admin has
given to the rater come next, then those of the campaign that are given to nobody.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import IntegrityError, InternalError, connection, transaction
from django.db.models import DateTimeField as DateTime
from django.db.models import Exists, ExpressionWrapper, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from tasks.models import (
    Adjudication,
    Assignment,
    AssignmentState,
    Campaign,
    CampaignState,
    FirstLook,
    Item,
    ItemPurpose,
    Membership,
    Role,
    SeenVotes,
    Slot,
)
from tasks.rating.workflow.admission import (
    claim_control,
    controls_of,
    is_control_next,
    require_admission,
    what_is_missing,
)
from tasks.rating.workflow.claim_statements import (
    ASSIGN,
    CLAIM,
    CLAIM_OF_ADJUDICATOR,
    HELD,
    HOLD,
    NEXT_SLOT,
    NEXT_SLOT_OF_ADJUDICATOR,
)
from tasks.storing.database import execute, fetch_row, synced_later
from tasks.storing.refusals import Refusal
from tasks.votes.blindness import decisions_in_files_of, votes_in_files_of
from tasks.votes.items import (
    ItemToRate,
    given_slots,
    is_given_to_nobody,
    is_quota_reached,
    item_to_rate,
    open_slots,
    quota_of,
)
from tasks.votes.workflow import lock_member


class Paused(Refusal):
    """Nothing is handed out for the time being."""


class CampaignPaused(Paused):
    """The campaign is paused, for everybody."""


class RaterPaused(Paused):
    """The rater is paused in this campaign."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A held item. The lease ends at `expires_at` by the database's clock."""

    assignment_id: int
    expires_at: datetime
    item: ItemToRate


def claim_item(*, membership: Membership) -> Claim | None:
    """The item the rater holds, or else the next open one; None when nothing is left to rate.

    Raters walk the campaign's order, each from where they are, so that the next item is found by
    the index. After the end they start again, for items that were given back. Now and then the
    next item is a control item. Nothing is left for a rater whose quota is reached. No researcher
    or admin gets an item on which they have judged as an adjudicator or asked for the votes.

    Raises NotAdmitted, CampaignPaused and RaterPaused.
    """
    require_admission(membership)
    if membership.campaign.state != CampaignState.OPEN:
        raise CampaignPaused(f"{membership.campaign} is paused")
    if membership.is_paused:
        raise RaterPaused(f"you are paused in {membership.campaign}")
    if is_quota_reached(membership):
        return None
    claim = _claim_again_if_in_the_way(membership)
    if claim is None and _end_what_nobody_takes(membership.campaign):
        claim = _claim_again_if_in_the_way(membership)
    return claim


def _claim_again_if_in_the_way(membership: Membership) -> Claim | None:
    try:
        return _claim(membership)
    except IntegrityError:
        # the same rater claimed twice at once: what the other call got is now theirs
        return _claim(membership)


def _end_what_nobody_takes(campaign: Campaign) -> bool:
    """Whether places were given to people who get no items now; these are open to everybody."""
    given = given_slots().filter(campaign=campaign)
    if not given.exists():
        return False
    takers = [
        rater
        for rater in active_raters(campaign)
        if not what_is_missing(rater) and not is_quota_reached(rater)
    ]
    return given.exclude(given_to__in=takers).update(given_until=Now()) > 0


def active_raters(campaign: Campaign) -> QuerySet[Membership]:
    """Raters who are not shut out and not paused, by name; none who may have seen votes in another
    role."""
    raters = Membership.objects.filter(
        campaign=campaign,
        role=Role.RATER,
        has_been_more=False,
        is_active=True,
        is_paused=False,
        user__is_active=True,
    )
    return raters.select_related("campaign").order_by("name")


def _claim(membership: Membership) -> Claim | None:
    checks = membership.campaign.control_every and membership.role == Role.RATER
    if checks and fetch_row(HELD, {"rater": membership.pk}) is None:
        claim_control(membership=membership)
    if connection.vendor != "postgresql":
        with synced_later(Assignment):
            return _claim_on_sqlite(membership)
    if not may_know_votes(membership):
        return _claim_on_postgres(membership)
    with transaction.atomic():
        lock_member(membership)
        return _claim_on_postgres(membership)


def _claim_on_postgres(membership: Membership) -> Claim | None:
    parameters: dict[str, Any] = {
        "rater": membership.pk,
        "campaign": membership.campaign_id,
        "lease": timedelta(minutes=membership.campaign.lease_minutes),
    }
    statement = CLAIM_OF_ADJUDICATOR if may_know_votes(membership) else CLAIM
    with connection.cursor() as cursor:
        for from_start in (False, True):
            cursor.execute(statement, {**parameters, "from_start": from_start})
            if row := cursor.fetchone():
                assignment_id, expires_at, *item = row
                return Claim(assignment_id, expires_at, ItemToRate.of_row(*item))
    return None


@transaction.atomic
def _claim_on_sqlite(membership: Membership) -> Claim | None:
    rater = {"rater": membership.pk}
    held = fetch_row(HELD, rater)
    if held is None:
        statement = NEXT_SLOT_OF_ADJUDICATOR if may_know_votes(membership) else NEXT_SLOT
        [(slot,)] = execute(statement, {**rater, "campaign": membership.campaign_id})
        if slot is None:
            return None
        held = fetch_row(ASSIGN, {**rater, "slot": slot})
    assert held is not None  # noqa: S101 - the insertion returns its row
    [assignment_id] = held
    lease = f"+{membership.campaign.lease_minutes} minutes"
    [(end,)] = execute(HOLD, {"assignment": assignment_id, "lease": lease})
    expires_at = datetime.fromisoformat(end).replace(tzinfo=UTC)
    return Claim(assignment_id, expires_at, item_to_rate(assignment_id))


def may_know_votes(membership: Membership) -> bool:
    """Whether they may have seen votes, as who adjudicates does, or did before they became a
    rater."""
    return membership.role != Role.RATER or membership.has_been_more


def claimable_slots(membership: Membership) -> QuerySet[Slot]:
    """The slots of the campaign's order that the member could be handed now."""
    is_theirs = Q(given_to=membership, given_until__gt=Now())
    return _slots_for(membership).filter(
        is_given_to_nobody() | is_theirs,
        campaign=membership.campaign_id,
        order_key__isnull=False,
    )


def _slots_for(membership: Membership) -> QuerySet[Slot]:
    settled = Assignment.objects.filter(
        ~Q(state=AssignmentState.ACTIVE), item=OuterRef("item"), rater=membership
    )
    slots = open_slots().filter(~Exists(settled))
    if may_know_votes(membership):
        same_item = Q(item=OuterRef("item"), adjudicator=membership)
        slots = slots.filter(
            ~Exists(FirstLook.objects.filter(same_item)),
            ~Exists(Adjudication.objects.filter(same_item)),
            ~Exists(SeenVotes.objects.filter(item=OuterRef("item"), member=membership)),
            ~Exists(Item.objects.filter(copied_from=OuterRef("item"))),  # which tells its votes
            ~Exists(votes_in_files_of(membership)),
            ~Exists(decisions_in_files_of(membership)),
        )
    return slots


UNUSED_LEASE = timedelta(minutes=5)


def claim_following(*, assignment: Assignment) -> Claim | None:
    """The item its rater will get once this assignment is settled; None if there will be none.

    It is held for five minutes, so that a page that is closed does not keep it from others for
    long; the ordinary claim after the rating renews that. None as well if the assignment is
    settled already, or if the rater claims elsewhere at this very moment. `expires_at` is the end
    of an ordinary lease.

    Raises NotAdmitted, CampaignPaused and RaterPaused.
    """
    try:
        with synced_later(Assignment):
            return _claim_as_if_settled(assignment.pk, assignment.rater)
    except (IntegrityError, InternalError):
        # PostgreSQL: a claim of the same rater got there first and has spoilt this transaction
        return None


@transaction.atomic
def _claim_as_if_settled(assignment_id: int, rater: Membership) -> Claim | None:
    """The ordinary claim, while the assignment counts as settled in this transaction alone.

    So order, quotas and everything else are as they will be when the item is really needed, and
    neither the item in hand nor another slot of it can be what comes next.
    """
    if may_know_votes(rater):
        lock_member(rater)  # before the assignment, as who gives items back does
    in_hand = Assignment.objects.filter(pk=assignment_id)
    settled = AssignmentState.SUBMITTED
    if not in_hand.filter(state=AssignmentState.ACTIVE).update(state=settled):
        return None
    claim = claim_item(membership=rater)
    in_hand.update(state=AssignmentState.ACTIVE)
    if claim is not None:
        lease = min(UNUSED_LEASE, timedelta(minutes=rater.campaign.lease_minutes))
        Slot.objects.filter(holder=claim.assignment_id).update(
            expires_at=ExpressionWrapper(Now() + lease, output_field=DateTime())
        )
    return claim


MOST_LEFT = 1000
_STEP = 10
_SOME_PLACES = 5 * MOST_LEFT
_IS_HELD = Q(state=AssignmentState.ACTIVE)


def items_left(member: Membership) -> int | None:
    """At most so many items are left for the member; None for more than MOST_LEFT.

    0 if a claim would hand out nothing, pauses and admission aside.

    The number gives no control item away: it falls by one with every item that they rate or skip,
    whatever its purpose. Live items with a place for them and control items they have not had are
    counted together, and one that they hold until they are done with it. So two looks, before and
    after an item, say nothing of it. Others take places meanwhile, and some control items are never
    handed out. The number is a bound therefore, and a multiple of ten, so that its last value tells
    hardly how many control items were left over.
    """
    own = Assignment.objects.filter(rater=member)
    held = Slot.objects.filter(holder__in=own.filter(_IS_HELD))
    checks = member.campaign.control_every > 0 and member.role == Role.RATER
    live = held.filter(item__purpose=ItemPurpose.LIVE).count()
    # counted from the slots: asked of each item, SQLite reads all open slots of the campaign for it
    places = claimable_slots(member).order_by().exclude(item__in=held.values("item"))
    # a few thousand places say so much, unless each item has many of them
    some = list(places.values_list("item", flat=True)[:_SOME_PLACES])
    is_enough = len(some) < _SOME_PLACES or len(set(some)) > MOST_LEFT
    live += len(set(some)) if is_enough else places.values("item").distinct().count()
    has_next = live or held.exists() or (checks and is_control_next(member))
    if not has_next:
        return 0
    controls = controls_of(member.campaign).exclude(pk__in=own.filter(~_IS_HELD).values("item"))
    left = max(1, live + (controls.count() if checks else 0))
    bound = None if left > MOST_LEFT else -(-left // _STEP) * _STEP
    quota = quota_of(member)
    if quota is None:
        return bound
    by_quota = max(0, quota - own.filter(state=AssignmentState.SUBMITTED).count())
    return by_quota if bound is None else min(bound, by_quota)
