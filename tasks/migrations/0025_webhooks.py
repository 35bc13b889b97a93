import uuid

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models
from django.db.migrations.state import StateApps


def forget_events(apps: StateApps, _editor: object) -> None:
    """The schema of before knows deliveries of alerts only."""
    apps.get_model("tasks", "Delivery").objects.filter(alert=None).delete()


class Migration(migrations.Migration):
    dependencies = [
        ("tasks", "0024_login_attempts"),
    ]

    operations = [
        # the table keeps its name: the code of before goes on telling alerts meanwhile
        migrations.AlterModelTable(name="alertdelivery", table="tasks_alertdelivery"),
        migrations.RenameModel(old_name="AlertDelivery", new_name="Delivery"),
        migrations.AddField(
            model_name="campaign",
            name="webhook_events",
            field=models.TextField(blank=True, db_default="", default="", editable=False),
        ),
        migrations.AlterField(
            model_name="delivery",
            name="alert",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="deliveries",
                to="tasks.alert",
            ),
        ),
        migrations.CreateModel(
            name="Event",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("uid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("rating.stored", "A rating was stored"),
                            ("rating.revised", "A rating was revised"),
                            ("item.completed", "An item has all its ratings"),
                            ("campaign.completed", "Every item has all its ratings"),
                            ("adjudication.decided", "An adjudicator decided"),
                            ("release.published", "A release was published"),
                            ("release.withdrawn", "A release was withdrawn"),
                            ("job.done", "A job is done"),
                            ("job.failed", "A job failed"),
                            ("import.done", "A file was imported"),
                            ("alert.raised", "An alert was raised"),
                            ("webhook.tried", "A trial"),
                        ],
                        max_length=40,
                    ),
                ),
                ("data", models.JSONField(default=dict)),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tasks.campaign",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="delivery",
            name="event",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="deliveries",
                to="tasks.event",
            ),
        ),
        migrations.CreateModel(
            name="Webhook",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("url", models.URLField(blank=True, max_length=500)),
                ("secret", models.CharField(blank=True, max_length=100)),
                ("events", models.JSONField(default=list)),
                ("is_active", models.BooleanField(default=True)),
                ("failures", models.PositiveIntegerField(default=0)),
                ("failing_since", models.DateTimeField(null=True)),
                (
                    "rests_until",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                ("switched_off_because", models.TextField(blank=True)),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                ("deleted_at", models.DateTimeField(null=True)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="webhooks",
                        to="tasks.campaign",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.AddField(
            model_name="delivery",
            name="webhook",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="deliveries",
                to="tasks.webhook",
            ),
        ),
        migrations.AddIndex(
            model_name="delivery",
            index=models.Index(fields=["webhook", "id"], name="deliveries_of_webhook"),
        ),
        migrations.AddIndex(
            model_name="delivery",
            index=models.Index(
                condition=models.Q(("sent_at", None), ("webhook__isnull", False)),
                fields=["webhook", "id"],
                name="undelivered_events",
            ),
        ),
        migrations.AddConstraint(
            model_name="delivery",
            constraint=models.UniqueConstraint(
                fields=("event", "webhook"), name="told_once_per_webhook"
            ),
        ),
        migrations.AddConstraint(
            model_name="delivery",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("alert__isnull", False), ("event", None), ("webhook", None)),
                    models.Q(("alert", None), ("event__isnull", False), ("webhook__isnull", False)),
                    _connector="OR",
                ),
                name="alert_or_event_is_told",
            ),
        ),
        migrations.AddIndex(
            model_name="event",
            index=models.Index(fields=["created_at"], name="events_by_age"),
        ),
        migrations.AddConstraint(
            model_name="event",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "kind__in",
                        [
                            "rating.stored",
                            "rating.revised",
                            "item.completed",
                            "campaign.completed",
                            "adjudication.decided",
                            "release.published",
                            "release.withdrawn",
                            "job.done",
                            "job.failed",
                            "import.done",
                            "alert.raised",
                            "webhook.tried",
                        ],
                    )
                ),
                name="event_kind_known",
            ),
        ),
        migrations.RunPython(migrations.RunPython.noop, forget_events),
    ]
