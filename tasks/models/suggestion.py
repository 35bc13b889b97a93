"""What matchers think of items."""

from django.db import models
from django.db.models.functions import Now

from tasks.models.item import Item


class Suggestion(models.Model):
    """A matcher's score for an item, stored once per version of the matcher.

    `is_correct` says on which side of the matcher's threshold the score lies; `explanation` is what
    the score comes from, where the matcher can say it.
    """

    item = models.ForeignKey(Item, models.PROTECT, related_name="suggestions")
    matcher = models.CharField(max_length=80)
    version = models.CharField(max_length=255)
    score = models.FloatField()
    is_correct = models.BooleanField()
    explanation = models.JSONField(null=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "matcher", "version"], name="scored_once"),
            models.CheckConstraint(
                condition=models.Q(score__gte=0, score__lte=1), name="score_in_unit_interval"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.matcher} {self.score:.2f}"
