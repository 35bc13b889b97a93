"""Reports of the lab, made by jobs and kept as they are."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tasks", "0020_preview_jobs"),
    ]

    operations = [
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
                    ("preview", "Preview of a release"),
                    ("evaluate", "Evaluation"),
                ],
                max_length=20,
            ),
        ),
        migrations.CreateModel(
            name="Evaluation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("parameters", models.JSONField()),
                ("digest", models.CharField(max_length=64)),
                ("report", models.TextField()),
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
                        related_name="evaluations",
                        to="tasks.campaign",
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "job",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="evaluation",
                        to="tasks.job",
                    ),
                ),
                (
                    "release",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="evaluations",
                        to="tasks.release",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("digest", ""), _negated=True),
                            models.Q(("report", ""), _negated=True),
                        ),
                        name="evaluation_has_digest_and_report",
                    )
                ],
            },
        ),
    ]
