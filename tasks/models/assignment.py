"""Work on items: capacity as rows, time-limited claims, drafts, flags, and ratings that do not
count.

An item has as many slots as ratings are wanted. A slot is held by at most one assignment, and
filled by at most one counted rating; so an item cannot get more ratings than it has slots, whatever
races. No counter is kept anywhere.

Ratings themselves are append-only and stay as they are: what an admin sets aside because they
distrust its rater is a history, that of a rater on an item, with all revisions to come.

Foreign keys that begin a unique or partial index have none of their own: one more to choose from is
one more for a planner without statistics to choose wrongly.
"""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from tasks.models.campaign import Campaign, Guideline
from tasks.models.item import Item
from tasks.models.people import Membership
from tomahto.votes.remarks import TYPED


class Slot(models.Model):
    """Room for one counted rating of an item.

    The holder's assignment is the fencing token: who no longer holds the slot cannot fill it.
    `order_key` is the slot's place in the campaign's order. A slot without one is offered to
    nobody: it was made for its holder alone, as those of control items are. An open slot that is
    given to a rater is offered to them alone, before all others, until the time is over.
    """

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="slots", db_index=False)
    item = models.ForeignKey(Item, models.PROTECT, related_name="slots", db_index=False)
    number = models.PositiveIntegerField()
    order_key = models.BigIntegerField(null=True)
    holder = models.OneToOneField("Assignment", models.PROTECT, null=True, related_name="held_slot")
    expires_at = models.DateTimeField(null=True)
    is_filled = models.BooleanField(default=False)
    given_to = models.ForeignKey(
        Membership, models.PROTECT, null=True, related_name="given_slots", db_index=False
    )
    given_until = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "number"], name="slot_number_unique"),
            models.CheckConstraint(
                condition=Q(holder__isnull=True, expires_at__isnull=True)
                | Q(holder__isnull=False, expires_at__isnull=False),
                name="slot_held_until_a_time",
            ),
            models.CheckConstraint(
                condition=Q(given_to__isnull=True, given_until__isnull=True)
                | Q(given_to__isnull=False, given_until__isnull=False),
                name="slot_given_until_a_time",
            ),
        ]
        indexes = [
            models.Index(
                fields=["campaign", "order_key", "number"],
                name="open_slots_in_order",
                condition=Q(is_filled=False),
            ),
            models.Index(
                fields=["given_to", "order_key", "number"],
                name="given_slots_in_order",
                condition=Q(is_filled=False, given_to__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"slot {self.number} of item {self.item_id}"


class AssignmentState(models.TextChoices):
    ACTIVE = "active", _("Active")
    SUBMITTED = "submitted", _("Submitted")
    SKIPPED = "skipped", _("Skipped")


class Assignment(models.Model):
    """A rater's claim of an item: one row per rater and item, however often it is claimed."""

    item = models.ForeignKey(Item, models.PROTECT, related_name="assignments", db_index=False)
    rater = models.ForeignKey(
        Membership, models.PROTECT, related_name="assignments", db_index=False
    )
    slot = models.ForeignKey(Slot, models.PROTECT, related_name="assignments")
    state = models.CharField(max_length=20, choices=AssignmentState, default=AssignmentState.ACTIVE)
    skip_reason = models.CharField(max_length=500, blank=True)
    claimed_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "rater"], name="item_once_per_rater"),
            models.CheckConstraint(
                condition=Q(state__in=AssignmentState.values), name="assignment_state_known"
            ),
        ]
        indexes = [
            models.Index(fields=["rater", "claimed_at"], name="assignments_of_rater"),
            models.Index(
                fields=["rater"],
                name="active_assignments",
                condition=Q(state=AssignmentState.ACTIVE),
            ),
            models.Index(
                fields=["rater"],
                name="skipped_assignments",
                condition=Q(state=AssignmentState.SKIPPED),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.rater} on item {self.item_id}"


class TypedRemarks(models.Model):
    """The remarks of `tomahto.votes.remarks` that raters type, in drafts and in ratings."""

    comment = models.TextField(blank=True)

    class Meta:
        abstract = True

    @property
    def typed_remarks(self) -> list[str]:
        return [text for remark in TYPED if (text := getattr(self, remark.name))]


class Draft(TypedRemarks):
    """Unsubmitted answers, per assignment and guideline version. Never shown to anybody else.

    `seconds` is the active time so far, None where it is not known.
    """

    assignment = models.ForeignKey(Assignment, models.CASCADE, related_name="drafts")
    guideline = models.ForeignKey(Guideline, models.PROTECT)
    answers = models.JSONField(default=dict)
    seconds = models.FloatField(null=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["assignment", "guideline"], name="one_draft_per_guideline"
            )
        ]

    def __str__(self) -> str:
        return f"draft of {self.assignment}"


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
