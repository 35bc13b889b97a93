"""Work for the workers. The row is the truth; a message to a worker only wakes it."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from tasks.models.campaign import Campaign
from tasks.models.people import User


class JobKind(models.TextChoices):
    SUGGEST = "suggest", _("Suggestions of a matcher")
    ANSWER = "answer", _("Candidates of an answerer")
    GENERATE = "generate", _("Generated texts")
    RELEASE = "release", _("Release")


class JobState(models.TextChoices):
    QUEUED = "queued", _("Queued")
    RUNNING = "running", _("Running")
    DONE = "done", _("Done")
    FAILED = "failed", _("Failed")


UNFINISHED = [JobState.QUEUED, JobState.RUNNING]


class Job(models.Model):
    """One piece of work for a campaign.

    `input_hash` makes the same unfinished job unique. `fence` grows with every start, so that a
    worker whose lease was given away can no longer report. `sent_at` is when a worker was last
    woken; null in the outbox.
    """

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="jobs")
    kind = models.CharField(max_length=20, choices=JobKind)
    parameters = models.JSONField(default=dict)
    input_hash = models.CharField(max_length=64)
    state = models.CharField(max_length=20, choices=JobState, default=JobState.QUEUED)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    fence = models.PositiveIntegerField(default=0)
    lease_until = models.DateTimeField(null=True)
    sent_at = models.DateTimeField(null=True)
    error = models.TextField(blank=True)
    result = models.JSONField(null=True)
    created_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "input_hash"],
                name="same_job_once_at_a_time",
                condition=Q(state__in=UNFINISHED),
            ),
            models.CheckConstraint(condition=Q(state__in=JobState.values), name="job_state_known"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} ({self.get_state_display()})"

    @property
    def is_finished(self) -> bool:
        return self.state not in UNFINISHED

    @property
    def title(self) -> str:
        return f"{self.get_kind_display()}: {self.parameters.get('name', '')}".rstrip(": ")
