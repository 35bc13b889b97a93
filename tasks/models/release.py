"""Releases: immutable, versioned, hashed exports; what people write into their datasheets, reports
of the lab on judged answers, and submissions to leaderboards."""

from pathlib import Path

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from tasks.models.campaign import Campaign
from tasks.models.job import Job
from tasks.models.people import Role, User


class Release(models.Model):
    """A published release. The row appears once the folder is complete, and never changes.

    `documents` maps each document's key to its split, so that a later release of the same
    split keeps it there. `path` says where the files are: a folder, or `s3://…`
    (`tasks/release_store/places.py`).
    """

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="releases")
    version = models.CharField(max_length=40)
    digest = models.CharField(max_length=64)
    seed = models.PositiveIntegerField()
    split = models.CharField(max_length=200)
    splits = models.JSONField()
    documents = models.JSONField()
    items = models.PositiveIntegerField()
    ratings = models.PositiveIntegerField()
    path = models.CharField(max_length=1000)
    created_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "version"], name="release_version_unique")
        ]

    def __str__(self) -> str:
        return f"{self.campaign} {self.version}"

    @property
    def folder(self) -> Path:
        """Of a release that lives in one."""
        return Path(self.path)

    @property
    def withdrawn(self) -> "Withdrawal | None":
        """The release's withdrawal, if there is one."""
        return getattr(self, "withdrawal", None)


class Withdrawal(models.Model):
    """The end of a release: page, digest and number stay, its files are not given out any more.

    Final, as the database sees to. `role` is the one in which `withdrawn_by` did it; empty for
    operators at the command line, who are nobody's account.
    """

    release = models.OneToOneField(Release, models.PROTECT, related_name="withdrawal")
    reason = models.TextField()
    withdrawn_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    role = models.CharField(max_length=20, choices=Role, blank=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(reason=""), name="withdrawal_has_a_reason")
        ]

    def __str__(self) -> str:
        return f"{self.release}, withdrawn"


class DatasheetAnswer(models.Model):
    """An answer to one question of the datasheet; the last of a question is in force.

    An empty text takes an answer back. `written_by` is None for what a command wrote.
    """

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="datasheet_answers")
    question = models.CharField(max_length=40)
    text = models.TextField(blank=True)
    written_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    written_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.campaign}: {self.question}"


class Evaluation(models.Model):
    """A report on a campaign as it stood, or on a release of it. The row never changes.

    `parameters` say which metrics and sections were asked for, the split that thresholds were tuned
    on, the seed and the number of replicates. `digest` is that of the data. `report` is the JSON of
    a tomahto.lab.report.LabReport, as text: PostgreSQL does not keep the order of an object's keys.
    """

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="evaluations")
    release = models.ForeignKey(Release, models.PROTECT, null=True, related_name="evaluations")
    job = models.OneToOneField(Job, models.PROTECT, related_name="evaluation")
    parameters = models.JSONField()
    digest = models.CharField(max_length=64)
    report = models.TextField()
    created_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=~Q(digest="") & ~Q(report=""), name="evaluation_has_digest_and_report"
            )
        ]

    def __str__(self) -> str:
        return f"{self.campaign}, evaluation {self.pk}"


class Submission(models.Model):
    """One system's predictions for a split of a release. The row never changes.

    `file` is the uploaded file, character by character, and `sha256` that of its bytes, so that it
    can be scored again; `format` is what the file was said to be, empty where it was told from the
    file. `attempt` counts the withdrawn submissions of the same name before it: so a name is taken
    once at a time. `predictions` counts those for questions that the split asks, `passed_over` the
    others of the file. `role` is the one in which `submitted_by` did it; both are empty for
    operators at the command line. `job` is the one that was to score it first.
    """

    release = models.ForeignKey(Release, models.PROTECT, related_name="submissions")
    name = models.CharField(max_length=150)
    attempt = models.PositiveSmallIntegerField(default=0)
    description = models.CharField(max_length=300, blank=True)
    split = models.CharField(max_length=40)
    file = models.TextField()
    file_name = models.CharField(max_length=255)
    format = models.CharField(max_length=10, blank=True)
    sha256 = models.CharField(max_length=64)
    predictions = models.PositiveIntegerField()
    passed_over = models.PositiveIntegerField(default=0, db_default=0)
    submitted_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    role = models.CharField(max_length=20, choices=Role, blank=True)
    job = models.ForeignKey(Job, models.PROTECT, related_name="submissions")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["release", "name", "attempt"], name="submission_name_once_at_a_time"
            ),
            models.CheckConstraint(condition=~Q(name=""), name="submission_has_a_name"),
        ]

    def __str__(self) -> str:
        return f"{self.name} on {self.release}"

    @property
    def withdrawn(self) -> "SubmissionWithdrawal | None":
        """The submission's withdrawal, if there is one."""
        return getattr(self, "withdrawal", None)


class SubmissionScore(models.Model):
    """The scores of a submission under metrics of one signature. The row never changes.

    `signature` is the SHA-256 of all metrics with their versions. `scores` are the scores of each
    question by metric (tomahto.lab.benchmark.stored_scores); `result` says what the scores do
    not: how many questions are settled, and how, and which metric failed.
    """

    submission = models.ForeignKey(Submission, models.PROTECT, related_name="scores")
    signature = models.CharField(max_length=64)
    scores = models.BinaryField()
    result = models.JSONField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["submission", "signature"], name="submission_scored_once_per_signature"
            )
        ]

    def __str__(self) -> str:
        return f"{self.submission}, scored"


class SubmissionWithdrawal(models.Model):
    """The end of a submission: it stays to be seen, without numbers. Final."""

    submission = models.OneToOneField(Submission, models.PROTECT, related_name="withdrawal")
    reason = models.CharField(max_length=500)
    withdrawn_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    role = models.CharField(max_length=20, choices=Role, blank=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=~Q(reason=""), name="submission_withdrawal_has_a_reason"
            )
        ]

    def __str__(self) -> str:
        return f"{self.submission}, withdrawn"


class Leaderboard(models.Model):
    """The latest leaderboard of a split of a release, over all its submissions together.

    Derived from rows that never change, so it may be made anew at any time. `content` is the JSON
    document as text, because PostgreSQL does not keep the order of an object's keys; empty while
    it is worked out for the first time.
    """

    release = models.ForeignKey(Release, models.PROTECT, related_name="leaderboards")
    split = models.CharField(max_length=40)
    content = models.TextField(blank=True)
    made_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["release", "split"], name="one_leaderboard_per_split")
        ]

    def __str__(self) -> str:
        return f"{self.release}, {self.split}"
