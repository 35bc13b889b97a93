"""What generated candidates were meant to be, of those that were approved before it was kept."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def take_over_targets(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    """An item was made of a text if question and candidate are the same; a text without a source
    has a question of its own, whose key begins with the text's fingerprint."""
    item, text = apps.get_model("tasks", "Item"), apps.get_model("tasks", "GeneratedText")
    for each in text.objects.filter(state="approved").order_by("-target").iterator():
        of_text = (
            {"question_id": each.source_id}
            if each.source_id
            else {
                "question__campaign_id": each.campaign_id,
                "question__key": f"generated-{each.fingerprint[:16]}",
            }
        )
        items = item.objects.filter(candidate=each.candidate, purpose="live", **of_text)
        items.update(intended=each.target)


class Migration(migrations.Migration):

    dependencies = [("tasks", "0001_initial")]

    operations = [
        migrations.AddField(
            "item",
            "intended",
            models.CharField(blank=True, db_default="", default="", max_length=100),
        ),
        migrations.RunPython(take_over_targets, migrations.RunPython.noop),
    ]
