"""Telling alerts through the channels: at least once each, whatever fails in between.

A delivery is a row that stays until it is sent; messages to workers may get lost. Who takes one up
first puts off its next attempt, so a worker that dies has only delayed it.
"""

from collections.abc import Iterator
from datetime import timedelta

from django.db.models import F
from django.db.models.functions import Now

from tasks.models import AlertDelivery
from tasks.workflow.reasons import as_reason

MAX_ATTEMPTS = 6
FIRST_DELAY = timedelta(minutes=1)
DELAY_GROWS_BY = 4  # 1, 4, 16 and 64 minutes, then 4 hours: the last attempt after half a day
MAX_ERROR = 500  # characters


def take_due_deliveries() -> Iterator[AlertDelivery]:
    """Deliveries that are due, each taken before it is handed out."""
    due = AlertDelivery.objects.filter(
        sent_at=None, not_before__lte=Now(), attempts__lt=MAX_ATTEMPTS
    )
    for delivery in due.select_related("alert__campaign").order_by("not_before", "id"):
        delay = FIRST_DELAY * DELAY_GROWS_BY**delivery.attempts
        same = due.filter(pk=delivery.pk, attempts=delivery.attempts)
        if same.update(attempts=F("attempts") + 1, not_before=Now() + delay):
            yield delivery


def note_sent(*, delivery: AlertDelivery) -> None:
    AlertDelivery.objects.filter(pk=delivery.pk).update(sent_at=Now(), error="")


def note_failure(*, delivery: AlertDelivery, error: str) -> None:
    """Keep why it failed; it is tried again until there were MAX_ATTEMPTS."""
    reason = as_reason(error, MAX_ERROR)
    AlertDelivery.objects.filter(pk=delivery.pk, sent_at=None).update(error=reason)
