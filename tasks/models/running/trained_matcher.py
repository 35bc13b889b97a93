"""Matchers trained on a campaign's own labels."""

from django.db import models
from django.db.models.functions import Now

from tasks.models.campaign import Campaign
from tasks.models.running.job import Job


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
