from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tasks", "0026_audit_log")]

    operations = [
        migrations.AddField(
            model_name="campaign",
            name="intakes",
            field=models.PositiveBigIntegerField(db_default=0, default=0, editable=False),
        ),
    ]
