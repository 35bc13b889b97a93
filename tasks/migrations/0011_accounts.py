"""Accounts: names that look alike."""

import tasks.models.people
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from tasks.models.account_names import shape_of


def give_shapes(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    """The oldest of those that look alike has the shape; the others keep their names without."""
    users = apps.get_model("tasks", "User").objects
    seen: set[str] = set()
    for key, name in users.order_by("pk").values_list("pk", "username").iterator():
        shape = shape_of(name)
        if shape not in seen:
            seen.add(shape)
            users.filter(pk=key).update(name_shape=shape)


class Migration(migrations.Migration):

    dependencies = [
        ('tasks', '0010_visitor_limits'),
    ]

    operations = [
        migrations.AlterModelManagers(
            name='user',
            managers=[
                ('objects', tasks.models.people.AccountManager()),
            ],
        ),
        migrations.AddField(
            model_name='user',
            name='name_shape',
            field=models.CharField(editable=False, max_length=450, null=True, unique=True),
        ),
        migrations.RunPython(give_shapes, migrations.RunPython.noop),
    ]
