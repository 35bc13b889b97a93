"""Experts' decisions beside the votes, their first looks, and whether a campaign asks for those."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tasks", "0012_feather_suggests_by_default"),
    ]

    operations = [
        migrations.AddField(
            model_name="campaign",
            name="adjudicates_blind",
            field=models.BooleanField(default=True),
        ),
        migrations.CreateModel(
            name="Adjudication",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("reason", models.TextField()),
                ("idempotency_key", models.CharField(max_length=100)),
                ("payload_hash", models.CharField(max_length=64)),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                (
                    "adjudicator",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="adjudications",
                        to="tasks.membership",
                    ),
                ),
                (
                    "first_outcome",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tasks.outcome",
                    ),
                ),
                (
                    "guideline",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tasks.guideline",
                    ),
                ),
                (
                    "item",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="adjudications",
                        to="tasks.item",
                    ),
                ),
                (
                    "outcome",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tasks.outcome",
                    ),
                ),
                (
                    "supersedes",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="superseded_by",
                        to="tasks.adjudication",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["item"], name="adjudications_of_item")],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("adjudicator", "idempotency_key"), name="adjudication_key_once"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("supersedes", None)),
                        fields=("item", "adjudicator"),
                        name="one_history_per_item_and_adjudicator",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True),
                        name="adjudication_has_a_reason",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="FirstLook",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                (
                    "adjudicator",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="first_looks",
                        to="tasks.membership",
                    ),
                ),
                (
                    "item",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="first_looks",
                        to="tasks.item",
                    ),
                ),
                (
                    "outcome",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tasks.outcome",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("item", "adjudicator"), name="one_first_look")
                ],
            },
        ),
        migrations.CreateModel(
            name="LeftItem",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                (
                    "adjudicator",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="left_items",
                        to="tasks.membership",
                    ),
                ),
                (
                    "item",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="left_by",
                        to="tasks.item",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("item", "adjudicator"), name="item_left_once")
                ],
            },
        ),
    ]
