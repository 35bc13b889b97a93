"""Telling webhooks of a rating, and of what it completes."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext

from django.db import connection, transaction

from tasks.events.workflow.events import NewEvent, note_events, wanted_in
from tasks.models import Campaign, EventKind, Item, ItemPurpose, Rating, Slot

_OF_RATINGS = frozenset(
    {
        EventKind.RATING_STORED,
        EventKind.RATING_REVISED,
        EventKind.ITEM_COMPLETED,
        EventKind.CAMPAIGN_COMPLETED,
    }
)
# the first number of an advisory lock says what the second one counts
_ITEM_LOCK, _CAMPAIGN_LOCK = 0x746F6D31, 0x746F6D32


def together_with_events(campaign: Campaign) -> AbstractContextManager[None]:
    """A transaction for rating and events if any are wanted; else the rating is by itself."""
    return transaction.atomic() if _tells(campaign) else nullcontext()


def note_rating(*, campaign: Campaign, rating: Rating, label: str) -> None:
    """Note what has just been stored, in its transaction, if a webhook asks for it."""
    if _tells(campaign):
        note_events(campaign.pk, *_new_events(campaign, rating, label))


def _tells(campaign: Campaign) -> bool:
    # where no webhook asks a rating costs nothing more: the campaign is read anyway
    return bool(campaign.webhook_events) and not wanted_in(campaign).isdisjoint(_OF_RATINGS)


def _new_events(campaign: Campaign, rating: Rating, label: str) -> Iterator[NewEvent]:
    item = Item.objects.only("key", "purpose").get(pk=rating.item_id)
    is_revision = rating.supersedes_id is not None
    data = {
        "rating": rating.pk,
        "item": item.key,
        "rater": rating.rater.pseudonym,
        "label": label,
        "counted": rating.is_counted,
        "supersedes": rating.supersedes_id,
    }
    yield NewEvent(EventKind.RATING_REVISED if is_revision else EventKind.RATING_STORED, data)
    if rating.has_place and not is_revision and item.purpose == ItemPurpose.LIVE:
        yield from _completed(campaign, item)


def _completed(campaign: Campaign, item: Item) -> Iterator[NewEvent]:
    wanted = wanted_in(campaign)
    if wanted.isdisjoint({EventKind.ITEM_COMPLETED, EventKind.CAMPAIGN_COMPLETED}):
        return
    _wait_for_others(_ITEM_LOCK, item.pk)
    unfilled = Slot.objects.filter(is_filled=False, order_key__isnull=False)
    if unfilled.filter(item=item).exists():
        return
    yield NewEvent(EventKind.ITEM_COMPLETED, {"item": item.key})
    if EventKind.CAMPAIGN_COMPLETED in wanted:
        _wait_for_others(_CAMPAIGN_LOCK, campaign.pk)
        if not unfilled.filter(campaign=campaign).exists():
            yield NewEvent(EventKind.CAMPAIGN_COMPLETED, {})


def _wait_for_others(kind: int, number: int) -> None:
    """Until the transaction ends nobody else passes here.

    Of two that fill the last two slots at once neither would see the other's. It is no lock on a
    row, which those who change the campaign would wait for too. SQLite has one writer anyway.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [kind, number % 2**31])
