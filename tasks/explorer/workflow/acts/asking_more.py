"""Asking for more ratings of items than their systems and the campaign want."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Count, Q

from tasks.campaigns.workflow.slots import fit_items
from tasks.explorer.workflow.acts.making_controls import copied
from tasks.explorer.workflow.acts.plan import (
    Act,
    ActKind,
    LeftOut,
    Options,
    Plan,
    Undone,
    dismissed,
    not_live,
    sorted_out,
    those_of,
)
from tasks.models import ActedItem, AuditAction, BulkAct, ItemOverlap, Membership, Slot
from tasks.storing.batches import batches

MOST = 100
"""Ratings of an item, as of a campaign's overlap."""


def _plan(member: Membership, items: Sequence[int], options: Options) -> Plan:
    places = _places(items)
    full = {item for item in items if places.get(item, 0) + options.more > MOST}
    return sorted_out(
        items,
        (LeftOut.NOT_LIVE, not_live(items)),
        (LeftOut.DISMISSED, dismissed(items)),
        (LeftOut.IS_COPIED, copied(member.campaign, items)),
        (LeftOut.ENOUGH, full),
    )


def _ask(act: BulkAct, plan: Plan, options: Options) -> Mapping[str, Any]:
    places = _places(plan.items)
    wanted = {item: places.get(item, 0) + options.more for item in plan.items}
    _set_targets(wanted)
    fit_items(campaign=act.campaign, items=plan.items)
    return {}


def _undo(act: BulkAct, items: Sequence[int]) -> Undone:
    """Places that have been taken meanwhile stay, and so does what other acts have asked for."""
    _set_targets(_without(act, items))
    full = _places(items)
    fit_items(campaign=act.campaign, items=items)
    left = _places(items)
    more = act.parameters["more"]
    taken = {item for item in items if full.get(item, 0) - left.get(item, 0) < more}
    taken -= dismissed(items)  # their places go when they are offered again
    return Undone(len(items) - len(taken), len(taken))


def _places(items: Sequence[int]) -> dict[int, int]:
    """How many ratings are wanted of each item now."""
    found: dict[int, int] = {}
    for batch in batches(items):
        slots = Slot.objects.filter(item__in=batch).filter(
            Q(order_key__isnull=False) | Q(is_filled=True)
        )
        found |= dict(slots.values_list("item").annotate(places=Count("pk")).order_by())
    return found


def _targets(items: Sequence[int]) -> dict[int, int]:
    found: dict[int, int] = {}
    for batch in batches(items):
        found |= dict(ItemOverlap.objects.filter(item__in=batch).values_list("item", "overlap"))
    return found


def _without(act: BulkAct, items: Sequence[int]) -> dict[int, int | None]:
    """The items' own targets without this act: none where no other one asks for more."""
    others = ActedItem.objects.filter(
        act__campaign=act.campaign_id, act__kind=ActKind.MORE, act__undone_at=None
    ).exclude(act=act)
    asked, targets = those_of(others, items), _targets(items)
    return {
        item: targets[item] - act.parameters["more"] if item in asked & targets.keys() else None
        for item in items
    }


def _set_targets(targets: Mapping[int, int | None]) -> None:
    for batch in batches(targets):
        ItemOverlap.objects.filter(item__in=batch).delete()
        ItemOverlap.objects.bulk_create(
            ItemOverlap(item_id=item, overlap=overlap)
            for item in batch
            if (overlap := targets[item]) is not None
        )


MORE = Act(("more",), AuditAction.RATINGS_WANTED, _plan, _ask, _undo)
