"""Before and beside live work: consent, calibration, and items whose answer is known."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from tasks.models.campaign import ConsentText, Guideline
from tasks.models.item import Item
from tasks.models.people import Membership
from tasks.models.rating import Outcome


class Consent(models.Model):
    membership = models.ForeignKey(Membership, models.PROTECT, related_name="consents")
    text = models.ForeignKey(ConsentText, models.PROTECT, related_name="consents")
    given_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["membership", "text"], name="consent_given_once")
        ]

    def __str__(self) -> str:
        return f"{self.membership} to {self.text}"


class ExpectedAnswer(models.Model):
    """The answer a calibration or control item is known to have, and why."""

    item = models.OneToOneField(Item, models.PROTECT, related_name="expected")
    outcome = models.ForeignKey(Outcome, models.PROTECT, related_name="+")
    explanation = models.TextField(blank=True)

    def __str__(self) -> str:
        return f"{self.item_id}: {self.outcome_id}"


class CalibrationAttempt(models.Model):
    """One run of a member through the calibration items; undecided until it is finished."""

    membership = models.ForeignKey(Membership, models.PROTECT, related_name="calibration_attempts")
    number = models.PositiveSmallIntegerField()
    guideline = models.ForeignKey(Guideline, models.PROTECT, related_name="+")
    started_at = models.DateTimeField(db_default=Now(), editable=False)
    finished_at = models.DateTimeField(null=True)
    is_passed = models.BooleanField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["membership", "number"], name="calibration_attempt_unique"
            ),
            models.CheckConstraint(
                condition=Q(finished_at=None, is_passed=None)
                | Q(finished_at__isnull=False, is_passed__isnull=False),
                name="calibration_decided_when_finished",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.membership}, attempt {self.number}"


class CalibrationAnswer(models.Model):
    """A member's answer to one calibration item; final within the attempt."""

    attempt = models.ForeignKey(CalibrationAttempt, models.PROTECT, related_name="answers")
    item = models.ForeignKey(Item, models.PROTECT, related_name="+")
    outcome = models.ForeignKey(Outcome, models.PROTECT, related_name="+")
    given_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["attempt", "item"], name="calibration_answer_once")
        ]

    def __str__(self) -> str:
        return f"{self.attempt}: {self.outcome_id}"
