from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tasks", "0026_audit_log")]

    operations = [
        migrations.AddField(
            "submission",
            "passed_over",
            models.PositiveIntegerField(db_default=0, default=0),
        ),
    ]
