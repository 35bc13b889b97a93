"""The words of a form in other languages, which of them a rater saw, and passages in Markdown."""

from django.db import migrations, models
from django.db.models.deletion import PROTECT
from django.db.models.functions import Now


class Migration(migrations.Migration):

    dependencies = [("tasks", "0003_threads")]

    operations = [
        migrations.AddField(
            "campaign",
            "passages_are_markdown",
            models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            "campaign",
            "wordings_in_force",
            models.TextField(blank=True, db_default="", default="", editable=False),
        ),
        migrations.CreateModel(
            "Wording",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("language", models.CharField(max_length=35)),
                ("version", models.PositiveIntegerField()),
                ("texts", models.JSONField()),
                ("created_at", models.DateTimeField(db_default=Now(), editable=False)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=PROTECT, related_name="wordings", to="tasks.campaign"
                    ),
                ),
                (
                    "guideline",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=PROTECT,
                        related_name="wordings",
                        to="tasks.guideline",
                    ),
                ),
            ],
            {
                "ordering": ["language", "version"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("campaign", "language", "version"), name="wording_version_unique"
                    )
                ],
            },
        ),
        migrations.AddField(
            "rating",
            "wording",
            models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=PROTECT,
                related_name="ratings",
                to="tasks.wording",
            ),
        ),
    ]
