"""The data explorer: summaries of items and the queue that keeps them true, text search, saved
views, tags, and acts on many items."""

import uuid

import django.db.models.deletion
import django.db.models.functions.datetime
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def order_by_code_points(_apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """As SQLite does, and quicker to compare than by the rules of a language."""
    if editor.connection.vendor == "postgresql":
        for column, length in {"question_start": 40, "candidate_start": 40, "label": 60}.items():
            editor.execute(
                f'ALTER TABLE tasks_itemsummary ALTER COLUMN {column} TYPE varchar({length}) COLLATE "C"'
            )


def drop_what_follows(_apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """What is made after migrations: the triggers, which name tables that go, and the words."""
    if editor.connection.vendor == "postgresql":
        editor.execute(
            "DO $$ DECLARE each record; BEGIN FOR each IN SELECT proname FROM pg_proc WHERE starts_with(proname, 'tomahto_stale_')"
            " LOOP EXECUTE 'DROP FUNCTION ' || each.proname || '() CASCADE'; END LOOP; END $$"
        )
    editor.execute("DROP TABLE IF EXISTS tomahto_words")


class Migration(migrations.Migration):

    dependencies = [
        ('tasks', '0005_membership_has_been_more'),
    ]

    operations = [
        migrations.CreateModel(
            name='ItemScore',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('matcher', models.CharField(max_length=80)),
                ('score', models.FloatField()),
                ('is_correct', models.BooleanField()),
                ('differs', models.BooleanField(null=True)),
                ('campaign', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tasks.campaign')),
                ('item', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tasks.item')),
            ],
            options={
                'indexes': [models.Index(fields=['campaign', 'matcher', 'score', 'item'], name='scores_in_order'), models.Index(fields=['campaign', 'matcher', 'is_correct', 'item'], name='scores_by_verdict'), models.Index(condition=models.Q(('differs', True)), fields=['campaign', 'matcher', 'item'], name='scores_that_differ')],
                'constraints': [models.UniqueConstraint(fields=('item', 'matcher'), name='one_score_per_matcher')],
            },
        ),
        migrations.CreateModel(
            name='ItemSummary',
            fields=[
                ('item', models.OneToOneField(db_constraint=False, on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='summary', serialize=False, to='tasks.item')),
                ('purpose', models.CharField(max_length=20)),
                ('question_type', models.CharField(blank=True, max_length=60)),
                ('split', models.CharField(blank=True, max_length=40)),
                ('question_start', models.CharField(blank=True, max_length=40)),
                ('candidate_start', models.CharField(blank=True, max_length=40)),
                ('ratings', models.PositiveIntegerField(default=0)),
                ('wanted', models.PositiveIntegerField(default=0)),
                ('unfilled', models.PositiveIntegerField(default=0)),
                ('label', models.CharField(blank=True, max_length=60)),
                ('labels', models.BigIntegerField(default=0)),
                ('is_tied', models.BooleanField(default=False)),
                ('is_disputed', models.BooleanField(default=False)),
                ('share', models.FloatField(default=-1.0)),
                ('first_rated_at', models.DateTimeField(null=True)),
                ('last_rated_at', models.DateTimeField()),
                ('decided', models.CharField(blank=True, max_length=60)),
                ('is_decided', models.BooleanField(default=False)),
                ('open_flags', models.PositiveIntegerField(default=0)),
                ('flags', models.PositiveIntegerField(default=0)),
                ('skips', models.PositiveIntegerField(default=0)),
                ('state', models.CharField(choices=[('open', 'Not finished'), ('rated', 'Rated'), ('disputed', 'Disputed'), ('decided', 'Decided'), ('apart', 'No votes'), ('dismissed', 'Dismissed')], max_length=20)),
                ('campaign', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tasks.campaign')),
                ('document', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tasks.document')),
            ],
            options={
                'verbose_name_plural': 'item summaries',
                'indexes': [models.Index(fields=['campaign', 'item'], name='summary_by_item'), models.Index(fields=['campaign', 'question_start', 'item'], name='summary_by_question'), models.Index(fields=['campaign', 'candidate_start', 'item'], name='summary_by_candidate'), models.Index(fields=['campaign', 'ratings', 'item'], name='summary_by_ratings'), models.Index(fields=['campaign', 'share', 'item'], name='summary_by_share'), models.Index(fields=['campaign', 'last_rated_at', 'item'], name='summary_by_time'), models.Index(fields=['campaign', 'label', 'item'], name='summary_by_label'), models.Index(fields=['campaign', 'state', 'item'], name='summary_by_state'), models.Index(fields=['campaign', 'document', 'item'], name='summary_by_document'), models.Index(condition=models.Q(('flags__gt', 0)), fields=['campaign', 'item'], name='summary_flagged'), models.Index(condition=models.Q(('is_disputed', True)), fields=['campaign', 'item'], name='summary_disputed'), models.Index(fields=['campaign', 'purpose', 'item'], name='summary_by_purpose'), models.Index(fields=['campaign', 'question_type', 'item'], name='summary_by_type'), models.Index(fields=['campaign', 'split', 'item'], name='summary_by_split')],
                'constraints': [models.CheckConstraint(condition=models.Q(('state__in', ['open', 'rated', 'disputed', 'decided', 'apart', 'dismissed'])), name='item_state_known')],
            },
        ),
        migrations.CreateModel(
            name='SavedView',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=100)),
                ('query', models.TextField(blank=True)),
                ('is_shared', models.BooleanField(default=False)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='saved_views', to='tasks.campaign')),
                ('member', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tasks.membership')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('member', 'name'), name='view_name_once_per_member'), models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='view_has_a_name')],
            },
        ),
        migrations.CreateModel(
            name='StaleItem',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('texts', models.BooleanField(db_default=False, default=False)),
                ('campaign', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tasks.campaign')),
                ('item', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tasks.item')),
            ],
            options={
                'indexes': [models.Index(fields=['campaign', 'item'], name='stale_items_of_campaign')],
            },
        ),
        migrations.CreateModel(
            name='ItemHandling',
            fields=[
                ('item', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='handling', serialize=False, to='tasks.item')),
                ('is_dismissed', models.BooleanField(default=False)),
                ('is_sent', models.BooleanField(default=False)),
                ('more_ratings', models.PositiveSmallIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name='Tag',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60)),
                ('campaign', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='tags', to='tasks.campaign')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('campaign', 'name'), name='tag_name_unique'), models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='tag_has_a_name')],
            },
        ),
        migrations.CreateModel(
            name='ItemTag',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='item_tags', to='tasks.item')),
                ('tag', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='item_tags', to='tasks.tag')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('tag', 'item'), name='tag_once_per_item')],
            },
        ),
        migrations.CreateModel(
            name='BulkAct',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('tag', 'Tag'), ('untag', 'Remove a tag'), ('send-to-adjudication', 'Send to adjudication'), ('more-ratings', 'Ask for more ratings'), ('dismiss', 'Dismiss'), ('take-back', 'Take back the dismissal')], max_length=30)),
                ('options', models.JSONField(default=dict)),
                ('left_out', models.JSONField(default=dict)),
                ('result', models.JSONField(default=dict)),
                ('idempotency_key', models.CharField(default=uuid.uuid4, max_length=100)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('undone_at', models.DateTimeField(null=True)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='bulk_acts', to='tasks.campaign')),
                ('member', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tasks.membership')),
                ('undone_by', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tasks.membership')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('member', 'idempotency_key'), name='bulk_act_key_once'), models.CheckConstraint(condition=models.Q(models.Q(('undone_at', None), ('undone_by', None)), models.Q(('undone_at__isnull', False), ('undone_by__isnull', False)), _connector='OR'), name='bulk_act_undone_by_somebody')],
            },
        ),
        migrations.CreateModel(
            name='ActedItem',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('act', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='acted_items', to='tasks.bulkact')),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='acted', to='tasks.item')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('act', 'item'), name='acted_on_once')],
            },
        ),
        migrations.RunPython(order_by_code_points, drop_what_follows),
    ]
