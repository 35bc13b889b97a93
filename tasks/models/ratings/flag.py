"""What raters point out to the admins of a campaign."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from tasks.models.item import Item
from tasks.models.people import Membership


class Flag(models.Model):
    """A rater's note to the admins on an item; open until one of them settles it."""

    item = models.ForeignKey(Item, models.PROTECT, related_name="flags")
    rater = models.ForeignKey(Membership, models.PROTECT, related_name="flags")
    reason = models.CharField(max_length=500)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    settled_at = models.DateTimeField(null=True)
    settled_by = models.ForeignKey(Membership, models.PROTECT, null=True, related_name="+")
    settlement = models.CharField(max_length=500, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["item", "rater"],
                name="one_open_flag_per_item_and_rater",
                condition=Q(settled_at=None),
            ),
            models.CheckConstraint(
                condition=Q(settled_at=None, settled_by=None)
                | Q(settled_at__isnull=False, settled_by__isnull=False),
                name="flag_settled_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return self.reason
