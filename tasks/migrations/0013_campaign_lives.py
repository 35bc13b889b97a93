"""Campaigns can be archived, deleted and, after a while, removed."""

from typing import Any

from django.db import migrations, models


def pause_archived(apps: Any, _schema_editor: Any) -> None:
    """The code of before knows no archived campaigns."""
    apps.get_model("tasks", "Campaign").objects.filter(state="archived").update(state="paused")


class Migration(migrations.Migration):

    dependencies = [
        ('tasks', '0012_campaign_language'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='campaign',
            name='campaign_state_known',
        ),
        migrations.RunPython(migrations.RunPython.noop, pause_archived),
        migrations.AddField(
            model_name='campaign',
            name='deleted_at',
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='campaign',
            name='removed_at',
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AlterField(
            model_name='campaign',
            name='state',
            field=models.CharField(choices=[('open', 'Open'), ('paused', 'Paused'), ('archived', 'Archived')], default='open', max_length=20),
        ),
        migrations.AlterField(
            model_name='job',
            name='kind',
            field=models.CharField(choices=[('suggest', 'Suggestions of a matcher'), ('answer', 'Candidates of an answerer'), ('generate', 'Generated texts'), ('train', 'Training of a matcher'), ('release', 'Release'), ('preview', 'Preview of a release'), ('evaluate', 'Evaluation'), ('submission', 'Scoring of a submission'), ('copy', 'Data from another campaign')], max_length=20),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['open', 'paused', 'archived'])), name='campaign_state_known'),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=models.Q(('deleted_at', None), ('state', 'archived'), _connector='OR'), name='deleted_campaign_is_archived'),
        ),
        migrations.AddConstraint(
            model_name='campaign',
            constraint=models.CheckConstraint(condition=models.Q(('removed_at', None), ('deleted_at__isnull', False), _connector='OR'), name='removed_campaign_is_deleted'),
        ),
    ]
