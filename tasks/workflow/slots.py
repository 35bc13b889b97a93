"""Places for ratings: how many an item gets, and where each stands in the order.

How many: the highest target among the item's systems, the campaign's where a system has none of
its own (Bulian et al. 2022, §3.2: up to 4 ratings for the system that quality is watched on, 1
for the others). Where: as the campaign's `item_order` says, reproducibly by its seed.
"""

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from django.db import connection, transaction

from tasks.models import (
    AuditAction,
    Campaign,
    Item,
    ItemOrder,
    ItemPurpose,
    ItemSystem,
    Slot,
    Suggestion,
)
from tasks.workflow.audit import changes, record
from tasks.workflow.batches import batches

_TIE_BITS = 41
_STEPS = 1 << 20
_MOVE = "UPDATE tasks_slot SET order_key = %s WHERE id = %s"


@transaction.atomic
def set_overlap(*, campaign: Campaign, overlaps: Mapping[str, int | None]) -> None:
    """Give systems targets of their own, None for the campaign's, and make the slots fit.

    Raises System.DoesNotExist, and ValidationError for a target that cannot be.
    """
    before = dict(campaign.systems.filter(name__in=overlaps).values_list("name", "overlap"))
    change_overlaps(campaign, overlaps)
    if before != overlaps:
        record(AuditAction.OVERLAPS_CHANGED, campaign=campaign, details=changes(before, overlaps))


def change_overlaps(campaign: Campaign, overlaps: Mapping[str, int | None]) -> None:
    """As `set_overlap`, within an act and a transaction of the caller's."""
    for name, overlap in overlaps.items():
        system = campaign.systems.get(name=name)
        system.overlap = overlap
        system.full_clean()
        system.save(update_fields=["overlap"])
    fit_campaign(campaign=campaign)


def follow_settings(*, campaign: Campaign, changed: Collection[str]) -> None:
    """Make slots follow settings of the campaign that have just been changed."""
    if "overlap" in changed:
        fit_campaign(campaign=campaign)
    if not {"item_order", "suggestion_matcher", "seed"}.isdisjoint(changed):
        reorder(campaign=campaign)


def fit_campaign(*, campaign: Campaign) -> None:
    """Make the slots of every live item fit the targets as they are now."""
    items = Item.objects.filter(campaign=campaign, purpose=ItemPurpose.LIVE).order_by("pk")
    for batch in batches(items.iterator(chunk_size=1000)):
        fit_slots(campaign, batch)


def fit_slots(campaign: Campaign, items: Sequence[Item]) -> None:
    """Add the slots that live items lack, and take away open ones that nobody has ever claimed.

    What is held or filled stays: a target can be lowered, work done cannot be undone.
    """
    live = [item for item in items if item.purpose == ItemPurpose.LIVE]
    wanted = _wanted(campaign, live)
    present = Counter(
        Slot.objects.filter(item__in=live, order_key__isnull=False).values_list("item", flat=True)
    )
    scores = _scores(campaign, live) if campaign.item_order == ItemOrder.UNCERTAIN else {}
    Slot.objects.bulk_create(
        Slot(
            campaign=campaign,
            item=item,
            number=number,
            order_key=_order_key(campaign, item.pk, item.key, number, scores.get(item.pk)),
        )
        for item in live
        for number in range(present[item.pk] + 1, wanted[item.pk] + 1)
    )
    superfluous = [item for item in live if present[item.pk] > wanted[item.pk]]
    for item in superfluous:
        Slot.objects.filter(
            item=item, number__gt=wanted[item.pk], is_filled=False, holder=None, assignments=None
        ).delete()


def reorder(*, campaign: Campaign) -> None:
    """Give every open slot its place again, after the order or what it rests on has changed."""
    scores = _scores(campaign) if campaign.item_order == ItemOrder.UNCERTAIN else {}
    for moves in batches(_moves(campaign, scores)):
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.executemany(_MOVE, moves)


def _moves(campaign: Campaign, scores: Mapping[int, float]) -> Iterator[tuple[int, int]]:
    """New place and id of each open slot whose place changes."""
    slots = Slot.objects.filter(campaign=campaign, is_filled=False, order_key__isnull=False)
    # read before the first move is written: a list of numbers, not of objects
    rows = list(slots.order_by("pk").values_list("pk", "item", "item__key", "number", "order_key"))
    for pk, item, key, number, present in rows:
        place = _order_key(campaign, item, key, number, scores.get(item))
        if place != present:
            yield place, pk


def _wanted(campaign: Campaign, items: Sequence[Item]) -> Mapping[int, int]:
    """The target of each item."""
    targets: dict[int, list[int]] = {item.pk: [] for item in items}
    for item, overlap in ItemSystem.objects.filter(item__in=items).values_list(
        "item", "system__overlap"
    ):
        targets[item].append(campaign.overlap if overlap is None else overlap)
    return {item: max(found, default=campaign.overlap) for item, found in targets.items()}


def _scores(campaign: Campaign, items: Iterable[Item] | None = None) -> dict[int, float]:
    """The newest score of the campaign's matcher, by item."""
    found = Suggestion.objects.filter(
        item__campaign=campaign, matcher=campaign.suggestion_matcher
    ).order_by("pk")
    if items is not None:
        found = found.filter(item__in=items)
    return dict(found.values_list("item", "score"))


def _order_key(campaign: Campaign, item: int, key: str, number: int, score: float | None) -> int:
    """A slot's place: a whole number from 0 to 2**63, lower first."""
    if campaign.item_order == ItemOrder.OLDEST:
        return item
    if campaign.item_order == ItemOrder.RANDOM:
        return _shuffled(f"order {campaign.seed} {key} {number}")
    together = _shuffled(f"order {campaign.seed} {key}")
    if campaign.item_order == ItemOrder.COMPLETE:
        return together
    # 0 for a score of one half, the last step but one for 0 and 1, the last without a score
    step = _STEPS if score is None else int(abs(score - 0.5) * 2 * (_STEPS - 1))
    return step << _TIE_BITS | together >> (63 - _TIE_BITS)


def _shuffled(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]) >> 1
