"""By which rule answers are exact: campaigns that are there keep the normal form of SQuAD."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

_RULES = [
    ("strict", "Says the same as a reference, signs and symbols included"),
    ("squad", "Equals a reference without punctuation and articles (SQuAD)"),
]


def unsettle_empty_answers(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    """An empty answer equalled a reference of which the normal form leaves nothing."""
    candidates = apps.get_model("tasks", "Candidate").objects.filter(is_exact_match=True)
    candidates.filter(text__regex=r"^\s*$").update(is_exact_match=False)


class Migration(migrations.Migration):

    dependencies = [("tasks", "0002_item_intended")]

    operations = [
        migrations.AddField(
            "campaign",
            "exact_rule",
            models.CharField(
                choices=_RULES, db_default="squad", default="strict", max_length=20
            ),
        ),
        migrations.AddConstraint(
            "campaign",
            models.CheckConstraint(
                condition=models.Q(exact_rule__in=["strict", "squad"]), name="exact_rule_known"
            ),
        ),
        migrations.RunPython(unsettle_empty_answers, migrations.RunPython.noop),
    ]
