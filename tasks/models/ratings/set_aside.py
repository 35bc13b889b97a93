"""Ratings that do not count any more, because an admin distrusts their rater.

Ratings themselves are append-only and stay as they are: what is set aside is a history, that of a
rater on an item, with all revisions to come.
"""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from tasks.models.campaign import Campaign
from tasks.models.item import Item
from tasks.models.people import Membership
from tasks.models.ratings.assignment import Slot

MAX_SET_ASIDE_REASON = 500


class SetAside(models.Model):
    """An admin's act, with its reason. It holds until it is undone, and is never deleted."""

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="set_asides")
    rater = models.ForeignKey(Membership, models.PROTECT, related_name="set_asides")
    reason = models.CharField(max_length=MAX_SET_ASIDE_REASON)
    by = models.ForeignKey(Membership, models.PROTECT, related_name="+", db_index=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    undone_at = models.DateTimeField(null=True)
    undone_by = models.ForeignKey(
        Membership, models.PROTECT, null=True, related_name="+", db_index=False
    )

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(reason=""), name="set_aside_has_a_reason"),
            models.CheckConstraint(
                condition=Q(undone_at=None, undone_by=None)
                | Q(undone_at__isnull=False, undone_by__isnull=False),
                name="set_aside_undone_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.rater}: {self.reason}"


class RatingSetAside(models.Model):
    """A history that an act sets aside. `slot` is the place it counted in, if it did."""

    act = models.ForeignKey(SetAside, models.PROTECT, related_name="histories")
    item = models.ForeignKey(Item, models.PROTECT, related_name="+", db_index=False)
    rater = models.ForeignKey(Membership, models.PROTECT, related_name="+", db_index=False)
    slot = models.ForeignKey(Slot, models.PROTECT, null=True, related_name="+")
    holds = models.BooleanField(default=True)

    class Meta:
        constraints = [
            # what is not a vote is looked up by it for every rating
            models.UniqueConstraint(
                fields=["item", "rater"], name="history_set_aside_once", condition=Q(holds=True)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.rater} on item {self.item_id}"
