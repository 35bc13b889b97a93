"""Alerts: what an admin ought to know of, told once, until somebody acknowledges it."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from tasks.models.campaign import Campaign
from tasks.models.people import Membership
from tasks.models.results.assessment import Look


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
    """How a campaign departs from the usual rule of a kind
    (tasks/agreement/findings/alert_rules.py).

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
    """Where a campaign's alerts go, beside the page: mail to its admins, and a webhook.

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
