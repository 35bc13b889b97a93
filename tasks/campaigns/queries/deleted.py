"""Deleted campaigns: who may restore which, and which have been kept long enough."""

from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from tasks.models import Campaign, Membership, Role, User
from tasks.models.campaign import KEPT_DAYS

KEPT = timedelta(days=KEPT_DAYS)


def restorable() -> QuerySet[Campaign]:
    """Deleted, and not for so long that a worker may be removing it."""
    return Campaign.objects.filter(deleted_at__gt=Now() - KEPT, removed_at=None)


def restorable_by(user: User) -> QuerySet[Campaign]:
    """Those that the user may restore, the last deleted first: all for an operator of the site,
    for others those whose admin they are."""
    admin = Membership.objects.filter(
        campaign=OuterRef("pk"), user=user, role=Role.ADMIN, is_active=True
    )
    mine = Q() if user.is_operator else Q(Exists(admin))
    return restorable().filter(mine).order_by("-deleted_at", "-pk")


def kept_until(campaign: Campaign) -> datetime | None:
    """From when on a deleted campaign is removed for good."""
    return campaign.deleted_at + KEPT if campaign.deleted_at else None


def due_for_removal() -> QuerySet[Campaign]:
    """By the database's clock, the one deleted first before the others."""
    return Campaign.objects.filter(deleted_at__lte=Now() - KEPT, removed_at=None).order_by(
        "deleted_at", "pk"
    )
