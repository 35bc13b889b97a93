"""Secrets that have to be read again are sealed, and recovery codes are hashes."""

from collections.abc import Callable
from typing import Any

import django.db.models.deletion
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django_otp.util import random_hex

import tasks.models.sealed.field
from tasks.sealing.codes import hashed
from tasks.sealing.texts import opened, place_of, seal

# by model its table and, by field, the columns
SEALED = {
    "AlertChannels": (
        "tasks_alertchannels",
        {"sealed_url": "webhook_url", "sealed_secret": "webhook_secret"},
    ),
    "Webhook": ("tasks_webhook", {"sealed_url": "url", "sealed_secret": "secret"}),
}


def seal_all(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    """Seal what is there for its place.

    An app's row in django-otp's table gets digits that no app knows, and recovery codes are taken
    out of it: code of before, which may still serve, asks for a code then and takes none.
    """
    _change_texts(apps, seal)
    app_model = apps.get_model("tasks", "AuthenticatorApp")
    devices = apps.get_model("otp_totp", "TOTPDevice").objects
    for device in devices.all():
        _add_to(device, app_model, sealed_key=seal(device.key, _place_of_app(device.pk)))
        devices.filter(pk=device.pk).update(key=random_hex(20))
    codes_model = apps.get_model("tasks", "RecoveryCodes")
    tokens = apps.get_model("otp_static", "StaticToken").objects
    for device in apps.get_model("otp_static", "StaticDevice").objects.all():
        own = tokens.filter(device=device)
        _add_to(device, codes_model, **hashed(own.values_list("token", flat=True)))
        own.delete()


def open_all(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    """Back as it was, but for recovery codes: a hash has no way back, and people make new ones."""
    _change_texts(apps, opened)
    devices = apps.get_model("otp_totp", "TOTPDevice").objects
    for app in apps.get_model("tasks", "AuthenticatorApp").objects.all():
        devices.filter(pk=app.pk).update(key=opened(app.sealed_key, _place_of_app(app.pk)))


def _change_texts(apps: Apps, change: Callable[[str, str], str]) -> None:
    for model, (table, columns) in SEALED.items():
        rows = apps.get_model("tasks", model).objects
        for row in rows.all():
            texts = {
                field: change(getattr(row, field), place_of(table, column, row.pk))
                for field, column in columns.items()
            }
            rows.filter(pk=row.pk).update(**texts)


def _place_of_app(key: int) -> str:
    return place_of("tasks_authenticatorapp", "sealed_key", key)


def _add_to(parent: Any, model: Any, **fields: Any) -> None:
    """A row of a table that continues the parent's row, which stays as it is."""
    row = model(**{model._meta.pk.attname: parent.pk}, **fields)
    row.save_base(raw=True, force_insert=True)


class Migration(migrations.Migration):

    dependencies = [
        ('tasks', '0014_personal_invitations'),
        ('otp_totp', '0003_add_timestamps'),
        ('otp_static', '0003_add_timestamps'),
    ]

    operations = [
        migrations.AlterField(
            model_name='alertchannels',
            name='webhook_url',
            field=tasks.models.sealed.field.SealedField(blank=True, db_column='webhook_url'),
        ),
        migrations.RenameField(
            model_name='alertchannels',
            old_name='webhook_url',
            new_name='sealed_url',
        ),
        migrations.AlterField(
            model_name='alertchannels',
            name='webhook_secret',
            field=tasks.models.sealed.field.SealedField(blank=True, db_column='webhook_secret'),
        ),
        migrations.RenameField(
            model_name='alertchannels',
            old_name='webhook_secret',
            new_name='sealed_secret',
        ),
        migrations.AlterField(
            model_name='webhook',
            name='url',
            field=tasks.models.sealed.field.SealedField(blank=True, db_column='url'),
        ),
        migrations.RenameField(
            model_name='webhook',
            old_name='url',
            new_name='sealed_url',
        ),
        migrations.AlterField(
            model_name='webhook',
            name='secret',
            field=tasks.models.sealed.field.SealedField(blank=True, db_column='secret'),
        ),
        migrations.RenameField(
            model_name='webhook',
            old_name='secret',
            new_name='sealed_secret',
        ),
        migrations.CreateModel(
            name='AuthenticatorApp',
            fields=[
                ('totpdevice_ptr', models.OneToOneField(auto_created=True, on_delete=django.db.models.deletion.CASCADE, parent_link=True, primary_key=True, serialize=False, to='otp_totp.totpdevice')),
                ('sealed_key', tasks.models.sealed.field.SealedField(blank=True)),
            ],
            options={
                'verbose_name': 'authenticator app',
            },
            bases=('otp_totp.totpdevice',),
        ),
        migrations.CreateModel(
            name='RecoveryCodes',
            fields=[
                ('staticdevice_ptr', models.OneToOneField(auto_created=True, on_delete=django.db.models.deletion.CASCADE, parent_link=True, primary_key=True, serialize=False, to='otp_static.staticdevice')),
                ('salt', models.CharField(max_length=32)),
                ('digests', models.JSONField(default=list)),
            ],
            options={
                'verbose_name': 'recovery codes',
                'verbose_name_plural': 'recovery codes',
            },
            bases=('otp_static.staticdevice',),
        ),
        migrations.RunPython(seal_all, open_all),
    ]
