"""The language of a campaign is a code: nothing changes in the database."""

import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tasks', '0011_markdown_passages'),
    ]

    operations = [
        migrations.AlterField(
            model_name='campaign',
            name='language',
            field=models.CharField(default='en', max_length=35, validators=[django.core.validators.RegexValidator('^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*\\Z', 'this is no code of a language, such as ar or zh-Hant')]),
        ),
    ]
