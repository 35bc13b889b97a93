"""Campaigns and the guidelines their raters follow."""

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from tasks.models.people import User
from tasks.protocols import get_protocol, protocols
from tasks.protocols.definition import AnnotationProtocol


class SuggestionPolicy(models.TextChoices):
    HIDDEN = "hidden", _("Never shown")
    BEFORE = "before", _("Shown with the item")
    AFTER = "after", _("Shown once the rater has answered")
    RANDOMISED = "randomised", _("Shown with the item for a random half")


class CampaignState(models.TextChoices):
    """Whether items are handed out; an archived campaign can only be read."""

    OPEN = "open", _("Open")
    PAUSED = "paused", _("Paused")
    ARCHIVED = "archived", _("Archived")


class ItemOrder(models.TextChoices):
    """The order in which items are handed out."""

    COMPLETE = "complete", _("Shuffled, finishing items one after another")
    RANDOM = "random", _("Shuffled, spreading over all items first")
    OLDEST = "oldest", _("As imported, oldest first")
    UNCERTAIN = "uncertain", _("Most uncertain suggestion first")


KEPT_DAYS = 30
"""For so long a deleted campaign can be restored. The database's guards keep to it too."""


def validate_protocol(name: str) -> None:
    if name not in protocols():
        raise ValidationError(f"no protocol {name!r}; there are {', '.join(protocols())}")


class Campaign(models.Model):
    """One annotation project: a protocol, guidelines, items, members and an overlap target.

    A campaign that is deleted is archived and hidden from `deleted_at` on. After KEPT_DAYS it is
    removed for good: then all that is left is its row without texts, which the audit log names.
    """

    slug = models.CharField(
        max_length=60,
        unique=True,
        validators=[
            RegexValidator(
                r"\A[a-z0-9]+(-[a-z0-9]+)*\Z",
                _("lower-case letters, digits and single hyphens between them"),
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
    suggestion_matcher = models.CharField(max_length=80, default="feather")
    state = models.CharField(max_length=20, choices=CampaignState, default=CampaignState.OPEN)
    lease_minutes = models.PositiveSmallIntegerField(
        default=30, validators=[MinValueValidator(1), MaxValueValidator(1440)]
    )
    # of visitors of a crowd service: how long an item is theirs, and how many may come for the
    # first time in a quarter of an hour from one network address and by one link, 0 for no limit
    visitor_lease_minutes = models.PositiveSmallIntegerField(
        default=10, db_default=10, validators=[MinValueValidator(1), MaxValueValidator(1440)]
    )
    visitors_per_address = models.PositiveIntegerField(default=5, db_default=5)
    visitors_per_link = models.PositiveIntegerField(default=200, db_default=200)
    item_order = models.CharField(max_length=20, choices=ItemOrder, default=ItemOrder.COMPLETE)
    rater_quota = models.PositiveIntegerField(null=True, blank=True)
    control_every = models.PositiveSmallIntegerField(default=0)
    shows_differences = models.BooleanField(default=True)
    adjudicates_blind = models.BooleanField(default=True)
    requires_calibration = models.BooleanField(default=False)
    calibration_pass_percent = models.PositiveSmallIntegerField(
        default=80, validators=[MinValueValidator(1), MaxValueValidator(100)]
    )
    calibration_attempts = models.PositiveSmallIntegerField(
        default=3, validators=[MinValueValidator(1), MaxValueValidator(100)]
    )
    completion_code = models.CharField(max_length=100, blank=True)
    completion_url = models.URLField(max_length=500, blank=True)
    seed = models.PositiveIntegerField(default=0)
    language = models.CharField(max_length=35, default="en")
    licence = models.CharField(max_length=60, default="cc-by-4.0")
    guideline = models.ForeignKey(
        "Guideline", models.PROTECT, null=True, editable=False, related_name="+"
    )
    consent_text = models.ForeignKey(
        "ConsentText", models.PROTECT, null=True, editable=False, related_name="+"
    )
    # what its active webhooks ask for, by blanks: a rating need not look for them
    webhook_events = models.TextField(blank=True, default="", db_default="", editable=False)
    # of the form in other languages, as `de:12:0f3a`: language, key and mark of the wording
    wordings_in_force = models.TextField(blank=True, default="", db_default="", editable=False)
    # Markdown with tables and formulas, else plain text
    passages_are_markdown = models.BooleanField(default=False, db_default=False)
    # how often what is to be rated was changed, by imports and otherwise
    intakes = models.PositiveBigIntegerField(default=0, db_default=0, editable=False)
    deleted_at = models.DateTimeField(null=True, editable=False)
    removed_at = models.DateTimeField(null=True, editable=False)
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
            models.CheckConstraint(
                condition=models.Q(item_order__in=ItemOrder.values), name="item_order_known"
            ),
            models.CheckConstraint(
                condition=models.Q(
                    calibration_pass_percent__gte=1, calibration_pass_percent__lte=100
                ),
                name="pass_percent_in_range",
            ),
            models.CheckConstraint(
                condition=models.Q(deleted_at=None) | models.Q(state=CampaignState.ARCHIVED),
                name="deleted_campaign_is_archived",
            ),
            models.CheckConstraint(
                condition=models.Q(removed_at=None) | models.Q(deleted_at__isnull=False),
                name="removed_campaign_is_deleted",
            ),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def is_archived(self) -> bool:
        """Whether it can only be read."""
        return self.state == CampaignState.ARCHIVED

    @property
    def is_deleted(self) -> bool:
        """Whether it is hidden. Only archived ones are asked: the rater's reads leave times out."""
        return self.is_archived and self.deleted_at is not None

    @property
    def annotation_protocol(self) -> AnnotationProtocol:
        """The protocol itself; `protocol` is its name."""
        return get_protocol(self.protocol)

    @property
    def guideline_version(self) -> int | None:
        """Of the guidelines in force."""
        return self.guideline.version if self.guideline else None


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


class ConsentText(models.Model):
    """One version of what raters consent to, in Markdown. Versions count from 1."""

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="consent_texts")
    version = models.PositiveIntegerField()
    text = models.TextField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["version"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "version"], name="consent_text_version_unique"
            )
        ]

    def __str__(self) -> str:
        return f"{self.campaign} consent, version {self.version}"


class Wording(models.Model):
    """One version of a campaign's form in another language than the original's, append-only.

    Versions count from 1 in each language. It is of the guidelines that were in force with it; new
    guidelines take it over as a version of their own. `texts` gives every text of the form by the
    original (`tasks.protocols.wording`).
    """

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="wordings")
    language = models.CharField(max_length=35)
    version = models.PositiveIntegerField()
    guideline = models.ForeignKey(
        Guideline, models.PROTECT, null=True, related_name="wordings", db_index=False
    )
    texts = models.JSONField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["language", "version"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "language", "version"], name="wording_version_unique"
            )
        ]

    def __str__(self) -> str:
        return f"{self.language}, version {self.version}"
