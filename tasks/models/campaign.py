"""Campaigns, the guidelines their raters follow, and the parts of their ratings that figures are
worked out of."""

import secrets
from dataclasses import asdict, dataclass
from datetime import date
from typing import Literal
from urllib.parse import urlencode

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from tasks.models.people import Membership, User
from tasks.protocols import get_protocol, protocols
from tasks.protocols.definition import AnnotationProtocol
from tasks.protocols.wording import Wording, wordings
from tomahto.text.normalisation import ExactRule


@dataclass(frozen=True, slots=True)
class Narrowing:
    """The ratings that meet every condition that is set; all of them where none is.

    system: of items that this system is among those of.
    since, until: given on these days or between them, in the site's own time zone; ratings without
        a time are left out as soon as either is set.
    guideline: given under this version of the guidelines; 0: under none, as imports are.
    source: "rated" here, on an assignment, or "imported" from files.
    """

    system: str = ""
    since: date | None = None
    until: date | None = None
    guideline: int | None = None
    source: Literal["", "rated", "imported"] = ""

    @property
    def key(self) -> str:
        """The conditions as the query of an address, always in the same order; "" for none."""
        return urlencode(
            {name: value for name, value in asdict(self).items() if value not in ("", None)}
        )


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


KEPT_DAYS = 30


class ItemOrder(models.TextChoices):
    COMPLETE = "complete", _("Shuffled, finishing items one after another")
    RANDOM = "random", _("Shuffled, spreading over all items first")
    OLDEST = "oldest", _("As imported, oldest first")
    UNCERTAIN = "uncertain", _("Most uncertain suggestion first")


class ExactAnswers(models.TextChoices):
    """The rule for exact answers: settled as right without a rating."""

    STRICT = ExactRule.STRICT.value, _("Equal to a reference, signs and symbols included")
    SQUAD = (
        ExactRule.SQUAD.value,
        _("Equal to a reference, ignoring punctuation and articles (SQuAD)"),
    )


def validate_protocol(name: str) -> None:
    if name not in protocols():
        raise ValidationError(f"no protocol {name!r}; known: {', '.join(protocols())}")


is_language_code = RegexValidator(
    r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*\Z", "enter the code of a language, such as ar or zh-Hant"
)

is_one_line = RegexValidator(
    r"[\x00-\x1f\x7f-\x9f\u2028\u2029]", _("Line breaks are not allowed."), inverse_match=True
)


def validate_form_languages(codes: str) -> None:
    for code in codes.split():
        if code not in wordings():
            raise ValidationError(
                f"the form does not exist in {code!r}; choose from {', '.join(wordings())}"
            )


class Campaign(models.Model):
    """One annotation project: a protocol, guidelines, items, members and an overlap target.

    A deleted campaign is archived, and hidden from `deleted_at` on. KEPT_DAYS later everything that
    belongs to it is removed; its row stays, with its title, for the audit log.
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
    exact_rule = models.CharField(
        max_length=20,
        choices=ExactAnswers,
        default=ExactAnswers.STRICT,
        db_default=ExactAnswers.SQUAD,  # to campaigns that the code of before makes
    )
    suggestion_matcher = models.CharField(max_length=80, default="feather")
    state = models.CharField(max_length=20, choices=CampaignState, default=CampaignState.OPEN)
    lease_minutes = models.PositiveSmallIntegerField(
        default=30, validators=[MinValueValidator(1), MaxValueValidator(1440)]
    )
    item_order = models.CharField(max_length=20, choices=ItemOrder, default=ItemOrder.COMPLETE)
    rater_quota = models.PositiveIntegerField(null=True, blank=True)
    control_every = models.PositiveSmallIntegerField(default=0)
    shows_differences = models.BooleanField(default=True)
    # Markdown with tables and formulas, else plain text
    passages_are_markdown = models.BooleanField(default=False, db_default=False)
    # in which raters are asked besides English, by blanks
    form_languages = models.CharField(
        max_length=200, blank=True, default="", db_default="", validators=[validate_form_languages]
    )
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
    # of its mails; where blank, the site's own name and no other address for replies
    mail_sender_name = models.CharField(
        max_length=100, blank=True, default="", db_default="", validators=[is_one_line]
    )
    mail_reply_to = models.EmailField(blank=True, default="", db_default="")
    seed = models.PositiveIntegerField(default=0)
    # of items and guidelines
    language = models.CharField(max_length=35, default="en", validators=[is_language_code])
    licence = models.CharField(max_length=60, default="cc-by-4.0")
    guideline = models.ForeignKey(
        "Guideline", models.PROTECT, null=True, editable=False, related_name="+"
    )
    consent_text = models.ForeignKey(
        "ConsentText", models.PROTECT, null=True, editable=False, related_name="+"
    )
    # what its active webhooks ask for, by blanks: a rating need not look for them
    webhook_events = models.TextField(blank=True, default="", db_default="", editable=False)
    # how often what is to be rated was changed, by imports and otherwise
    intakes = models.PositiveBigIntegerField(default=0, db_default=0, editable=False)
    # keys the pseudonyms of imported raters; nothing shows it
    pseudonym_secret = models.CharField(
        max_length=64, blank=True, default=secrets.token_hex, db_default="", editable=False
    )
    deleted_at = models.DateTimeField(null=True, editable=False)
    removed_at = models.DateTimeField(null=True, editable=False)
    created_by = models.ForeignKey(User, models.PROTECT, null=True, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    # not a field: for whom a request reads it, whom figures tell nothing of what they still rate
    reader: "Membership | None" = None
    # nor this: the part of its ratings that figures are worked out of, all where it is None
    narrowed_to: Narrowing | None = None

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
                condition=models.Q(exact_rule__in=ExactAnswers.values), name="exact_rule_known"
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
    def annotation_protocol(self) -> AnnotationProtocol:
        """The protocol itself; `protocol` is its name."""
        return get_protocol(self.protocol)

    @property
    def form_wordings(self) -> list[Wording]:
        """The words of `form_languages`, as far as they are there."""
        codes = self.form_languages.split()
        return [wording for code, wording in wordings().items() if code in codes]

    @property
    def rule_of_exactness(self) -> ExactRule:
        """The rule itself; `exact_rule` is its name."""
        return ExactRule(self.exact_rule)

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
