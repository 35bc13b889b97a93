"""Attempts of assessments are counted: one that was overtaken writes nothing."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tasks", "0014_suggestion_settings_of_ratings"),
    ]

    operations = [
        migrations.AddField(
            model_name="assessment",
            name="attempt",
            field=models.PositiveIntegerField(default=0),
        ),
    ]
