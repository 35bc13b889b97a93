"""Assigning items to raters: a free place of each item is given to them for some days.

They get the item before any other, and nobody else gets that place. When the days are over without
a rating, it goes to whoever comes next, as any other."""

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, F, Q, QuerySet
from django.db.models.functions import Now

from tasks.explorer.workflow.plan import (
    Act,
    LeftOut,
    Options,
    Plan,
    Share,
    Undone,
    dismissed,
    not_live,
    sorted_out,
    those_of,
)
from tasks.models import Assignment, AssignmentState, BulkAct, Membership, Slot
from tasks.rating.workflow.assignment import active_raters
from tasks.storing.database import batches
from tasks.votes.items import given_slots, is_given_to_nobody, open_slots, quota_of


def _plan(member: Membership, items: Sequence[int], options: Options) -> Plan:
    people = list(active_raters(member.campaign).filter(pseudonym__in=options.raters))
    free = _free_places(items)
    barred = sorted_out(
        items,
        (LeftOut.NOT_LIVE, not_live(items)),
        (LeftOut.DISMISSED, dismissed(items)),
        (LeftOut.GIVEN, those_of(given_slots(), items) - free.keys()),
        (LeftOut.NO_PLACE, set(items) - free.keys()),
    )
    places = list(_dealt(barred.items, people, free, is_divided=options.is_divided))
    given = {item for item, _rater in places}
    left = Counter(barred.left_out)
    if over := len(barred.items) - len(given):
        left[LeftOut.NOBODY] = over
    dealt = Counter(rater for _item, rater in places)
    return Plan(
        tuple(item for item in barred.items if item in given),
        left,
        shares=tuple(Share(one.pseudonym, one.name, dealt[one.pk]) for one in people),
        places=tuple(places),
        among=tuple(items),
    )


def _dealt(
    items: Sequence[int],
    people: Sequence[Membership],
    free: Mapping[int, int],
    *,
    is_divided: bool,
) -> Iterable[tuple[int, int]]:
    """Items and their raters: as many of them as there are places, or one. First come those who
    have the fewest of these items."""
    room, had = _room(people), _had(items, people)
    dealt = Counter[int]()
    for item in sorted(items, key=lambda item: -len(had[item])):  # few are left for these
        able = [rater for rater in room if dealt[rater] < room[rater] and rater not in had[item]]
        able.sort(key=lambda rater: dealt[rater])
        for rater in able[: 1 if is_divided else free[item]]:
            dealt[rater] += 1
            yield item, rater


def _room(people: Sequence[Membership]) -> dict[int, float]:
    """The number of items that each of them may get beside those that they have."""
    rated = _numbers("rater", Assignment.objects.filter(state=AssignmentState.SUBMITTED), people)
    given = _numbers("given_to", given_slots().filter(holder=None), people)
    held = _numbers("holder__rater", Slot.objects.filter(is_filled=False), people)
    room = {}
    for rater in people:
        quota = quota_of(rater)
        most = math.inf if quota is None else quota
        room[rater.pk] = most - rated[rater.pk] - given[rater.pk] - held[rater.pk]
    return room


def _had(items: Sequence[int], people: Sequence[Membership]) -> dict[int, set[int]]:
    """By item those of the people who have judged or skipped it, hold it or were given it."""
    judged_or_held = ~Q(state=AssignmentState.ACTIVE) | Q(held_slot__isnull=False)
    had = defaultdict[int, set[int]](set)
    for batch in batches(items):
        theirs = Assignment.objects.filter(judged_or_held, item__in=batch, rater__in=people)
        given = given_slots().filter(item__in=batch, given_to__in=people)
        for item, rater in theirs.values_list("item", "rater").union(
            given.values_list("item", "given_to")
        ):
            had[item].add(rater)
    return had


def _assign(act: BulkAct, plan: Plan, _options: Options) -> set[int]:
    """The items that others have taken since they were planned."""
    now: datetime = Membership.objects.annotate(now=Now()).values_list("now", flat=True)[0]
    until = now + timedelta(days=act.options["days"])
    act.result["until"] = until.isoformat()
    given = Counter[int]()
    missed = {item for item, _rater in plan.places}
    for batch in batches(plan.places):
        slots = _lock_free(dict.fromkeys(item for item, _rater in batch))
        chosen = defaultdict[int, list[int]](list)
        for item, rater in batch:
            if slots[item]:
                chosen[rater].append(slots[item].pop(0))
                missed.discard(item)
        for rater, keys in chosen.items():
            given[rater] += len(keys)
            Slot.objects.filter(pk__in=keys).update(
                given_to=rater, given_until=until, holder=None, expires_at=None
            )
    names = dict(Membership.objects.filter(pk__in=given).values_list("pk", "pseudonym"))
    act.result["shares"] = {names[rater]: number for rater, number in given.items()}
    act.save(update_fields=["result"])
    return missed


def _undo(act: BulkAct, items: Sequence[int]) -> Undone:
    """An item that its rater has begun with stays theirs."""
    given = Slot.objects.filter(given_until=datetime.fromisoformat(act.result["until"]))
    kept = set[int]()
    for batch in batches(items):
        slots = given.filter(item__in=batch)
        # nobody begins with one between the count and the end of the assignment
        list(slots.select_for_update().order_by("pk").values_list("pk"))
        begun = Q(is_filled=True) | Q(expires_at__gt=Now())
        kept.update(slots.filter(begun).values_list("item", flat=True))
        slots.filter(is_filled=False).update(given_until=Now())
    return Undone(len(items) - len(kept), len(kept))


def _free_places(items: Sequence[int]) -> dict[int, int]:
    """The number of slots of each item that anybody could claim now."""
    found: dict[int, int] = {}
    for batch in batches(items):
        found |= _numbers("item", _free(), batch)
    return found


def _lock_free(items: Iterable[int]) -> dict[int, list[int]]:
    """The slots of each item that anybody could claim now, those that were never held first, and
    the last before those that imported ratings fill first. What another transaction is claiming at
    this moment is not among them."""
    free = _free().select_for_update(of=("self",), skip_locked=True).filter(item__in=items)
    free = free.order_by(F("holder").asc(nulls_first=True), "-number")
    found = defaultdict[int, list[int]](list)
    for item, slot in free.values_list("item", "pk"):
        found[item].append(slot)
    return found


def _free() -> QuerySet[Slot]:
    return open_slots().filter(is_given_to_nobody())


def _numbers(name: str, rows: QuerySet[Any, Any], among: Collection[Any]) -> Counter[int]:
    """The number of rows that name each of these in this field."""
    named = rows.filter(**{f"{name}__in": among}).order_by()
    return Counter(dict(named.values_list(name).annotate(number=Count("pk"))))


ASSIGN = Act(("raters", "is_divided", "days"), _plan, _assign, _undo)
