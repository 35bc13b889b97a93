"""Invitations to addresses, senders of mails by campaign, and the language of a person's mails."""

import django.core.validators
import django.db.models.deletion
import django.db.models.functions.text
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tasks', '0013_campaign_lives'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='delivery',
            name='alert_event_or_messages_are_told',
        ),
        migrations.AddField(
            model_name='campaign',
            name='mail_reply_to',
            field=models.EmailField(blank=True, db_default='', default='', max_length=254),
        ),
        migrations.AddField(
            model_name='campaign',
            name='mail_sender_name',
            field=models.CharField(blank=True, db_default='', default='', max_length=100, validators=[django.core.validators.RegexValidator('[\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029]', 'Line breaks are not allowed.', inverse_match=True)]),
        ),
        migrations.AddField(
            model_name='delivery',
            name='invitation',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='deliveries', to='tasks.invitation'),
        ),
        migrations.AddField(
            model_name='invitation',
            name='address',
            field=models.EmailField(blank=True, db_default='', default='', max_length=254),
        ),
        migrations.AddField(
            model_name='invitation',
            name='addressee',
            field=models.CharField(blank=True, db_default='', default='', max_length=100),
        ),
        migrations.AddField(
            model_name='invitation',
            name='language',
            field=models.CharField(blank=True, db_default='', default='', max_length=10),
        ),
        migrations.AddField(
            model_name='invitation',
            name='message',
            field=models.TextField(blank=True, db_default='', default=''),
        ),
        migrations.AddField(
            model_name='user',
            name='language',
            field=models.CharField(blank=True, db_default='', default='', max_length=10),
        ),
        migrations.AddConstraint(
            model_name='delivery',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('alert__isnull', False), ('event__isnull', True), ('invitation__isnull', True), ('user__isnull', True), ('webhook__isnull', True)), models.Q(('alert__isnull', True), ('event__isnull', False), ('invitation__isnull', True), ('user__isnull', True), ('webhook__isnull', False)), models.Q(('alert__isnull', True), ('event__isnull', True), ('invitation__isnull', True), ('user__isnull', False), ('webhook__isnull', True)), models.Q(('alert__isnull', True), ('event__isnull', True), ('invitation__isnull', False), ('user__isnull', True), ('webhook__isnull', True)), _connector='OR'), name='delivery_of_one_thing'),
        ),
        migrations.AddConstraint(
            model_name='invitation',
            constraint=models.UniqueConstraint(models.F('campaign'), django.db.models.functions.text.Lower('address'), condition=models.Q(models.Q(('address', ''), _negated=True), ('revoked_at', None)), name='address_invited_once'),
        ),
    ]
