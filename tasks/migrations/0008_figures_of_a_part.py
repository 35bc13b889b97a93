"""Figures of a part of the ratings of a large campaign, which a worker works out on request."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tasks', '0007_given_places_and_copies'),
    ]

    operations = [
        migrations.CreateModel(
            name='NarrowedFigures',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('narrowing', models.TextField()),
                ('name', models.CharField(max_length=40)),
                ('content', models.TextField(blank=True)),
                ('looked_at', models.DateTimeField()),
                ('assessment', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='narrowed_figures', to='tasks.assessment')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('assessment', 'narrowing', 'name'), name='narrowed_figures_once_per_name')],
            },
        ),
    ]
