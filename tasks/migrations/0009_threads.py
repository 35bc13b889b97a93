"""Conversations of raters and admins about items, inboxes, answers shown to all who rate an item,
and mails about messages by choice. Every flag of before begins a conversation."""

import uuid

import django.db.models.deletion
import django.db.models.functions.datetime
from django.apps.registry import Apps
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def open_threads_of_flags(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    """How a flag was settled stays with it: admins wrote that for each other, and it may tell what
    others said of the item."""
    flag, thread, message = (apps.get_model("tasks", name) for name in ("Flag", "Thread", "Message"))
    opened = {}

    def messages():
        # a rater has one open flag on an item at a time, so these are in the order of time as well
        for raised in flag.objects.order_by("pk").iterator():
            key = raised.item_id, raised.rater_id
            if key not in opened:
                begun = thread(item_id=key[0], rater_id=key[1], created_at=raised.created_at)
                begun.save()
                opened[key] = begun.pk
            yield message(thread_id=opened[key], author_id=raised.rater_id, kind="flag", text=raised.reason, created_at=raised.created_at)
            if raised.settled_at:
                yield message(thread_id=opened[key], author_id=raised.settled_by_id, kind="settled", created_at=raised.settled_at)

    message.objects.bulk_create(messages(), batch_size=1000)


def forget_messages(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """What an earlier version cannot tell: messages, by mail or to webhooks."""
    notice, delivery, event = (apps.get_model("tasks", name) for name in ("Notice", "Delivery", "Event"))
    notice.objects.update(mail=None)
    delivery.objects.filter(user__isnull=False).delete()
    delivery.objects.filter(event__kind="message.written").delete()
    event.objects.filter(kind="message.written").delete()
    editor.connection.check_constraints()  # PostgreSQL alters no table that still has to be


class Migration(migrations.Migration):

    dependencies = [
        ('tasks', '0008_figures_of_a_part'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='delivery',
            name='alert_or_event_is_told',
        ),
        migrations.RemoveConstraint(
            model_name='event',
            name='event_kind_known',
        ),
        migrations.AddField(
            model_name='delivery',
            name='user',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='user',
            name='message_mails',
            field=models.CharField(choices=[('none', 'None'), ('daily', 'Once a day, if there is something new'), ('at-once', 'At once')], db_default='none', default='none', max_length=10),
        ),
        migrations.AlterField(
            model_name='event',
            name='kind',
            field=models.CharField(choices=[('rating.stored', 'A rating was stored'), ('rating.revised', 'A rating was revised'), ('item.completed', 'An item has all its ratings'), ('campaign.completed', 'Every item has all its ratings'), ('adjudication.decided', 'An adjudicator decided'), ('release.published', 'A release was published'), ('release.withdrawn', 'A release was withdrawn'), ('job.done', 'A job is done'), ('job.failed', 'A job failed'), ('import.done', 'A file was imported'), ('alert.raised', 'An alert was raised'), ('message.written', 'A message was written'), ('webhook.tried', 'A trial')], max_length=40),
        ),
        migrations.AddConstraint(
            model_name='delivery',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('alert__isnull', False), ('event', None), ('user', None), ('webhook', None)), models.Q(('alert', None), ('event__isnull', False), ('user', None), ('webhook__isnull', False)), models.Q(('alert', None), ('event', None), ('user__isnull', False), ('webhook', None)), _connector='OR'), name='alert_event_or_messages_are_told'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['rating.stored', 'rating.revised', 'item.completed', 'campaign.completed', 'adjudication.decided', 'release.published', 'release.withdrawn', 'job.done', 'job.failed', 'import.done', 'alert.raised', 'message.written', 'webhook.tried'])), name='event_kind_known'),
        ),
        migrations.AddConstraint(
            model_name='user',
            constraint=models.CheckConstraint(condition=models.Q(('message_mails__in', ['none', 'daily', 'at-once'])), name='message_mails_known'),
        ),
        migrations.CreateModel(
            name='Thread',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('item', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='threads', to='tasks.item')),
                ('rater', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='threads', to='tasks.membership')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('item', 'rater'), name='one_thread_per_item_and_rater')],
            },
        ),
        migrations.CreateModel(
            name='Message',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('flag', 'Flag'), ('words', 'Message'), ('settled', 'Flag settled')], max_length=20)),
                ('text', models.TextField(blank=True, max_length=2000)),
                ('idempotency_key', models.CharField(default=uuid.uuid4, max_length=100)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('author', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tasks.membership')),
                ('thread', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='messages', to='tasks.thread')),
            ],
            options={
                'indexes': [models.Index(fields=['author', 'created_at'], name='messages_of_author')],
                'constraints': [models.UniqueConstraint(fields=('author', 'idempotency_key'), name='message_key_once'), models.CheckConstraint(condition=models.Q(('kind__in', ['flag', 'words', 'settled'])), name='message_kind_known'), models.CheckConstraint(condition=models.Q(('kind', 'settled'), models.Q(('text', ''), _negated=True), _connector='OR'), name='message_has_a_text')],
            },
        ),
        migrations.CreateModel(
            name='Notice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('is_mention', models.BooleanField(default=False)),
                ('read_at', models.DateTimeField(null=True)),
                ('mail', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='notices', to='tasks.delivery')),
                ('member', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='notices', to='tasks.membership')),
                ('message', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='notices', to='tasks.message')),
                ('thread', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='notices', to='tasks.thread')),
            ],
            options={
                'indexes': [models.Index(fields=['member', 'thread', 'id'], name='notices_of_member'), models.Index(condition=models.Q(('read_at', None)), fields=['member', 'thread'], name='unread_notices')],
                'constraints': [models.UniqueConstraint(fields=('message', 'member'), name='one_notice_per_message_and_member')],
            },
        ),
        migrations.CreateModel(
            name='SharedAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('message', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='shared', to='tasks.message')),
            ],
        ),
        migrations.CreateModel(
            name='OpenedAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('opened_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('rater', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tasks.membership')),
                ('answer', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='opened', to='tasks.sharedanswer')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('answer', 'rater'), name='answer_opened_once')],
            },
        ),
        migrations.RunPython(open_threads_of_flags, forget_messages),
    ]
