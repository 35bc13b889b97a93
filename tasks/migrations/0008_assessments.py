"""Figures that a worker made, and the looks at which tests are made."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tasks", "0007_trained_matchers"),
    ]

    operations = [
        migrations.CreateModel(
            name="Assessment",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("newest_rating", models.BigIntegerField(default=0)),
                ("ratings", models.PositiveIntegerField(default=0)),
                ("asked_at", models.DateTimeField(null=True)),
                ("begun_at", models.DateTimeField(null=True)),
                ("made_at", models.DateTimeField(null=True)),
                ("error", models.TextField(blank=True)),
                (
                    "campaign",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="assessment",
                        to="tasks.campaign",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Figures",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=40)),
                ("content", models.TextField()),
                (
                    "assessment",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="figures",
                        to="tasks.assessment",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("assessment", "name"), name="figures_once_per_name"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Look",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("ratings", models.PositiveIntegerField()),
                ("level", models.FloatField()),
                ("findings", models.TextField()),
                (
                    "made_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
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
            ],
            options={
                "ordering": ["-number"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("campaign", "number"), name="look_number_unique"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("number__gte", 1)), name="looks_count_from_one"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("level__gt", 0), ("level__lt", 1)),
                        name="look_level_is_a_chance",
                    ),
                ],
            },
        ),
    ]
