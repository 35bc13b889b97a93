"""Figures of dashboards that were worked out in the background, looks at a campaign, and alerts:
what an admin ought to know of, told once, until somebody acknowledges it."""

import json
from typing import Any

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from tasks.models.campaign import Campaign
from tasks.models.people import Membership


class Assessment(models.Model):
    """The progress of a campaign's figures, and whether somebody waits for newer ones.

    `newest_rating` is the highest id of a rating when the worker began; one with a lower id that
    was committed only later enters the next figures. They were ready at `made_at`; `ratings`
    counted ratings are in them. `asked_at` is when somebody asked for newer ones,
    `begun_at` when a worker began with them; both are null once they are there. `attempt` counts
    how often one began: who is no longer the last leaves it alone. `error` is what the last
    attempt failed with; it is made again when what it asked for at `asked_at` is due again.
    Campaigns with few ratings have no Figures: theirs are worked out when somebody looks.
    """

    campaign = models.OneToOneField(Campaign, models.PROTECT, related_name="assessment")
    newest_rating = models.BigIntegerField(default=0)
    ratings = models.PositiveIntegerField(default=0)
    asked_at = models.DateTimeField(null=True)
    begun_at = models.DateTimeField(null=True)
    made_at = models.DateTimeField(null=True)
    attempt = models.PositiveIntegerField(default=0)
    error = models.TextField(blank=True)

    def __str__(self) -> str:
        return f"assessment of {self.campaign}"


class Figures(models.Model):
    """The figures of one dashboard, as JSON text: PostgreSQL would not keep the order of keys."""

    assessment = models.ForeignKey(Assessment, models.PROTECT, related_name="figures")
    name = models.CharField(max_length=40)
    content = models.TextField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["assessment", "name"], name="figures_once_per_name")
        ]

    def __str__(self) -> str:
        return f"{self.name} of {self.assessment}"


class NarrowedFigures(models.Model):
    """The figures of one dashboard of a part of the ratings, noted when somebody asks for them.

    `narrowing` is the key of a Narrowing. `content` is as that of Figures, "" until a worker has
    worked it out; `looked_at` is when somebody last looked, to the hour. A table of its own: code
    of before takes every row of Figures for figures of all ratings.
    """

    assessment = models.ForeignKey(Assessment, models.PROTECT, related_name="narrowed_figures")
    narrowing = models.TextField()
    name = models.CharField(max_length=40)
    content = models.TextField(blank=True)
    looked_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["assessment", "narrowing", "name"], name="narrowed_figures_once_per_name"
            )
        ]

    def __str__(self) -> str:
        return f"{self.name} of {self.assessment}, {self.narrowing}"


class Look(models.Model):
    """One of the looks at a campaign at which statistical tests are made. Append-only.

    Who tests after every rating finds something in the end. So the tests are made when the
    ratings have grown by half, and the looks of a campaign share one level: `level` is this
    one's. `findings` is what each test found, as JSON text.
    """

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="+")
    number = models.PositiveSmallIntegerField()
    ratings = models.PositiveIntegerField()
    level = models.FloatField()
    findings = models.TextField()
    made_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "number"], name="look_number_unique"),
            models.CheckConstraint(condition=models.Q(number__gte=1), name="looks_count_from_one"),
            models.CheckConstraint(
                condition=models.Q(level__gt=0, level__lt=1), name="look_level_is_a_chance"
            ),
        ]

    def __str__(self) -> str:
        return f"look {self.number} at {self.campaign}"

    def as_json(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "ratings": self.ratings,
            "level": self.level,
            "made_at": self.made_at,
            "findings": json.loads(self.findings),
        }


class AlertKind(models.TextChoices):
    ALPHA = "alpha", _("Agreement is too low")
    DRIFT = "drift", _("A rater drifts")
    CONTROLS = "controls", _("A rater fails control items")
    SPEED = "speed", _("A rater is much faster or slower than the others")
    CONFUSION = "confusion", _("Labels are confused")
    STEERING = "steering", _("The suggestion steers")
    STALLED = "stalled", _("Progress has stalled")
    TRIAL = "trial", _("Test message")


class AlertRule(models.Model):
    """A campaign's own setting of a rule, in the place of the usual one
    (tasks/agreement/findings.py).

    `threshold` is the alpha below which agreement is too low, `hours` how long no rating means
    that progress has stalled.
    """

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="+")
    kind = models.CharField(max_length=20, choices=AlertKind)
    is_active = models.BooleanField(default=True)
    threshold = models.FloatField(null=True)
    hours = models.PositiveSmallIntegerField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "kind"], name="one_rule_per_kind"),
            models.CheckConstraint(
                condition=Q(kind__in=AlertKind.values), name="rule_of_a_known_kind"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} in {self.campaign}"


class AlertChannels(models.Model):
    """The destinations of a campaign's alerts, beside the page: mail to its admins, and a webhook.

    `webhook_secret` signs what is sent. Without an address there is no webhook.
    """

    campaign = models.OneToOneField(Campaign, models.PROTECT, related_name="alert_channels")
    sends_mail = models.BooleanField(default=True)
    webhook_url = models.URLField(max_length=500, blank=True)
    webhook_secret = models.CharField(max_length=100, blank=True)

    def __str__(self) -> str:
        return f"channels of {self.campaign}"


class Alert(models.Model):
    """Something a rule found. Who is meant is `subject`: a pseudonym, labels, or nobody.

    `occasion` is the evidence it rests on, a look or the last rating before a stall: the same
    evidence raises one alert. While an alert is open no other of its kind and subject is raised.
    `evidence` holds the numbers to show.
    """

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="+")
    kind = models.CharField(max_length=20, choices=AlertKind)
    subject = models.CharField(max_length=200, blank=True)
    occasion = models.CharField(max_length=40)
    look = models.ForeignKey(Look, models.PROTECT, null=True, related_name="alerts")
    evidence = models.JSONField(default=dict)
    raised_at = models.DateTimeField(db_default=Now(), editable=False)
    acknowledged_at = models.DateTimeField(null=True)
    acknowledged_by = models.ForeignKey(Membership, models.PROTECT, null=True, related_name="+")
    note = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "kind", "subject", "occasion"], name="alert_once_per_occasion"
            ),
            models.UniqueConstraint(
                fields=["campaign", "kind", "subject"],
                name="one_open_alert_of_a_kind",
                condition=Q(acknowledged_at=None),
            ),
            models.CheckConstraint(condition=Q(kind__in=AlertKind.values), name="alert_kind_known"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject}".strip()
