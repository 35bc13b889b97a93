"""Deleted campaigns: who may restore which, and which have been kept long enough."""

from datetime import timedelta

from django.db.models import DateTimeField, Exists, ExpressionWrapper, F, OuterRef, QuerySet
from django.db.models.functions import Now

from tasks.models import Campaign, Membership, Role, User
from tasks.models.campaign import KEPT_DAYS

_KEPT = timedelta(days=KEPT_DAYS)


def restorable() -> QuerySet[Campaign]:
    """The last deleted first, each with `kept_until`, from when on it may be removed."""
    until = ExpressionWrapper(F("deleted_at") + _KEPT, output_field=DateTimeField())
    kept = Campaign.objects.filter(deleted_at__gt=Now() - _KEPT).annotate(kept_until=until)
    return kept.order_by("-deleted_at", "-pk")


def restorable_by(user: User) -> QuerySet[Campaign]:
    """Those that the user may restore: all for an operator of the site, for others those that they
    administer."""
    admins = Membership.objects.filter(
        campaign=OuterRef("pk"), user=user, role=Role.ADMIN, is_active=True
    )
    return restorable() if user.is_operator else restorable().filter(Exists(admins))


def due_for_removal() -> QuerySet[Campaign]:
    """By the database's clock, the first deleted first."""
    due = Campaign.objects.filter(deleted_at__lte=Now() - _KEPT, removed_at=None)
    return due.order_by("deleted_at", "pk")
