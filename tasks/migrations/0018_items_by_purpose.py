"""Items that train or check raters are found without reading all items of a campaign."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tasks", "0017_seconds_of_drafts"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="item",
            index=models.Index(fields=["campaign", "purpose"], name="items_by_purpose"),
        ),
    ]
