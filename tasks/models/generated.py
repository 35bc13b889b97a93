"""Texts that a model wrote for a benchmark. None is rated before a person has approved it."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from tasks.models.campaign import Campaign
from tasks.models.item import Question
from tasks.models.people import Membership


class GeneratedKind(models.TextChoices):
    CANDIDATES = "candidates", _("Candidates by class")
    STATEMENTS = "statements", _("Statements")
    RULES = "rules", _("Pairs by rule")


class GeneratedState(models.TextChoices):
    PENDING = "pending", _("Pending")
    APPROVED = "approved", _("Approved")
    REJECTED = "rejected", _("Rejected")
    FAILED = "failed", _("Failed")


class GeneratedText(models.Model):
    """A draft with all that is known of how it came about, or a reply that made none.

    `target` is what it was asked to be: a class of CAP, `SUBJECT/TYPE`, or `RULE/LABEL`. `source`
    is the campaign's question it was made for; drafts that bring their own question have none.
    `system` names who wrote it. A failed one has an `error` and no texts. `fingerprint` is the
    hash of the texts (or of the failure and its draw), so that a repeated job stores nothing twice.
    """

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="generated_texts")
    kind = models.CharField(max_length=20, choices=GeneratedKind)
    target = models.CharField(max_length=100)
    source = models.ForeignKey(Question, models.PROTECT, null=True, related_name="+")
    question = models.TextField(blank=True)
    question_type = models.CharField(max_length=60, blank=True)
    reference = models.TextField(blank=True)
    candidate = models.TextField(blank=True)
    system = models.CharField(max_length=255)
    provenance = models.JSONField(default=dict)
    error = models.TextField(blank=True)
    fingerprint = models.CharField(max_length=64)
    state = models.CharField(max_length=20, choices=GeneratedState, default=GeneratedState.PENDING)
    reviewed_by = models.ForeignKey(Membership, models.PROTECT, null=True, related_name="+")
    reviewed_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["campaign", "state", "id"], name="generated_by_state")]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "kind", "fingerprint"], name="generated_text_once"
            ),
            models.CheckConstraint(
                condition=Q(kind__in=GeneratedKind.values), name="generated_kind_known"
            ),
            models.CheckConstraint(
                condition=(
                    Q(state__in=[GeneratedState.PENDING, GeneratedState.FAILED])
                    & Q(reviewed_by=None, reviewed_at=None)
                )
                | (
                    Q(state__in=[GeneratedState.APPROVED, GeneratedState.REJECTED])
                    & Q(reviewed_by__isnull=False, reviewed_at__isnull=False)
                ),
                name="generated_state_says_who_reviewed",
            ),
            models.CheckConstraint(
                condition=(Q(state=GeneratedState.FAILED, candidate="") & ~Q(error=""))
                | (~Q(state=GeneratedState.FAILED) & Q(error="") & ~Q(candidate="")),
                name="generated_text_or_error",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.target}: {self.candidate or self.error}"

    @property
    def asked(self) -> str:
        """The question, which is the source's where there is one."""
        return self.source.text if self.source else self.question
