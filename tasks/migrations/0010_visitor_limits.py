"""Visitors of crowd services: limits, signed links, and which members came so."""

import django.core.validators
from django.db import migrations, models

_MARK = """
UPDATE tasks_membership SET is_visitor = TRUE
WHERE id IN (SELECT membership_id FROM tasks_crowdvisit)
"""


class Migration(migrations.Migration):

    dependencies = [
        ("tasks", "0009_explorer"),
    ]

    operations = [
        migrations.AddField(
            model_name="campaign",
            name="visitor_lease_minutes",
            field=models.PositiveSmallIntegerField(
                db_default=10,
                default=10,
                validators=[
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(1440),
                ],
            ),
        ),
        migrations.AddField(
            model_name="campaign",
            name="visitors_per_address",
            field=models.PositiveIntegerField(db_default=5, default=5),
        ),
        migrations.AddField(
            model_name="campaign",
            name="visitors_per_link",
            field=models.PositiveIntegerField(db_default=200, default=200),
        ),
        migrations.AddField(
            model_name="membership",
            name="is_visitor",
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
        migrations.AddField(
            model_name="invitation",
            name="is_signed",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.RunSQL(_MARK, migrations.RunSQL.noop),
    ]
