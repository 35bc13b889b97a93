"""Noting that somebody asks for the votes of others: they judge these items blind no more, and give
back those that they hold. And setting ratings aside: an admin distrusts a rater, gives a reason,
and others get the places.

Nothing is deleted, and the rater is told nothing. A revision of a rating that is set aside is set
aside too. Undoing brings all of them back; what others have rated meanwhile stays.
"""

from collections.abc import Collection, Iterable, Mapping
from datetime import date, datetime

from django.db import transaction
from django.db.models import Case, DateTimeField, ExpressionWrapper, F, Value, When
from django.db.models.functions import Coalesce, Greatest, Now

from tasks.campaigns.workflow.slots import give_up_places, take_places_back
from tasks.models import (
    Assessment,
    Assignment,
    AssignmentState,
    AuditAction,
    Campaign,
    Item,
    Membership,
    RatingSetAside,
    SeenVotes,
    SetAside,
    Slot,
)
from tasks.storing.acts import record
from tasks.storing.plan import count_change
from tasks.storing.refusals import Refusal, again_if_in_the_way
from tasks.votes.blindness import held_items_judged_by, items_held_by, withheld_from
from tasks.votes.ratings import ratings_to_set_aside

SAW_ALL_VOTES = "The rater took a file with everybody's votes."


@transaction.atomic
def show_votes(*, items: Iterable[int], member: Membership) -> None:
    """Note that the member has asked for the votes on these items: they are shown from now on.

    Not those of items that they hold: they are still to rate these.
    """
    lock_member(member)
    held = set(items_held_by(member))
    SeenVotes.objects.bulk_create(
        (SeenVotes(item_id=item, member=member) for item in items if item not in held),
        ignore_conflicts=True,
    )


@transaction.atomic
def show_all_votes(*, member: Membership, until: datetime | None = None) -> None:
    """Note that the member asks for all votes there were at that moment, by default now.

    Items that they hold are given back if anybody had judged them: they cannot be rated blind.
    """
    if member.has_seen_votes_until(until):
        return
    lock_member(member)
    for held in held_items_judged_by(member, until):
        skip_item(assignment=held, reason=SAW_ALL_VOTES)
    moment = ExpressionWrapper(Value(until) if until else Now(), DateTimeField())
    latest = Greatest(Coalesce(F("votes_seen_until"), moment), moment)
    Membership.objects.filter(pk=member.pk).update(votes_seen_until=latest)
    member.refresh_from_db(fields=["votes_seen_until"])


def reveal_votes_for_decision(*, item: Item, member: Membership) -> None:
    """Without a blind first look, coming to an item to decide it is asking for its votes."""
    if not member.campaign.adjudicates_blind and withheld_from(member, item):
        show_votes(items=[item.pk], member=member)


@transaction.atomic
def skip_item(*, assignment: Assignment, reason: str) -> None:
    """Give an item back unrated. It is not offered to this rater again."""
    Assignment.objects.filter(pk=assignment.pk, state=AssignmentState.ACTIVE).update(
        state=AssignmentState.SKIPPED, skip_reason=reason
    )
    Slot.objects.filter(holder=assignment, is_filled=False).update(
        holder=None,
        expires_at=None,
        given_until=Case(When(given_to__isnull=False, then=Now())),
    )


def lock_member(membership: Membership) -> None:
    """Until the end of the transaction the member neither claims an item, nor is shown votes, nor
    decides, by another request. Raters, who are shown none, claim without it."""
    Membership.objects.select_for_update(no_key=True).get(pk=membership.pk)


class NothingToSetAside(Refusal):
    """The rater has no such ratings, or all of them are set aside."""


class SetAsideUndone(Refusal):
    """The act has been undone before."""


def set_aside(
    *,
    rater: Membership,
    by: Membership,
    reason: str,
    since: date | None = None,
    items: Collection[int] | None = None,
) -> SetAside:
    """Set the rater's ratings aside that `ratings_to_set_aside` finds.

    Raises NothingToSetAside and InTheWay.
    """
    return again_if_in_the_way(
        lambda: set_aside_once(rater=rater, by=by, reason=reason, since=since, items=items)
    )


@transaction.atomic
def set_aside_once(
    *,
    rater: Membership,
    by: Membership,
    reason: str,
    since: date | None = None,
    items: Collection[int] | None = None,
) -> SetAside:
    """As `set_aside`, as part of another act, which has to be done again on IntegrityError."""
    campaign = rater.campaign
    count_change(campaign)
    ratings = ratings_to_set_aside(rater, since=since, items=items).order_by("item")
    histories = list(ratings.values_list("item", "slot"))
    if not histories:
        raise NothingToSetAside("there are no ratings of this rater to set aside")
    act = SetAside.objects.create(campaign=campaign, rater=rater, by=by, reason=reason)
    RatingSetAside.objects.bulk_create(
        (
            RatingSetAside(act=act, item_id=item, rater=rater, slot_id=slot)
            for item, slot in histories
        ),
        batch_size=1000,
    )
    votes = [(item, slot) for item, slot in histories if slot]
    give_up_places(
        campaign=campaign, items=[item for item, _slot in votes], slots=[slot for _, slot in votes]
    )
    _work_out_figures_again(campaign)
    numbers = {"ratings": len(histories), "votes": len(votes)}
    _record(AuditAction.RATINGS_SET_ASIDE, act, by, {**numbers, "reason": reason, "since": since})
    return act


def undo_set_aside(*, act: SetAside, by: Membership) -> None:
    """Let the ratings count again. Raises SetAsideUndone and InTheWay."""
    again_if_in_the_way(lambda: undo_set_aside_once(act=act, by=by))


@transaction.atomic
def undo_set_aside_once(*, act: SetAside, by: Membership) -> None:
    """As `undo_set_aside`, as part of another act, which has to be done again on IntegrityError."""
    count_change(act.campaign)
    changed = SetAside.objects.filter(pk=act.pk, undone_at=None).update(
        undone_at=Now(), undone_by=by
    )
    if not changed:
        raise SetAsideUndone("this has been undone before")
    histories = act.histories.order_by("item")
    votes = list(histories.filter(slot__isnull=False).values_list("item", "slot"))
    numbers = {"ratings": histories.update(holds=False), "votes": len(votes)}
    take_places_back(
        campaign=act.campaign,
        items=[item for item, _slot in votes],
        slots=[slot for _item, slot in votes],
    )
    _work_out_figures_again(act.campaign)
    _record(AuditAction.RATINGS_TAKEN_BACK, act, by, numbers)


def _work_out_figures_again(campaign: Campaign) -> None:
    """Those that are kept count other votes: as if no rating had been there, also for a worker who
    is at it."""
    Assessment.objects.filter(campaign=campaign).update(
        newest_rating=0, begun_at=None, attempt=F("attempt") + 1
    )


def _record(
    action: AuditAction, act: SetAside, by: Membership, details: Mapping[str, object]
) -> None:
    record(
        action,
        campaign=act.campaign,
        subject=("member", act.rater.name),
        details={"act": act.pk, **details},
        by=by,
    )
