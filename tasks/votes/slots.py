"""Slots by the database's clock: those that are open to claims, and those given to raters."""

from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from tasks.models import Slot


def open_slots() -> QuerySet[Slot]:
    """Slots without a rating and without a lease that lasts, of items that are handed out."""
    return Slot.objects.filter(
        Q(holder=None) | Q(expires_at__lt=Now()), is_filled=False, order_key__isnull=False
    )


def given_slots() -> QuerySet[Slot]:
    """Slots without a rating that an admin has given to a rater, while that lasts."""
    return Slot.objects.filter(given_until__gt=Now(), is_filled=False)


def is_given_to_nobody() -> Q:
    """Of slots without a rating: those that anybody may claim."""
    return Q(given_until=None) | Q(given_until__lte=Now())
