"""Campaigns and the guidelines their raters follow."""

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.db.models.functions import Now

from tasks.models.people import User
from tasks.protocols import get_protocol, protocols
from tasks.protocols.definition import AnnotationProtocol


class SuggestionPolicy(models.TextChoices):
    HIDDEN = "hidden", "Never shown"
    BEFORE = "before", "Shown with the item"
    AFTER = "after", "Shown once the rater has answered"
    RANDOMISED = "randomised", "Shown with the item for a random half"


class CampaignState(models.TextChoices):
    OPEN = "open", "Open"
    PAUSED = "paused", "Paused"


def validate_protocol(name: str) -> None:
    if name not in protocols():
        raise ValidationError(f"no protocol {name!r}; there are {', '.join(protocols())}")


class Campaign(models.Model):
    """One annotation project: a protocol, guidelines, items, members and an overlap target."""

    slug = models.CharField(
        max_length=60,
        unique=True,
        validators=[
            RegexValidator(
                r"\A[a-z0-9]+(-[a-z0-9]+)*\Z",
                "lower-case letters, digits and single hyphens between them",
            )
        ],
    )
    title = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    protocol = models.CharField(max_length=40, validators=[validate_protocol])
    overlap = models.PositiveSmallIntegerField(
        default=3, validators=[MinValueValidator(1), MaxValueValidator(100)]
    )
    suggestions = models.CharField(
        max_length=20, choices=SuggestionPolicy, default=SuggestionPolicy.HIDDEN
    )
    suggestion_matcher = models.CharField(max_length=60, default="cfmatch")
    state = models.CharField(max_length=20, choices=CampaignState, default=CampaignState.OPEN)
    lease_minutes = models.PositiveSmallIntegerField(
        default=30, validators=[MinValueValidator(1), MaxValueValidator(1440)]
    )
    seed = models.PositiveIntegerField(default=0)
    language = models.CharField(max_length=35, default="en")
    licence = models.CharField(max_length=60, default="cc-by-4.0")
    guideline = models.ForeignKey(
        "Guideline", models.PROTECT, null=True, editable=False, related_name="+"
    )
    created_by = models.ForeignKey(User, models.PROTECT, null=True, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["title"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(overlap__gte=1, overlap__lte=100), name="overlap_in_range"
            ),
            models.CheckConstraint(
                condition=models.Q(suggestions__in=SuggestionPolicy.values),
                name="suggestion_policy_known",
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=CampaignState.values), name="campaign_state_known"
            ),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def annotation_protocol(self) -> AnnotationProtocol:
        """The protocol itself; `protocol` is its name."""
        return get_protocol(self.protocol)


class Guideline(models.Model):
    """One version of a campaign's guidelines, in Markdown. Versions count from 1."""

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="guidelines")
    version = models.PositiveIntegerField()
    text = models.TextField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["version"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "version"], name="guideline_version_unique")
        ]

    def __str__(self) -> str:
        return f"{self.campaign} guidelines, version {self.version}"
