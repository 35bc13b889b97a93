"""Reports of the lab: what metrics and systems were worth on judged answers."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from tasks.models.campaign import Campaign
from tasks.models.people import User
from tasks.models.results.release import Release
from tasks.models.running.job import Job


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
