"""Whether a rater was a researcher or an admin before, who could see votes."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("tasks", "0004_campaign_pseudonym_secret")]

    operations = [
        migrations.AddField(
            "membership",
            "has_been_more",
            models.BooleanField(db_default=False, default=False, editable=False),
        ),
    ]
