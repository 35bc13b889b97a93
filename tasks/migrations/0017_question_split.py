"""The split that a question's source has it in; not known of questions imported earlier."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tasks", "0016_seen_votes"),
    ]

    operations = [
        migrations.AddField(
            model_name="question",
            name="split",
            field=models.CharField(blank=True, db_default="", default="", max_length=40),
        ),
    ]
