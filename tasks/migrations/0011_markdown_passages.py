"""Whether the passages of a campaign are Markdown: those of campaigns that are there stay plain text."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tasks", "0010_form_wordings")]

    operations = [
        migrations.AddField(
            "campaign",
            "passages_are_markdown",
            models.BooleanField(db_default=False, default=False),
        ),
    ]
