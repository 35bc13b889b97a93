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
    """An answer a system gave. Exact matches with any reference are recorded and not rated;
    `is_exact_match` is false of one that is to be rated all the same.

    `score` is the system's confidence, for the order of its own answers. `alternatives` are the
    pairs (text, score) it might have given instead, best first. `provenance` says which version of
    an answerer gave it, and how (model, prompt, parameters, raw reply).
    """

    system = models.ForeignKey(System, models.PROTECT, related_name="candidates")
    question = models.ForeignKey(Question, models.PROTECT, related_name="candidates")
    text = models.TextField(blank=True)
    is_exact_match = models.BooleanField()
    score = models.FloatField(null=True, blank=True)
    alternatives = models.JSONField(default=list, blank=True)
    provenance = models.JSONField(default=dict, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["system", "question"], name="one_candidate_per_question"
            )
        ]

    def __str__(self) -> str:
        return self.text
