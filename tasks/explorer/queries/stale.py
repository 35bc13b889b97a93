"""How many items wait for their summaries."""

from tasks.models import Campaign, StaleItem

MOST_COUNTED = 100_000
"""Rows of the queue that are looked at to count the items in it."""


def is_anything_stale(campaign: Campaign) -> bool:
    return StaleItem.objects.filter(campaign=campaign).exists()


def stale_items(campaign: Campaign) -> int:
    """How many items wait; of a long queue those in its first rows."""
    queue = StaleItem.objects.filter(campaign=campaign).order_by("item")
    return len(set(queue.values_list("item_id", flat=True)[:MOST_COUNTED]))


def campaigns_with_stale_items() -> list[int]:
    """The ids of campaigns in which items wait, one look at the index for each."""
    found = Campaign.objects.order_by("pk").values_list("pk", flat=True)
    return [pk for pk in found if StaleItem.objects.filter(campaign=pk).exists()]
