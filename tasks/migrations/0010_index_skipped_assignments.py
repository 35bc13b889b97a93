"""An index for what raters skipped: the progress of raters asks for nothing else of assignments."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tasks", "0009_alerts"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="assignment",
            index=models.Index(
                condition=models.Q(("state", "skipped")),
                fields=["rater"],
                name="skipped_assignments",
            ),
        ),
    ]
