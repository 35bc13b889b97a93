"""Languages in which a campaign asks its raters, and the words in which a rating was given."""

from django.db import migrations, models

import tasks.models.campaign
import tasks.models.rating


class Migration(migrations.Migration):
    dependencies = [
        ("tasks", "0009_threads"),
    ]

    operations = [
        migrations.AddField(
            model_name="campaign",
            name="form_languages",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                max_length=200,
                validators=[tasks.models.campaign.validate_form_languages],
            ),
        ),
        migrations.AddField(
            model_name="rating",
            name="wording",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                max_length=50,
                validators=[tasks.models.rating.validate_wording],
            ),
        ),
    ]
