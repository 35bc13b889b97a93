"""Adjudication: experts' final labels, kept apart from the votes, and their looks before them."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from tasks.models.campaign import Guideline
from tasks.models.item import Item
from tasks.models.people import Membership
from tasks.models.ratings.rating import Outcome


class FirstLook(models.Model):
    """What an adjudicator answered before seeing anybody's votes; given once, never changed."""

    item = models.ForeignKey(Item, models.PROTECT, related_name="first_looks", db_index=False)
    adjudicator = models.ForeignKey(Membership, models.PROTECT, related_name="first_looks")
    outcome = models.ForeignKey(Outcome, models.PROTECT, related_name="+", db_index=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "adjudicator"], name="one_first_look")
        ]

    def __str__(self) -> str:
        return f"{self.adjudicator}: {self.outcome_id}"


class Adjudication(models.Model):
    """One adjudicator's decision on one item, with its reason.

    A revision is a further row that supersedes exactly one other, so no history forks.
    `first_outcome` is that of the blind first look, where there was one.
    """

    item = models.ForeignKey(Item, models.PROTECT, related_name="adjudications", db_index=False)
    adjudicator = models.ForeignKey(
        Membership, models.PROTECT, related_name="adjudications", db_index=False
    )
    outcome = models.ForeignKey(Outcome, models.PROTECT, related_name="+", db_index=False)
    first_outcome = models.ForeignKey(
        Outcome, models.PROTECT, null=True, related_name="+", db_index=False
    )
    reason = models.TextField()
    guideline = models.ForeignKey(Guideline, models.PROTECT, null=True, related_name="+")
    supersedes = models.OneToOneField(
        "self", models.PROTECT, null=True, related_name="superseded_by"
    )
    idempotency_key = models.CharField(max_length=100)
    payload_hash = models.CharField(max_length=64)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["adjudicator", "idempotency_key"], name="adjudication_key_once"
            ),
            models.UniqueConstraint(
                fields=["item", "adjudicator"],
                name="one_history_per_item_and_adjudicator",
                condition=Q(supersedes=None),
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="adjudication_has_a_reason"),
        ]
        indexes = [models.Index(fields=["item"], name="adjudications_of_item")]

    def __str__(self) -> str:
        return f"{self.adjudicator}: {self.outcome_id}"


class SeenVotes(models.Model):
    """That a researcher or admin has asked for an item's votes before judging it.

    They rate it no more, and a first look of theirs would not be blind.
    """

    item = models.ForeignKey(Item, models.PROTECT, related_name="+", db_index=False)
    member = models.ForeignKey(Membership, models.PROTECT, related_name="+")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["item", "member"], name="votes_seen_once")]

    def __str__(self) -> str:
        return f"{self.member} has seen the votes on item {self.item_id}"


class LeftItem(models.Model):
    """That an adjudicator leaves an item for somebody else."""

    item = models.ForeignKey(Item, models.PROTECT, related_name="left_by", db_index=False)
    adjudicator = models.ForeignKey(Membership, models.PROTECT, related_name="left_items")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "adjudicator"], name="item_left_once")
        ]

    def __str__(self) -> str:
        return f"{self.adjudicator} leaves item {self.item_id}"


class AdjudicationRequest(models.Model):
    """That an admin has sent an item to the adjudicators, whatever its votes are."""

    item = models.OneToOneField(Item, models.PROTECT, related_name="adjudication_request")
    by = models.ForeignKey(Membership, models.PROTECT, related_name="+", db_index=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    def __str__(self) -> str:
        return f"item {self.item_id}"
