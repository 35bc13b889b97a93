"""The active time of a draft is null where it is not known, as that of a rating is."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tasks", "0016_choice_labels"),
    ]

    operations = [
        migrations.AlterField(
            model_name="draft",
            name="seconds",
            field=models.FloatField(null=True),
        ),
        migrations.RunSQL(
            "UPDATE tasks_draft SET seconds = NULL WHERE seconds = 0",
            migrations.RunSQL.noop,
        ),
    ]
