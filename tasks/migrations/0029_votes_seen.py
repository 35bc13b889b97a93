"""Note until when somebody has seen all votes of a campaign. Reversible."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tasks", "0028_submission_passed_over")]

    operations = [
        migrations.AddField(
            model_name="membership",
            name="votes_seen_until",
            field=models.DateTimeField(editable=False, null=True),
        ),
    ]
