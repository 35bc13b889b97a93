"""Submissions to the leaderboards of releases, their scores, and what is worked out of them."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tasks", "0021_evaluations"),
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
                    ("submission", "Scoring of a submission"),
                ],
                max_length=20,
            ),
        ),
        migrations.CreateModel(
            name="Submission",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=150)),
                ("attempt", models.PositiveSmallIntegerField(default=0)),
                ("description", models.CharField(blank=True, max_length=300)),
                ("split", models.CharField(max_length=40)),
                ("file", models.TextField()),
                ("file_name", models.CharField(max_length=255)),
                ("format", models.CharField(blank=True, max_length=10)),
                ("sha256", models.CharField(max_length=64)),
                ("predictions", models.PositiveIntegerField()),
                (
                    "role",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("rater", "Rater"),
                            ("researcher", "Researcher"),
                            ("admin", "Admin"),
                        ],
                        max_length=20,
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                (
                    "job",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="submissions",
                        to="tasks.job",
                    ),
                ),
                (
                    "release",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="submissions",
                        to="tasks.release",
                    ),
                ),
                (
                    "submitted_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="SubmissionScore",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("signature", models.CharField(max_length=64)),
                ("scores", models.BinaryField()),
                ("result", models.JSONField()),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                (
                    "submission",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="scores",
                        to="tasks.submission",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="SubmissionWithdrawal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("reason", models.CharField(max_length=500)),
                (
                    "role",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("rater", "Rater"),
                            ("researcher", "Researcher"),
                            ("admin", "Admin"),
                        ],
                        max_length=20,
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                (
                    "submission",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="withdrawal",
                        to="tasks.submission",
                    ),
                ),
                (
                    "withdrawn_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Leaderboard",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("split", models.CharField(max_length=40)),
                ("content", models.TextField(blank=True)),
                ("made_at", models.DateTimeField(null=True)),
                (
                    "release",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="leaderboards",
                        to="tasks.release",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("release", "split"), name="one_leaderboard_per_split"
                    )
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="submission",
            constraint=models.UniqueConstraint(
                fields=("release", "name", "attempt"), name="submission_name_once_at_a_time"
            ),
        ),
        migrations.AddConstraint(
            model_name="submission",
            constraint=models.CheckConstraint(
                condition=models.Q(("name", ""), _negated=True), name="submission_has_a_name"
            ),
        ),
        migrations.AddConstraint(
            model_name="submissionscore",
            constraint=models.UniqueConstraint(
                fields=("submission", "signature"), name="submission_scored_once_per_signature"
            ),
        ),
        migrations.AddConstraint(
            model_name="submissionwithdrawal",
            constraint=models.CheckConstraint(
                condition=models.Q(("reason", ""), _negated=True),
                name="submission_withdrawal_has_a_reason",
            ),
        ),
    ]
