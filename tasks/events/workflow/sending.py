"""Sending events to webhooks: each webhook by one worker at a time, the oldest event first.

A webhook that fails rests, longer each time, so that what waits for it holds up nobody else; when
it has failed for a day it is switched off. A worker that dies leaves the webhook to the others
after a lease, and the event it was sending is sent again under the same id.
"""

import logging
import time
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce, Now

from tasks.events.workflow.attempts import (
    MAX_ERROR,
    delay_after,
    is_due,
    note_failure,
    note_sent,
    take,
)
from tasks.events.workflow.signed_message import TOTAL_SECONDS, send_to_webhook
from tasks.events.workflow.webhooks import refresh_campaign, switch_off
from tasks.models import Campaign, Delivery, Event, EventKind, Webhook
from tasks.storing.messages import send
from tasks.storing.reasons import as_reason

DELIVER = "tasks.deliver"
SERVED_FOR = 30  # seconds of one round, so that other work has its turn
LEASE = timedelta(seconds=SERVED_FOR + TOTAL_SECONDS + 30)
OFF_AFTER = timedelta(days=1)  # without a single success
KEPT_FOR = timedelta(days=30)
AT_ONCE = 500  # rows

logger = logging.getLogger(__name__)


def deliver_soon() -> None:
    """Wake a worker for what has just been noted; without one the next round finds it."""
    send(DELIVER, expires=10)


def deliver_due() -> None:
    """Send what is due to every webhook that does not rest and that nobody else is sending to."""
    for webhook in _take_webhooks():
        _serve(webhook)


def as_body(event: Event) -> dict[str, Any]:
    """The event as receivers get it, the same each time it is sent."""
    return {
        "id": str(event.uid),
        "event": event.kind,
        "campaign": event.campaign.slug,
        "created_at": event.created_at.isoformat(),
        "data": event.data,
    }


def forget_delivered() -> None:
    """Delete what was delivered long ago, and events that nothing is left of."""
    old = Delivery.objects.filter(webhook__isnull=False, sent_at__lt=Now() - KEPT_FOR)
    old.delete()
    Event.objects.filter(created_at__lt=Now() - KEPT_FOR, deliveries=None).delete()


def refresh_campaigns() -> None:
    """Have every campaign say again what its webhooks ask for, whatever was saved over it."""
    for campaign in Campaign.objects.filter(webhooks__isnull=False).distinct():
        with transaction.atomic():
            refresh_campaign(campaign=campaign)


def _due() -> QuerySet[Delivery]:
    """Due deliveries to active webhooks, and trials to any that is there."""
    is_wanted = Q(webhook__is_active=True) | Q(event__kind=EventKind.WEBHOOK_TRIED)
    return Delivery.objects.filter(
        is_due(), is_wanted, webhook__deleted_at=None, webhook__campaign__deleted_at=None
    )


def _take_webhooks() -> Iterator[Webhook]:
    """Webhooks that something is due for, each taken for a lease before it is handed out."""
    free = Webhook.objects.filter(rests_until__lte=Now())
    waiting = free.filter(Exists(_due().filter(webhook=OuterRef("pk"))))
    for webhook in waiting.select_related("campaign").order_by("rests_until", "id"):
        if free.filter(pk=webhook.pk).update(rests_until=Now() + LEASE):
            yield webhook


def _serve(webhook: Webhook) -> None:
    end = time.monotonic() + SERVED_FOR
    due = _due().filter(webhook=webhook).select_related("event__campaign").order_by("id")
    for delivery in due[:AT_ONCE]:
        if not take(delivery=delivery):
            continue
        if error := _send(webhook, delivery):
            note_failure(delivery=delivery, error=error)
            _rest(webhook, error)
            return
        note_sent(delivery=delivery)
        if time.monotonic() > end:
            break
    Webhook.objects.filter(pk=webhook.pk).update(rests_until=Now(), failures=0, failing_since=None)


def _send(webhook: Webhook, delivery: Delivery) -> str:
    """Empty if it was taken, else why it was not."""
    assert delivery.event is not None  # noqa: S101 - the database sees to it
    try:
        send_to_webhook(url=webhook.url, secret=webhook.secret, message=as_body(delivery.event))
    except Exception as error:  # whatever a receiver thinks of
        logger.warning("event %s not delivered to webhook %s", delivery.event.uid, webhook.pk)
        return str(error) or type(error).__name__
    return ""


def _rest(webhook: Webhook, error: str) -> None:
    """Leave it alone for a while; switch it off if it has failed for too long."""
    same = Webhook.objects.filter(pk=webhook.pk)
    same.update(
        failures=F("failures") + 1,
        failing_since=Coalesce("failing_since", Now()),
        rests_until=Now() + delay_after(webhook.failures + 1),
    )
    if same.filter(failing_since__lte=Now() - OFF_AFTER, is_active=True).exists():
        switch_off(webhook=webhook, because=as_reason(error, MAX_ERROR))
