"""Ratings, append-only, the outcomes a rating may have, and adjudications: experts' final labels,
kept apart from the votes, and their looks before them.

The outcome table lists every permitted set of answers of every protocol. A rating points at one of
them, so a dead branch of a form has nothing to point at and cannot be stored.
"""

from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from tasks.models.assignment import Assignment, RatingSetAside, Slot, TypedRemarks
from tasks.models.campaign import Guideline, SuggestionPolicy
from tasks.models.item import Item
from tasks.models.people import Membership
from tasks.protocols import protocols
from tasks.protocols.wording import known_names
from tomahto.votes.remarks import Remark


class Outcome(models.Model):
    """One permitted set of answers of a protocol; the database's copy of `Protocol.outcomes`.

    What an earlier version of a protocol permitted stays here for the ratings that have it. It is
    read like any other outcome; no form, call or import takes it any more.
    """

    id = models.CharField(max_length=200, primary_key=True)
    protocol = models.CharField(max_length=40)
    answers = models.JSONField()
    label = models.CharField(max_length=60)
    reading = models.CharField(max_length=60)

    def __str__(self) -> str:
        return self.id


def store_outcomes(**_signal: Any) -> None:
    """Add what the protocols list and the outcome table lacks; called after every migration.

    What only an earlier version listed stays, for the ratings that have it.
    """
    known = set(Outcome.objects.values_list("pk", flat=True))
    Outcome.objects.bulk_create(
        (
            Outcome(
                id=outcome.id,
                protocol=outcome.protocol,
                answers=dict(outcome.answers),
                label=outcome.label,
                reading=outcome.reading,
            )
            for protocol in protocols().values()
            for outcome in protocol.outcomes
            if outcome.id not in known
        ),
        ignore_conflicts=True,
    )


class SuggestionArm(models.TextChoices):
    """The suggestion as the rater saw it while rating.

    A revision by who has seen the suggestion is one made with it in view, whenever that was.
    `SuggestionView` says which suggestion it was, if any, and for how long.
    """

    UNKNOWN = "", _("Unknown")
    HIDDEN = "hidden", _("Not shown")
    BEFORE = "before", _("Shown with the item")
    AFTER = "after", _("Shown after the answer")


def validate_wording(name: str) -> None:
    if name not in known_names():
        raise ValidationError(f"the form has no wording named {name!r}")


def validators_of(remark: Remark) -> list[RegexValidator]:
    """The checks of its fields in forms and calls besides the length."""
    return [RegexValidator(rf"\A(?:{remark.pattern})\Z")] if remark.pattern else []


class Rating(TypedRemarks):
    """One rater's complete answer on one item.

    A revision is a further row that supersedes exactly one other. Without a slot a rating is
    surplus: kept, visible, exported, not counted. Nor is one that is set aside (`RatingSetAside`).
    The database refuses UPDATE and DELETE.

    `suggestion_policy` and `suggestion_matcher` are the campaign's settings when the rating was
    given: they say whether its arm was drawn by lot, and whose suggestion the lot was about. Both
    are "" where that is not known. `wording` names the words of the form in which the rater was
    asked (`tasks.protocols.wording`), "" for the published ones.
    """

    item = models.ForeignKey(Item, models.PROTECT, related_name="ratings")
    rater = models.ForeignKey(Membership, models.PROTECT, related_name="ratings", db_index=False)
    outcome = models.ForeignKey(Outcome, models.PROTECT, related_name="ratings", db_index=False)
    slot = models.ForeignKey(Slot, models.PROTECT, null=True, related_name="ratings")
    assignment = models.ForeignKey(Assignment, models.PROTECT, null=True, related_name="ratings")
    supersedes = models.OneToOneField(
        "self", models.PROTECT, null=True, related_name="superseded_by"
    )
    guideline = models.ForeignKey(Guideline, models.PROTECT, null=True, related_name="ratings")
    suggestion_arm = models.CharField(
        max_length=20, choices=SuggestionArm, default=SuggestionArm.UNKNOWN, blank=True
    )
    suggestion_policy = models.CharField(
        max_length=20, choices=SuggestionPolicy, db_default="", default="", blank=True
    )
    suggestion_matcher = models.CharField(max_length=80, db_default="", default="", blank=True)
    wording = models.CharField(
        max_length=50, db_default="", default="", blank=True, validators=[validate_wording]
    )
    seconds = models.FloatField(null=True)
    rated_at = models.DateTimeField(null=True)
    idempotency_key = models.CharField(max_length=100)
    payload_hash = models.CharField(max_length=64)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["rater", "idempotency_key"], name="idempotency_key_once"
            ),
            models.UniqueConstraint(
                fields=["item", "rater"],
                name="one_history_per_item_and_rater",
                condition=Q(supersedes=None),
            ),
            models.UniqueConstraint(
                fields=["slot"],
                name="one_counted_rating_per_slot",
                condition=Q(supersedes=None, slot__isnull=False),
            ),
            models.CheckConstraint(
                condition=Q(seconds=None) | Q(seconds__gte=0), name="seconds_not_negative"
            ),
            models.CheckConstraint(
                condition=Q(suggestion_arm__in=SuggestionArm.values), name="suggestion_arm_known"
            ),
            models.CheckConstraint(
                condition=Q(suggestion_policy__in=["", *SuggestionPolicy.values]),
                name="suggestion_policy_of_rating_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.rater}: {self.outcome_id}"

    @property
    def has_place(self) -> bool:
        """Whether it was given in a place of its item: all that its rater is told."""
        return self.slot_id is not None

    @cached_property
    def is_set_aside(self) -> bool:
        """As `tasks.votes.ratings.is_set_aside`, by which those who read many annotate them."""
        return RatingSetAside.objects.filter(
            item=self.item_id, rater=self.rater_id, holds=True
        ).exists()

    @property
    def is_counted(self) -> bool:
        return self.has_place and not self.is_set_aside


class FirstLook(models.Model):
    """An adjudicator's answer before seeing anybody's votes; given once, never changed."""

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
    item = models.ForeignKey(Item, models.PROTECT, related_name="left_by", db_index=False)
    adjudicator = models.ForeignKey(Membership, models.PROTECT, related_name="left_items")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "adjudicator"], name="item_left_once")
        ]

    def __str__(self) -> str:
        return f"{self.adjudicator} leaves item {self.item_id}"
