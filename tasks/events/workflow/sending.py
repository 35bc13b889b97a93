"""Sending: signed messages, attempts at every delivery, events to their webhooks.

The header `Tomahto-Signature: t=SECONDS,v1=HEX` holds the time of sending and the HMAC-SHA256 of
`SECONDS.BODY` under the secret of the campaign. A receiver that compares both knows who wrote the
message and that it is not an old one sent again.

A delivery is a row that stays until it is sent; messages to workers may get lost. Who takes one up
first puts off its next attempt, so a worker that dies has only delayed it.

Each webhook is served by one worker at a time, the oldest event first. One that fails rests, longer
each time, so that what waits for it holds up nobody else; when it has failed for a day it is
switched off. A worker that dies leaves the webhook to the others after a lease, and the event it
was sending is sent again under the same id.
"""

import hashlib
import hmac
import json
import logging
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce, Now

from tasks.events.workflow.events import refresh_campaign, switch_off
from tasks.models import Campaign, Delivery, Event, EventKind, Webhook
from tasks.storing.messages import send
from tasks.storing.refusals import as_reason
from tasks.web.outgoing import refusal_of
from tomahto.outgoing.configuration import outgoing_client
from tomahto.outgoing.messages import Limits, Request

SIGNATURE = "Tomahto-Signature"
TOTAL_SECONDS = 20
_LIMITS = Limits(
    connect_seconds=5, read_seconds=10, total_seconds=TOTAL_SECONDS, answer_bytes=65_536
)


class WebhookRefused(Exception):
    """The receiver answered, but not with a status from 200 to 299."""


def send_to_webhook(*, url: str, secret: str, message: Mapping[str, Any]) -> None:
    """Post the message as JSON. Raises OutgoingError, WebhookRefused."""
    body = json.dumps(message, ensure_ascii=False).encode()
    seconds = int(time.time())
    headers = {
        "Content-Type": "application/json",
        SIGNATURE: f"t={seconds},v1={signature(secret, seconds, body)}",
    }
    answer = outgoing_client().send(Request("POST", url, headers, body), _LIMITS)
    if not 200 <= answer.status < 300:
        raise WebhookRefused(f"the webhook answered with status {answer.status}")


def signature(secret: str, seconds: int, body: bytes) -> str:
    return hmac.new(secret.encode(), f"{seconds}.".encode() + body, hashlib.sha256).hexdigest()


MAX_ATTEMPTS = 6
FIRST_DELAY = timedelta(minutes=1)
DELAY_GROWS_BY = 4  # 1, 4, 16 and 64 minutes, then 4 hours: the last attempt after half a day
MAX_ERROR = 500  # characters

logger = logging.getLogger(__name__)


def is_due() -> Q:
    """Of a delivery: it is neither sent nor given up, and its next attempt may be made."""
    return Q(sent_at=None, not_before__lte=Now(), attempts__lt=MAX_ATTEMPTS)


def send_due(send: Callable[[Delivery], None], **which: object) -> None:
    """Send each delivery that is due; one that fails is tried again later, unless its mail server
    refused it for good."""
    for delivery in take_due_deliveries(**which):
        try:
            send(delivery)
        except Exception as error:  # whatever a mail server or a receiver thinks of
            logger.warning("delivery %s could not be sent", delivery.pk)
            reason, is_final = refusal_of(error)
            note_failure(delivery=delivery, error=reason, is_final=is_final)
        else:
            note_sent(delivery=delivery)


def take_due_deliveries(**which: object) -> Iterator[Delivery]:
    """Deliveries but those of events that are due, each taken before it is handed out. Those of
    deleted campaigns wait."""
    due = Delivery.objects.filter(
        is_due(),
        alert__campaign__deleted_at=None,
        invitation__campaign__deleted_at=None,
        **which,
    ).select_related("alert__campaign", "user", "invitation__campaign")
    for delivery in due.order_by("not_before", "id"):
        if take(delivery=delivery):
            yield delivery


def take(*, delivery: Delivery) -> bool:
    """Take a delivery that was due; false if somebody else has."""
    same: QuerySet[Delivery] = Delivery.objects.filter(
        is_due(), pk=delivery.pk, attempts=delivery.attempts
    )
    delay = delay_after(delivery.attempts + 1)
    return bool(same.update(attempts=F("attempts") + 1, not_before=Now() + delay))


def delay_after(failures: int) -> timedelta:
    """The wait after the n-th failure; never longer than after the last but one."""
    steps = min(failures, MAX_ATTEMPTS - 1) - 1
    factor: int = DELAY_GROWS_BY**steps
    return FIRST_DELAY * factor


def note_sent(*, delivery: Delivery) -> None:
    Delivery.objects.filter(pk=delivery.pk).update(sent_at=Now(), error="")


def note_failure(*, delivery: Delivery, error: str, is_final: bool = False) -> None:
    """Keep why it failed; it is tried again until there were MAX_ATTEMPTS, or not if `is_final`."""
    changes: dict[str, object] = {"error": as_reason(error, MAX_ERROR)}
    if is_final:
        changes["attempts"] = MAX_ATTEMPTS
    Delivery.objects.filter(pk=delivery.pk, sent_at=None).update(**changes)


DELIVER = "tasks.deliver"
SERVED_FOR = 30  # seconds of one round, so that other work has its turn
LEASE = timedelta(seconds=SERVED_FOR + TOTAL_SECONDS + 30)
OFF_AFTER = timedelta(days=1)  # without a single success
KEPT_FOR = timedelta(days=30)
AT_ONCE = 500  # rows


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
