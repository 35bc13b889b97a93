"""What keys the pseudonyms of imported raters: campaigns that are there get a secret each."""

import secrets

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def give_secrets(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    campaigns = apps.get_model("tasks", "Campaign").objects
    for pk in list(campaigns.values_list("pk", flat=True)):
        campaigns.filter(pk=pk).update(pseudonym_secret=secrets.token_hex())


class Migration(migrations.Migration):

    dependencies = [("tasks", "0003_campaign_exact_rule")]

    operations = [
        migrations.AddField(
            "campaign",
            "pseudonym_secret",
            models.CharField(
                blank=True,
                db_default="",
                default=secrets.token_hex,
                editable=False,
                max_length=64,
            ),
        ),
        migrations.RunPython(give_secrets, migrations.RunPython.noop),
    ]
