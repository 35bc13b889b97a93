"""Telling what is to be told: at least once each, whatever fails in between.

A delivery is a row that stays until it is sent; messages to workers may get lost. Who takes one up
first puts off its next attempt, so a worker that dies has only delayed it.
"""

import logging
from collections.abc import Callable, Iterator
from datetime import timedelta

from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now

from tasks.models import Delivery
from tasks.storing.reasons import as_reason
from tasks.web.mail import refusal_of

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
    """How long to wait after the n-th failure; never longer than after the last but one."""
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
