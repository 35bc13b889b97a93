"""What people write into the datasheet of a campaign's releases."""

from django.db import models
from django.db.models.functions import Now

from tasks.models.campaign import Campaign
from tasks.models.people import User


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
