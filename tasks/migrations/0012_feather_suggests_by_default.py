"""New campaigns take the suggestions of feather; those there are keep their matcher."""

from django.db import migrations, models


def drop_trigger(_apps, schema_editor):
    """SQLite cannot rebuild a table that a trigger names. It is put back after the migrations."""
    if schema_editor.connection.vendor == "sqlite":
        schema_editor.execute("DROP TRIGGER IF EXISTS tomahto_outcome_fits")


class Migration(migrations.Migration):
    dependencies = [
        ("tasks", "0011_matchers_in_folders"),
    ]

    operations = [
        migrations.RunPython(drop_trigger, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="campaign",
            name="suggestion_matcher",
            field=models.CharField(default="feather", max_length=80),
        ),
        migrations.RunPython(migrations.RunPython.noop, drop_trigger),
    ]
