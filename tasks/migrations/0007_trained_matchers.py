"""Matchers trained on a campaign's own labels, and room for their names."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models


def drop_trigger(_apps, schema_editor):
    """SQLite cannot rebuild a table that a trigger names. It is put back after the migrations."""
    if schema_editor.connection.vendor == "sqlite":
        schema_editor.execute("DROP TRIGGER IF EXISTS tomahto_outcome_fits")


def forget_trained_matchers(apps, _schema_editor):
    """The schema before this one cannot load them: their suggestions would stand for nothing."""
    campaigns = apps.get_model("tasks", "Campaign").objects
    campaigns.filter(suggestion_matcher__contains="@").update(suggestion_matcher="cfmatch")
    apps.get_model("tasks", "Suggestion").objects.filter(matcher__contains="@").delete()
    unfinished = apps.get_model("tasks", "Job").objects.filter(state__in=["queued", "running"])
    foreign = unfinished.filter(kind="train") | unfinished.filter(
        kind="suggest", parameters__name__icontains="@"
    )
    foreign.update(state="failed", lease_until=None, error="there are no trained matchers any more")


class Migration(migrations.Migration):
    dependencies = [
        ("tasks", "0006_sign_outs"),
    ]

    operations = [
        migrations.RunPython(drop_trigger, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="campaign",
            name="suggestion_matcher",
            field=models.CharField(default="cfmatch", max_length=80),
        ),
        migrations.AlterField(
            model_name="job",
            name="kind",
            field=models.CharField(
                choices=[
                    ("suggest", "Suggestions of a matcher"),
                    ("answer", "Candidates of an answerer"),
                    ("generate", "Generated texts"),
                    ("train", "Training of a matcher"),
                    ("release", "Release"),
                ],
                max_length=20,
            ),
        ),
        migrations.AlterField(
            model_name="suggestion",
            name="matcher",
            field=models.CharField(max_length=80),
        ),
        migrations.RunPython(migrations.RunPython.noop, forget_trained_matchers),
        migrations.RunPython(migrations.RunPython.noop, drop_trigger),
        migrations.CreateModel(
            name="TrainedMatcher",
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
                        choices=[("cfmatch", "cfmatch"), ("feather", "feather")], max_length=18
                    ),
                ),
                ("weights", models.TextField()),
                ("digest", models.CharField(max_length=64)),
                ("labels", models.PositiveIntegerField()),
                ("correct", models.PositiveIntegerField()),
                ("ties", models.PositiveIntegerField()),
                ("documents", models.PositiveIntegerField()),
                ("seed", models.PositiveIntegerField()),
                ("learning_curve", models.JSONField()),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="trained_matchers",
                        to="tasks.campaign",
                    ),
                ),
                (
                    "job",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="trained_matchers",
                        to="tasks.job",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("campaign", "kind", "digest"), name="trained_matcher_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["cfmatch", "feather"])),
                        name="trained_matcher_kind_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("correct__gt", 0), ("correct__lt", models.F("labels"))),
                        name="trained_matcher_knows_both_labels",
                    ),
                ],
            },
        ),
    ]
