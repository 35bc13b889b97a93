from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tasks", "0027_campaign_intakes")]

    operations = [
        migrations.AddField(
            "submission",
            "passed_over",
            models.PositiveIntegerField(db_default=0, default=0),
        ),
    ]
