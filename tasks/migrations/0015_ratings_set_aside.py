"""Ratings of a rater whom an admin distrusts are set aside."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tasks", "0014_mailed_invitations"),
    ]

    operations = [
        migrations.CreateModel(
            name="SetAside",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("reason", models.CharField(max_length=500)),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                ("undone_at", models.DateTimeField(null=True)),
                (
                    "by",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tasks.membership",
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="set_asides",
                        to="tasks.campaign",
                    ),
                ),
                (
                    "rater",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="set_asides",
                        to="tasks.membership",
                    ),
                ),
                (
                    "undone_by",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tasks.membership",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="RatingSetAside",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("holds", models.BooleanField(default=True)),
                (
                    "item",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tasks.item",
                    ),
                ),
                (
                    "rater",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tasks.membership",
                    ),
                ),
                (
                    "slot",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tasks.slot",
                    ),
                ),
                (
                    "act",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="histories",
                        to="tasks.setaside",
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="setaside",
            constraint=models.CheckConstraint(
                condition=models.Q(("reason", ""), _negated=True), name="set_aside_has_a_reason"
            ),
        ),
        migrations.AddConstraint(
            model_name="setaside",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("undone_at", None), ("undone_by", None)),
                    models.Q(("undone_at__isnull", False), ("undone_by__isnull", False)),
                    _connector="OR",
                ),
                name="set_aside_undone_by_somebody",
            ),
        ),
        migrations.AddConstraint(
            model_name="ratingsetaside",
            constraint=models.UniqueConstraint(
                condition=models.Q(("holds", True)),
                fields=("item", "rater"),
                name="history_set_aside_once",
            ),
        ),
        migrations.AlterField(
            model_name="bulkact",
            name="kind",
            field=models.CharField(
                choices=[
                    ("tag", "Tag"),
                    ("untag", "Remove a tag"),
                    ("send-to-adjudication", "Send to adjudication"),
                    ("more-ratings", "Ask for more ratings"),
                    ("assign", "Assign to people"),
                    ("make-controls", "Make control items"),
                    ("set-aside", "Set ratings aside"),
                    ("dismiss", "Dismiss"),
                    ("take-back", "Take back the dismissal"),
                ],
                max_length=30,
            ),
        ),
    ]
