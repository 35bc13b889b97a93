"""Assigning items to people: a place of each item is held for them, longer than a claim holds it.

It is a claim made for somebody: they get the item before any other, and from then on the usual time
to rate it. A place that nobody has used in time goes to whoever comes next, as after any claim.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import DateTimeField, ExpressionWrapper, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Now

from tasks.explorer.workflow.acts.plan import (
    Act,
    LeftOut,
    Options,
    Plan,
    Undone,
    dismissed,
    not_live,
    sorted_out,
)
from tasks.models import (
    Assignment,
    AssignmentState,
    BulkAct,
    Campaign,
    Item,
    ItemPurpose,
    Membership,
    Role,
    Slot,
)
from tasks.storing.batches import batches

_WHAT_IS_ASKED = ("item__question", "item__candidate")


def assignable(campaign: Campaign) -> QuerySet[Membership]:
    """The raters who get items now, by name; none who may have seen votes in another role."""
    return Membership.objects.filter(
        campaign=campaign,
        role=Role.RATER,
        has_been_more=False,
        is_active=True,
        is_paused=False,
        user__is_active=True,
    ).order_by("name")


def _plan(member: Membership, items: Sequence[int], options: Options) -> Plan:
    free, people = _free_places(items), _people(member.campaign, options)
    barred = sorted_out(
        items,
        (LeftOut.NOT_LIVE, not_live(items)),
        (LeftOut.DISMISSED, dismissed(items)),
        (LeftOut.NO_PLACE, set(items) - free.keys()),
    )
    places = tuple(_dealt(barred.items, people, _had(barred.items, people), free, options))
    given = {item for item, _rater in places}
    left = Counter(barred.left_out)
    if over := len(barred.items) - len(given):
        left[LeftOut.TAKEN_UP] = over
    return Plan(tuple(item for item in barred.items if item in given), left, places)


def _dealt(
    items: Sequence[int],
    people: Sequence[int],
    had: Mapping[int, set[int]],
    free: Mapping[int, Sequence[int]],
    options: Options,
) -> Iterable[tuple[int, int]]:
    """Who gets which item: each of the people as far as there is room, or one of them in turn,
    whoever has the fewest of these items."""
    dealt = Counter[int]()
    for item in items:
        able = [rater for rater in people if rater not in had[item]]
        if options.is_divided:
            able = sorted(able, key=lambda rater: dealt[rater])[:1]
        for rater in able[: len(free[item])]:
            dealt[rater] += 1
            yield item, rater


def _assign(_act: BulkAct, plan: Plan, options: Options) -> Mapping[str, Any]:
    """Until when, and the assignments that were made."""
    until = _now() + timedelta(days=options.days)
    free = _free_places(plan.items)
    made: list[int] = []
    for batch in batches(plan.places):
        rows = Assignment.objects.bulk_create(
            Assignment(item_id=item, rater_id=rater, slot_id=free[item].pop(0))
            for item, rater in batch
        )
        keys = [row.pk for row in rows]
        holder = Assignment.objects.filter(slot=OuterRef("pk"), pk__in=keys).values("pk")
        Slot.objects.filter(assignments__in=keys).update(
            holder_id=Subquery(holder[:1]), expires_at=until
        )
        made += keys
    return {"until": until.isoformat(), "assignments": made}


def give_up_unopened(campaign: Campaign, items: Sequence[int]) -> None:
    """Hold places of these items for nobody any more who has not opened them: they are held for
    longer than a claim holds them."""
    longest = timedelta(minutes=campaign.lease_minutes)
    until = ExpressionWrapper(Now() + longest, output_field=DateTimeField())
    for batch in batches(items):
        _give_up(Slot.objects.filter(item__in=batch, expires_at__gt=until))


def _undo(act: BulkAct, items: Sequence[int]) -> Undone:
    """Whoever has begun with an item keeps it: from their claim on it is held for less time."""
    until = datetime.fromisoformat(act.result["until"])
    for batch in batches(act.result["assignments"]):
        _give_up(Slot.objects.filter(holder__in=batch, expires_at=until))
    kept = set()
    for batch in batches(act.result["assignments"]):
        kept |= set(Assignment.objects.filter(pk__in=batch).values_list("item", flat=True))
    return Undone(len(items) - len(kept), len(kept))


def _give_up(held: QuerySet[Slot]) -> None:
    """As if these had never been claimed, as far as nothing has come of them."""
    unused = held.select_for_update(of=("self",)).filter(
        holder__state=AssignmentState.ACTIVE, holder__drafts=None, holder__suggestion_view=None
    )
    keys = list(unused.values_list("holder", flat=True))
    Slot.objects.filter(holder__in=keys).update(holder=None, expires_at=None)
    Assignment.objects.filter(pk__in=keys).delete()


def _free_places(items: Sequence[int]) -> dict[int, list[int]]:
    """The slots of each item that anybody could claim now, locked until the transaction ends."""
    found: dict[int, list[int]] = defaultdict(list)
    for batch in batches(items):
        slots = Slot.objects.select_for_update(skip_locked=True, of=("self",)).filter(
            Q(holder=None) | Q(expires_at__lt=Now()),
            item__in=batch,
            is_filled=False,
            order_key__isnull=False,
        )
        for item, slot in slots.order_by("item", "number").values_list("item", "pk"):
            found[item].append(slot)
    return dict(found)


def _had(items: Sequence[int], people: Sequence[int]) -> dict[int, set[int]]:
    """Who of these people has had each item in hand, or its copy that checks raters, whatever came
    of it."""
    had: dict[int, set[int]] = defaultdict(set)
    for batch in batches(items):
        rows = Assignment.objects.filter(item__in=batch, rater__in=people)
        for item, rater in rows.values_list("item", "rater"):
            had[item].add(rater)
        there = Item.objects.filter(pk__in=batch)
        checked = defaultdict[tuple[int, str], set[int]](set)
        of_copies = Assignment.objects.filter(
            rater__in=people,
            item__purpose=ItemPurpose.CONTROL,
            item__question__in=there.values("question"),
        )
        for rater, *asked in of_copies.values_list("rater", *_WHAT_IS_ASKED):
            checked[tuple(asked)].add(rater)
        for item, question, candidate in there.values_list("pk", "question", "candidate"):
            had[item] |= checked[question, candidate]
    return had


def _people(campaign: Campaign, options: Options) -> list[int]:
    found = dict(assignable(campaign).values_list("pseudonym", "pk"))
    return [found[pseudonym] for pseudonym in options.raters if pseudonym in found]


def _now() -> datetime:
    """By the database's clock, as leases are."""
    return Membership.objects.annotate(now=Now()).values_list("now", flat=True)[0]


ASSIGN = Act(("raters", "is_divided", "days"), _plan, _assign, _undo)
