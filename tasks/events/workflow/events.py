"""Events of a campaign, noted for the webhooks that want them, and the webhooks.

The note is part of the transaction of what it tells of: neither is there without the other.
"""

import secrets
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from tasks.models import AuditAction, Campaign, Channel, Delivery, Event, EventKind, Webhook
from tasks.storing.acts import record


class NewEvent(NamedTuple):
    """One event. `data` holds ids, pseudonyms and labels; names of people never."""

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
    note_events(campaign_id, NewEvent(EventKind.IMPORT_DONE, {"of": of, **counts}))


def store_event(campaign_id: int, event: NewEvent, webhooks: list[Webhook]) -> Event:
    stored = Event.objects.create(campaign_id=campaign_id, kind=event.kind, data=dict(event.data))
    Delivery.objects.bulk_create(
        Delivery(event=stored, webhook=webhook, channel=Channel.WEBHOOK) for webhook in webhooks
    )
    return stored


MIN_SECRET = 16  # characters, of one that is set


@transaction.atomic
def add_webhook(
    *, campaign: Campaign, url: str, events: Collection[str], secret: str = ""
) -> Webhook:
    """An active webhook; without a secret it gets one that nobody could guess."""
    made = Webhook.objects.create(
        campaign=campaign,
        url=url,
        events=_ordered(events),
        secret=secret or secrets.token_urlsafe(32),
    )
    refresh_campaign(campaign=campaign)
    _record(AuditAction.WEBHOOK_ADDED, made)
    return Webhook.objects.get(pk=made.pk)


@transaction.atomic
def change_webhook(
    *,
    webhook: Webhook,
    url: str | None = None,
    events: Collection[str] | None = None,
    secret: str | None = None,
) -> None:
    if url is not None:
        webhook.url = url
    if events is not None:
        webhook.events = _ordered(events)
    if secret is not None:
        webhook.secret = secret
    webhook.save(update_fields=["url", "events", "secret"])
    refresh_campaign(campaign=webhook.campaign)
    _record(AuditAction.WEBHOOK_CHANGED, webhook)


@transaction.atomic
def switch_on(*, webhook: Webhook) -> None:
    """Earlier failed deliveries are tried again from the beginning."""
    Webhook.objects.filter(pk=webhook.pk).update(
        is_active=True,
        failures=0,
        failing_since=None,
        rests_until=Now(),
        switched_off_because="",
    )
    Delivery.objects.filter(webhook=webhook, sent_at=None).update(attempts=0, not_before=Now())
    refresh_campaign(campaign=webhook.campaign)
    _record(AuditAction.WEBHOOK_SWITCHED_ON, webhook)


@transaction.atomic
def switch_off(*, webhook: Webhook, because: str = "") -> None:
    """From now on nothing is noted for it; what was noted before waits."""
    Webhook.objects.filter(pk=webhook.pk).update(is_active=False, switched_off_because=because)
    refresh_campaign(campaign=webhook.campaign)
    _record(AuditAction.WEBHOOK_SWITCHED_OFF, webhook)


@transaction.atomic
def delete_webhook(*, webhook: Webhook) -> None:
    """Forget its address and secret, and what was to be sent there."""
    Webhook.objects.filter(pk=webhook.pk).update(
        is_active=False, url="", secret="", events=[], deleted_at=Now()
    )
    Delivery.objects.filter(webhook=webhook).delete()
    refresh_campaign(campaign=webhook.campaign)
    _record(AuditAction.WEBHOOK_DELETED, webhook)


@transaction.atomic
def try_webhook(*, webhook: Webhook) -> Delivery:
    """Send it an event that says nothing, at once and whether it is active or not."""
    event = store_event(webhook.campaign_id, NewEvent(EventKind.WEBHOOK_TRIED, {}), [webhook])
    Webhook.objects.filter(pk=webhook.pk, rests_until__gt=Now(), failures__gt=0).update(
        rests_until=Now()
    )
    return event.deliveries.get()


@transaction.atomic
def retry_delivery(*, delivery: Delivery) -> bool:
    """Have it tried again soon, from the beginning; false if it was sent."""
    due = Delivery.objects.filter(pk=delivery.pk, sent_at=None)
    if not due.update(attempts=0, not_before=Now()):
        return False
    Webhook.objects.filter(deliveries=delivery, failures__gt=0).update(rests_until=Now())
    return True


def refresh_campaign(*, campaign: Campaign) -> None:
    """Have the campaign itself say what its active webhooks ask for."""
    # whoever else changes one of them waits: the last one counts them all
    Campaign.objects.select_for_update(no_key=True).only("pk").get(pk=campaign.pk)
    active = Webhook.objects.filter(campaign=campaign, is_active=True)
    kinds = {kind for events in active.values_list("events", flat=True) for kind in events}
    campaign.webhook_events = " ".join(_ordered(kinds))
    stale = ~Q(webhook_events=campaign.webhook_events)
    Campaign.objects.filter(stale, pk=campaign.pk).update(webhook_events=campaign.webhook_events)


def _record(action: AuditAction, webhook: Webhook) -> None:
    """The host alone: an address may hold a secret."""
    subject = ("webhook", urlsplit(webhook.url).hostname or webhook.pk)
    record(action, campaign=webhook.campaign, subject=subject, details={"events": webhook.events})


def _ordered(kinds: Collection[str]) -> list[str]:
    return [kind.value for kind in EventKind if kind in kinds]
