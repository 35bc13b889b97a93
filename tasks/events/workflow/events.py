"""What happens in a campaign, noted for the webhooks that want to know.

The note is part of the transaction of what it tells of: neither is there without the other.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from tasks.models import Campaign, Channel, Delivery, Event, EventKind, Webhook


class NewEvent(NamedTuple):
    """What happened. `data` holds ids, pseudonyms and labels; names of people never."""

    kind: EventKind
    data: Mapping[str, Any]


def wanted_in(campaign: Campaign) -> frozenset[str]:
    """The kinds that webhooks of the campaign ask for, as far as this copy of it knows."""
    return frozenset(campaign.webhook_events.split())


def note_events(campaign_id: int, *events: NewEvent) -> None:
    """Note what happened for each webhook that wants it. Call it in the transaction of the fact."""
    webhooks = list(Webhook.objects.filter(campaign=campaign_id, is_active=True))
    for event in events:
        if asking := [webhook for webhook in webhooks if event.kind in webhook.events]:
            store_event(campaign_id, event, asking)


def note_import(campaign_id: int, of: str, **counts: int) -> None:
    """A file has brought so much."""
    note_events(campaign_id, NewEvent(EventKind.IMPORT_DONE, {"of": of, **counts}))


def store_event(campaign_id: int, event: NewEvent, webhooks: list[Webhook]) -> Event:
    """One event, and a delivery for each of the webhooks."""
    stored = Event.objects.create(campaign_id=campaign_id, kind=event.kind, data=dict(event.data))
    Delivery.objects.bulk_create(
        Delivery(event=stored, webhook=webhook, channel=Channel.WEBHOOK) for webhook in webhooks
    )
    return stored
