"""Trained matchers whose weights are a folder of files: the kind bem."""

from django.db import migrations, models


def drop_guards(_apps, schema_editor):
    """Of the table, so that rows can be deleted. They are put back after the migrations."""
    if schema_editor.connection.vendor == "sqlite":
        schema_editor.execute("DROP TRIGGER IF EXISTS tasks_trainedmatcher_no_DELETE")
    else:
        schema_editor.execute(
            "DROP TRIGGER IF EXISTS tasks_trainedmatcher_no_change ON tasks_trainedmatcher"
        )


def forget_bem(apps, schema_editor):
    """The schema before this one cannot load them: their suggestions would stand for nothing."""
    trained = apps.get_model("tasks", "TrainedMatcher").objects.filter(kind="bem")
    unfinished = apps.get_model("tasks", "Job").objects.filter(state__in=["queued", "running"])
    foreign = unfinished.filter(kind="train", parameters__name="bem") | unfinished.filter(
        kind="suggest", parameters__name__startswith="bem@"
    )
    foreign.update(state="failed", lease_until=None, error="no campaign has a trained bem any more")
    campaigns = apps.get_model("tasks", "Campaign").objects
    campaigns.filter(suggestion_matcher__startswith="bem@").update(suggestion_matcher="cfmatch")
    apps.get_model("tasks", "Suggestion").objects.filter(matcher__startswith="bem@").delete()
    drop_guards(apps, schema_editor)
    trained.delete()


class Migration(migrations.Migration):
    dependencies = [
        ("tasks", "0010_index_skipped_assignments"),
    ]

    operations = [
        migrations.AddField(
            model_name="trainedmatcher",
            name="folder",
            field=models.CharField(blank=True, default="", max_length=130),
            preserve_default=False,
        ),
        migrations.AlterField(
            model_name="trainedmatcher",
            name="weights",
            field=models.TextField(blank=True),
        ),
        migrations.AlterField(
            model_name="trainedmatcher",
            name="kind",
            field=models.CharField(
                choices=[("cfmatch", "cfmatch"), ("feather", "feather"), ("bem", "bem")],
                max_length=18,
            ),
        ),
        migrations.RemoveConstraint(
            model_name="trainedmatcher",
            name="trained_matcher_kind_known",
        ),
        migrations.AddConstraint(
            model_name="trainedmatcher",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["cfmatch", "feather", "bem"])),
                name="trained_matcher_kind_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="trainedmatcher",
            constraint=models.CheckConstraint(
                condition=models.Q(("weights", ""), ("folder", ""), _connector="XOR"),
                name="trained_matcher_weights_or_folder",
            ),
        ),
        migrations.RunPython(migrations.RunPython.noop, forget_bem),
    ]
