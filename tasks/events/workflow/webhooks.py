"""Registering webhooks, trying them, switching them on and off."""

import secrets
from collections.abc import Collection
from urllib.parse import urlsplit

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from tasks.events.workflow.events import NewEvent, store_event
from tasks.models import AuditAction, Campaign, Delivery, EventKind, Webhook
from tasks.models.sealed.field import seal_texts
from tasks.storing.acts import record

MIN_SECRET = 16  # characters, of one that is set
_SEALED = ("sealed_url", "sealed_secret")


@transaction.atomic
def add_webhook(
    *, campaign: Campaign, url: str, events: Collection[str], secret: str = ""
) -> Webhook:
    """An active webhook; without a secret it gets one that nobody could guess."""
    made = Webhook.objects.create(campaign=campaign, events=_ordered(events))
    seal_texts(made, sealed_url=url, sealed_secret=secret or secrets.token_urlsafe(32))
    made.save(update_fields=_SEALED)
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
    """Give it another address, other events or another secret; None leaves what is there."""
    given = {"sealed_url": url, "sealed_secret": secret}
    sealed = {name: text for name, text in given.items() if text is not None}
    seal_texts(webhook, **sealed)
    if events is not None:
        webhook.events = _ordered(events)
    # what stays may be sealed anew at this moment
    webhook.save(update_fields=["events", *sealed])
    refresh_campaign(campaign=webhook.campaign)
    _record(AuditAction.WEBHOOK_CHANGED, webhook)


@transaction.atomic
def switch_on(*, webhook: Webhook) -> None:
    """What could not be delivered before is tried again from the beginning."""
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
        is_active=False, sealed_url="", sealed_secret="", events=[], deleted_at=Now()
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
