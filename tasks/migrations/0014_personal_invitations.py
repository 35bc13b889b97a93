import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tasks', '0013_sessions'),
    ]

    operations = [
        migrations.CreateModel(
            name='PersonalInvitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=150)),
                ('role', models.CharField(choices=[('rater', 'Rater'), ('researcher', 'Researcher'), ('admin', 'Admin')], default='rater', max_length=20)),
                ('state', models.CharField(choices=[('waiting', 'Waiting'), ('accepted', 'Accepted'), ('declined', 'Declined'), ('ended', 'Ended')], default='waiting', max_length=20)),
                ('expires_at', models.DateTimeField()),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('campaign', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='personal_invitations', to='tasks.campaign')),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='personal_invitations', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('state__in', ['waiting', 'declined'])), fields=('campaign', 'name'), name='person_invited_once'), models.CheckConstraint(condition=models.Q(('state__in', ['waiting', 'accepted', 'declined', 'ended'])), name='answer_state_known'), models.CheckConstraint(condition=models.Q(('role__in', ['rater', 'researcher', 'admin'])), name='personal_role_known')],
            },
        ),
    ]
