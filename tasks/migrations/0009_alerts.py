"""Alerts: rules, channels, what was raised, and whom it was told."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tasks", "0008_assessments"),
    ]

    operations = [
        migrations.CreateModel(
            name="Alert",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("alpha", "Agreement is too low"),
                            ("drift", "A rater drifts"),
                            ("controls", "A rater fails control items"),
                            ("speed", "A rater is much faster or slower than the others"),
                            ("confusion", "Labels are confused"),
                            ("steering", "The suggestion steers"),
                            ("stalled", "Progress has stalled"),
                            ("trial", "A message to try the channels"),
                        ],
                        max_length=20,
                    ),
                ),
                ("subject", models.CharField(blank=True, max_length=200)),
                ("occasion", models.CharField(max_length=40)),
                ("evidence", models.JSONField(default=dict)),
                (
                    "raised_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                ("acknowledged_at", models.DateTimeField(null=True)),
                ("note", models.CharField(blank=True, max_length=500)),
                (
                    "acknowledged_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tasks.membership",
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tasks.campaign",
                    ),
                ),
                (
                    "look",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="alerts",
                        to="tasks.look",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
            },
        ),
        migrations.CreateModel(
            name="AlertChannels",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("sends_mail", models.BooleanField(default=True)),
                ("webhook_url", models.URLField(blank=True, max_length=500)),
                ("webhook_secret", models.CharField(blank=True, max_length=100)),
                (
                    "campaign",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="alert_channels",
                        to="tasks.campaign",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="AlertDelivery",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "channel",
                    models.CharField(
                        choices=[("mail", "Mail"), ("webhook", "Webhook")], max_length=20
                    ),
                ),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                (
                    "not_before",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                ("sent_at", models.DateTimeField(null=True)),
                ("error", models.TextField(blank=True)),
                (
                    "alert",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="deliveries",
                        to="tasks.alert",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="AlertRule",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("alpha", "Agreement is too low"),
                            ("drift", "A rater drifts"),
                            ("controls", "A rater fails control items"),
                            ("speed", "A rater is much faster or slower than the others"),
                            ("confusion", "Labels are confused"),
                            ("steering", "The suggestion steers"),
                            ("stalled", "Progress has stalled"),
                            ("trial", "A message to try the channels"),
                        ],
                        max_length=20,
                    ),
                ),
                ("is_active", models.BooleanField(default=True)),
                ("threshold", models.FloatField(null=True)),
                ("hours", models.PositiveSmallIntegerField(null=True)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tasks.campaign",
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="alert",
            constraint=models.UniqueConstraint(
                fields=("campaign", "kind", "subject", "occasion"), name="alert_once_per_occasion"
            ),
        ),
        migrations.AddConstraint(
            model_name="alert",
            constraint=models.UniqueConstraint(
                condition=models.Q(("acknowledged_at", None)),
                fields=("campaign", "kind", "subject"),
                name="one_open_alert_of_a_kind",
            ),
        ),
        migrations.AddConstraint(
            model_name="alert",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "kind__in",
                        [
                            "alpha",
                            "drift",
                            "controls",
                            "speed",
                            "confusion",
                            "steering",
                            "stalled",
                            "trial",
                        ],
                    )
                ),
                name="alert_kind_known",
            ),
        ),
        migrations.AddIndex(
            model_name="alertdelivery",
            index=models.Index(
                condition=models.Q(("sent_at", None)), fields=["not_before"], name="untold_alerts"
            ),
        ),
        migrations.AddConstraint(
            model_name="alertdelivery",
            constraint=models.UniqueConstraint(
                fields=("alert", "channel"), name="told_once_per_channel"
            ),
        ),
        migrations.AddConstraint(
            model_name="alertdelivery",
            constraint=models.CheckConstraint(
                condition=models.Q(("channel__in", ["mail", "webhook"])), name="channel_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="alertrule",
            constraint=models.UniqueConstraint(
                fields=("campaign", "kind"), name="one_rule_per_kind"
            ),
        ),
        migrations.AddConstraint(
            model_name="alertrule",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "kind__in",
                        [
                            "alpha",
                            "drift",
                            "controls",
                            "speed",
                            "confusion",
                            "steering",
                            "stalled",
                            "trial",
                        ],
                    )
                ),
                name="rule_of_a_known_kind",
            ),
        ),
    ]
