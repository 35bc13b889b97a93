"""Cancelled jobs, tries again after a while, failures of single items, workers that report."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models


def fail_cancelled_jobs(apps, _schema_editor):
    """The schema before this one knows no cancelled jobs; a failed one can be started again too."""
    jobs = apps.get_model("tasks", "Job").objects.filter(state="cancelled")
    jobs.update(state="failed", error="cancelled")


class Migration(migrations.Migration):
    dependencies = [
        ("tasks", "0003_generated_texts"),
    ]

    operations = [
        migrations.CreateModel(
            name="JobFailure",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("reason", models.CharField(max_length=500)),
                ("attempts", models.PositiveSmallIntegerField(default=1)),
                ("is_due", models.BooleanField(default=False)),
                (
                    "failed_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                ("acknowledged_at", models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="Worker",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=255)),
                ("host", models.CharField(max_length=255)),
                ("pid", models.PositiveIntegerField()),
                (
                    "started_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                (
                    "seen_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
            ],
        ),
        migrations.RemoveConstraint(
            model_name="job",
            name="job_state_known",
        ),
        migrations.RunPython(migrations.RunPython.noop, fail_cancelled_jobs),
        migrations.AddField(
            model_name="job",
            name="acknowledged_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="job",
            name="acknowledged_by",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="tasks.membership",
            ),
        ),
        migrations.AddField(
            model_name="job",
            name="deaths",
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="job",
            name="failures",
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="job",
            name="not_before",
            field=models.DateTimeField(
                db_default=django.db.models.functions.datetime.Now(), editable=False
            ),
        ),
        migrations.AlterField(
            model_name="job",
            name="state",
            field=models.CharField(
                choices=[
                    ("queued", "Queued"),
                    ("running", "Running"),
                    ("done", "Done"),
                    ("failed", "Failed"),
                    ("cancelled", "Cancelled"),
                ],
                default="queued",
                max_length=20,
            ),
        ),
        migrations.AddIndex(
            model_name="job",
            index=models.Index(
                condition=models.Q(("state__in", ["queued", "running"])),
                fields=["state"],
                name="unfinished_jobs",
            ),
        ),
        migrations.AddConstraint(
            model_name="job",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("state__in", ["queued", "running", "done", "failed", "cancelled"])
                ),
                name="job_state_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="job",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("acknowledged_at", None), ("acknowledged_by", None)),
                    models.Q(
                        ("acknowledged_at__isnull", False), ("acknowledged_by__isnull", False)
                    ),
                    _connector="OR",
                ),
                name="job_acknowledged_by_somebody",
            ),
        ),
        migrations.AddField(
            model_name="jobfailure",
            name="acknowledged_by",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="tasks.membership",
            ),
        ),
        migrations.AddField(
            model_name="jobfailure",
            name="item",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="tasks.item",
            ),
        ),
        migrations.AddField(
            model_name="jobfailure",
            name="job",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="failed", to="tasks.job"
            ),
        ),
        migrations.AddField(
            model_name="jobfailure",
            name="question",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="tasks.question",
            ),
        ),
        migrations.AddField(
            model_name="worker",
            name="job",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="tasks.job",
            ),
        ),
        migrations.AddConstraint(
            model_name="jobfailure",
            constraint=models.UniqueConstraint(
                fields=("job", "item"), name="item_fails_once_per_job"
            ),
        ),
        migrations.AddConstraint(
            model_name="jobfailure",
            constraint=models.UniqueConstraint(
                fields=("job", "question"), name="question_fails_once_per_job"
            ),
        ),
        migrations.AddConstraint(
            model_name="jobfailure",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("item", None), ("question__isnull", False)),
                    models.Q(("item__isnull", False), ("question", None)),
                    _connector="OR",
                ),
                name="failure_of_an_item_or_a_question",
            ),
        ),
        migrations.AddConstraint(
            model_name="jobfailure",
            constraint=models.CheckConstraint(
                condition=models.Q(("reason", ""), _negated=True), name="failure_has_a_reason"
            ),
        ),
        migrations.AddConstraint(
            model_name="jobfailure",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("acknowledged_at", None), ("acknowledged_by", None)),
                    models.Q(
                        ("acknowledged_at__isnull", False),
                        ("acknowledged_by__isnull", False),
                        ("is_due", False),
                    ),
                    _connector="OR",
                ),
                name="failure_acknowledged_by_somebody",
            ),
        ),
        migrations.AddConstraint(
            model_name="worker",
            constraint=models.UniqueConstraint(
                fields=("name", "host", "pid"), name="worker_process_once"
            ),
        ),
    ]
