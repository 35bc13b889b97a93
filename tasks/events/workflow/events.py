"""What happens in a campaign, noted for the webhooks that want to know.

The note is part of the transaction of what it tells of: neither is there without the other.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from tasks.models import Campaign, Channel, Delivery, Event, EventKind, Webhook


class Happening(NamedTuple):
    """What happened. `data` holds ids, pseudonyms and labels; names of people never."""

    kind: EventKind
    data: Mapping[str, Any]


def wanted_in(campaign: Campaign) -> frozenset[str]:
    """The kinds that webhooks of the campaign ask for, as far as this copy of it knows."""
    return frozenset(campaign.webhook_events.split())


def tell(campaign_id: int, *happenings: Happening) -> None:
    """Note what happened for each webhook that wants it. Call it in the transaction of the fact."""
    webhooks = list(Webhook.objects.filter(campaign=campaign_id, is_active=True))
    for happening in happenings:
        if asking := [webhook for webhook in webhooks if happening.kind in webhook.events]:
            note(campaign_id, happening, asking)


def tell_of_import(campaign_id: int, of: str, **counts: int) -> None:
    """A file has brought so much."""
    tell(campaign_id, Happening(EventKind.IMPORT_DONE, {"of": of, **counts}))


def note(campaign_id: int, happening: Happening, webhooks: list[Webhook]) -> Event:
    """One event, and a delivery for each of the webhooks."""
    event = Event.objects.create(
        campaign_id=campaign_id, kind=happening.kind, data=dict(happening.data)
    )
    Delivery.objects.bulk_create(
        Delivery(event=event, webhook=webhook, channel=Channel.WEBHOOK) for webhook in webhooks
    )
    return event
