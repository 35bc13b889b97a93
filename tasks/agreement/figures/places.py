"""How many ratings items can still get: their slots, and those that are open."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import Count, Q

from tasks.models import Campaign, ItemPurpose, Slot


class ItemPlaces(NamedTuple):
    """The slots of an item that are filled or offered, and how many of them are filled."""

    slots: int
    filled: int

    @property
    def open(self) -> int:
        return self.slots - self.filled


@dataclass(frozen=True, slots=True)
class Places:
    """The places of every live item; `overlap` is how many the campaign gives to a new one."""

    by_item: Mapping[int, ItemPlaces]
    overlap: int

    def open_in(self, items: Iterable[int]) -> int:
        """How many ratings these items can still get together."""
        return sum(self.by_item[item].open for item in items if item in self.by_item)


def places_of(campaign: Campaign) -> Places:
    slots = Slot.objects.filter(
        campaign=campaign, order_key__isnull=False, item__purpose=ItemPurpose.LIVE
    )
    rows = (
        slots.values("item")
        .annotate(slots=Count("id"), filled=Count("id", filter=Q(is_filled=True)))
        .order_by()
        .values_list("item", "slots", "filled")
    )
    return Places({item: ItemPlaces(n, filled) for item, n, filled in rows}, campaign.overlap)
