"""Systems and the candidate answers they gave."""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models

from tasks.models.campaign import Campaign
from tasks.models.item import Question


class System(models.Model):
    """Whatever produces candidates: a QA system, a language model, a person.

    `overlap` is how many ratings its items are to get, where that differs from the campaign's.
    """

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="systems")
    name = models.CharField(max_length=255)
    overlap = models.PositiveSmallIntegerField(
        null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(100)]
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "name"], name="system_name_unique")
        ]

    def __str__(self) -> str:
        return self.name


class Candidate(models.Model):
    """An answer a system gave. Exact matches with any reference are recorded, never rated."""

    system = models.ForeignKey(System, models.PROTECT, related_name="candidates")
    question = models.ForeignKey(Question, models.PROTECT, related_name="candidates")
    text = models.TextField(blank=True)
    is_exact_match = models.BooleanField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["system", "question"], name="one_candidate_per_question"
            )
        ]

    def __str__(self) -> str:
        return self.text
