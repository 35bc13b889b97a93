"""Work for the workers: the row is the truth, and a message to a worker only wakes it. Workers and
the scheduler, and the matchers that jobs trained on a campaign's own labels."""

from datetime import timedelta

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from tasks.models.campaign import Campaign
from tasks.models.item import Item, Question
from tasks.models.people import Membership, User

MAX_REASON = 500  # characters of why one item could not be dealt with


class JobKind(models.TextChoices):
    SUGGEST = "suggest", _("Suggestions of a matcher")
    ANSWER = "answer", _("Candidates of an answerer")
    GENERATE = "generate", _("Generated texts")
    TRAIN = "train", _("Training of a matcher")
    RELEASE = "release", _("Release")
    PREVIEW = "preview", _("Preview of a release")
    EVALUATE = "evaluate", _("Evaluation")
    SUBMISSION = "submission", _("Scoring of a submission")
    COPY = "copy", _("Data from another campaign")


class JobState(models.TextChoices):
    QUEUED = "queued", _("Queued")
    RUNNING = "running", _("Running")
    DONE = "done", _("Done")
    FAILED = "failed", _("Failed")
    CANCELLED = "cancelled", _("Cancelled")


UNFINISHED = [JobState.QUEUED, JobState.RUNNING]

_OF_VOTES = frozenset({"digest", "documents", "figures", "labels"})


class Job(models.Model):
    """One piece of work for a campaign.

    `input_hash` makes the same unfinished job unique. `fence` grows with every start, so that a
    worker whose lease was given away can no longer report. `sent_at` is when a worker was last
    woken; null in the outbox. `attempts` counts the starts. `failures` and `deaths` count the
    attempts that ended in an error or with their worker since the job last got further, and
    nothing may start it before `not_before`. An admin who will leave a failed job as it is has
    `acknowledged` it.
    """

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="jobs")
    kind = models.CharField(max_length=20, choices=JobKind)
    parameters = models.JSONField(default=dict)
    input_hash = models.CharField(max_length=64)
    state = models.CharField(max_length=20, choices=JobState, default=JobState.QUEUED)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    failures = models.PositiveSmallIntegerField(default=0)
    deaths = models.PositiveSmallIntegerField(default=0)
    fence = models.PositiveIntegerField(default=0)
    not_before = models.DateTimeField(db_default=Now(), editable=False)
    lease_until = models.DateTimeField(null=True)
    sent_at = models.DateTimeField(null=True)
    error = models.TextField(blank=True)
    result = models.JSONField(null=True)
    created_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    finished_at = models.DateTimeField(null=True)
    acknowledged_at = models.DateTimeField(null=True)
    acknowledged_by = models.ForeignKey(Membership, models.PROTECT, null=True, related_name="+")

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "input_hash"],
                name="same_job_once_at_a_time",
                condition=Q(state__in=UNFINISHED),
            ),
            models.CheckConstraint(condition=Q(state__in=JobState.values), name="job_state_known"),
            models.CheckConstraint(
                condition=Q(acknowledged_at=None, acknowledged_by=None)
                | Q(acknowledged_at__isnull=False, acknowledged_by__isnull=False),
                name="job_acknowledged_by_somebody",
            ),
        ]
        indexes = [
            models.Index(
                fields=["state"], name="unfinished_jobs", condition=Q(state__in=UNFINISHED)
            )
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} ({self.get_state_display()})"

    @property
    def is_finished(self) -> bool:
        return self.state not in UNFINISHED

    @property
    def told_result(self) -> dict[str, object] | None:
        """The result without what comes of votes, which other pages show to those who may know."""
        if self.result is None:
            return None
        return {name: value for name, value in self.result.items() if name not in _OF_VOTES}

    @property
    def title(self) -> str:
        return f"{self.get_kind_display()}: {self.parameters.get('name', '')}".rstrip(": ")


class JobFailure(models.Model):
    """An item or a question that a job could not deal with; the rest of the job went on.

    `is_due`: it is to be tried once more. `attempts` counts how often it has been tried. An admin
    who will leave it as it is has `acknowledged` it.
    """

    job = models.ForeignKey(Job, models.PROTECT, related_name="failed")
    item = models.ForeignKey(Item, models.PROTECT, null=True, related_name="+")
    question = models.ForeignKey(Question, models.PROTECT, null=True, related_name="+")
    reason = models.CharField(max_length=MAX_REASON)
    attempts = models.PositiveSmallIntegerField(default=1)
    is_due = models.BooleanField(default=False)
    failed_at = models.DateTimeField(db_default=Now(), editable=False)
    acknowledged_at = models.DateTimeField(null=True)
    acknowledged_by = models.ForeignKey(Membership, models.PROTECT, null=True, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["job", "item"], name="item_fails_once_per_job"),
            models.UniqueConstraint(fields=["job", "question"], name="question_fails_once_per_job"),
            models.CheckConstraint(
                condition=Q(item=None, question__isnull=False)
                | Q(item__isnull=False, question=None),
                name="failure_of_an_item_or_a_question",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="failure_has_a_reason"),
            models.CheckConstraint(
                condition=Q(acknowledged_at=None, acknowledged_by=None)
                | Q(acknowledged_at__isnull=False, acknowledged_by__isnull=False, is_due=False),
                name="failure_acknowledged_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return self.reason


BEAT = timedelta(seconds=10)  # SQLite has one writer at a time: not more often
SILENT_AFTER = 3 * BEAT


class Worker(models.Model):
    """A process that does jobs, and when it was last heard of by the database's clock.

    `name` is the Celery worker it belongs to; one with several processes has several rows.
    """

    name = models.CharField(max_length=255)
    host = models.CharField(max_length=255)
    pid = models.PositiveIntegerField()
    job = models.ForeignKey(Job, models.PROTECT, null=True, related_name="+")
    started_at = models.DateTimeField(db_default=Now(), editable=False)
    seen_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["name", "host", "pid"], name="worker_process_once")
        ]

    def __str__(self) -> str:
        return f"{self.name}, process {self.pid}"


class SchedulerTick(models.Model):
    """When a scheduler last sent a sweep, by the database's clock: one row for the site."""

    ONLY = 1

    id = models.PositiveSmallIntegerField(primary_key=True, default=ONLY)
    seen_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(id=1), name="one_scheduler_tick")]

    def __str__(self) -> str:
        return f"scheduler, {self.seen_at}"


class TrainedMatcherKind(models.TextChoices):
    CFMATCH = "cfmatch", "cfmatch"
    FEATHER = "feather", "feather"
    BEM = "bem", "bem"


class TrainedMatcher(models.Model):
    """A matcher that learned from `labels` majority labels in `documents` documents.

    The row never changes. It has either `weights`, the readable JSON that the matcher is read
    from, or a `folder` of files, by its path within the site's folder of matchers. `digest` is that
    of the weights or of all files; the version of its suggestions carries the digest's beginning.
    `ties` items had no majority and taught nothing. `learning_curve` holds the accuracies to expect
    on unseen documents.
    """

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="trained_matchers")
    # with the campaign's short name of 60 at most, a name fits the 80 of a suggestion's matcher
    kind = models.CharField(max_length=18, choices=TrainedMatcherKind)
    weights = models.TextField(blank=True)
    folder = models.CharField(max_length=130, blank=True)
    digest = models.CharField(max_length=64)
    labels = models.PositiveIntegerField()
    correct = models.PositiveIntegerField()
    ties = models.PositiveIntegerField()
    documents = models.PositiveIntegerField()
    seed = models.PositiveIntegerField()
    learning_curve = models.JSONField()
    job = models.ForeignKey(Job, models.PROTECT, related_name="trained_matchers")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "kind", "digest"], name="trained_matcher_once"
            ),
            models.CheckConstraint(
                condition=models.Q(kind__in=TrainedMatcherKind.values),
                name="trained_matcher_kind_known",
            ),
            models.CheckConstraint(
                condition=models.Q(correct__gt=0, correct__lt=models.F("labels")),
                name="trained_matcher_knows_both_labels",
            ),
            models.CheckConstraint(
                condition=models.Q(weights="") ^ models.Q(folder=""),
                name="trained_matcher_weights_or_folder",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.digest}"

    @property
    def name(self) -> str:
        """The name of its suggestions; the newest of a kind has the name to itself."""
        return f"{self.kind}@{self.campaign.slug}"
