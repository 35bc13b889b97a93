"""The tables of the first release."""

import django.contrib.auth.models
import django.contrib.auth.validators
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.datetime
import django.utils.timezone
import tasks.models.campaign
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        migrations.CreateModel(
            name="Assignment",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("active", "Active"),
                            ("submitted", "Submitted"),
                            ("skipped", "Skipped"),
                        ],
                        default="active",
                        max_length=20,
                    ),
                ),
                ("skip_reason", models.CharField(blank=True, max_length=500)),
                (
                    "claimed_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Outcome",
            fields=[
                ("id", models.CharField(max_length=200, primary_key=True, serialize=False)),
                ("protocol", models.CharField(max_length=40)),
                ("answers", models.JSONField()),
                ("label", models.CharField(max_length=60)),
                ("reading", models.CharField(max_length=60)),
            ],
        ),
        migrations.CreateModel(
            name="User",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                (
                    "last_login",
                    models.DateTimeField(blank=True, null=True, verbose_name="last login"),
                ),
                (
                    "is_superuser",
                    models.BooleanField(
                        default=False,
                        help_text="Designates that this user has all permissions without explicitly assigning them.",
                        verbose_name="superuser status",
                    ),
                ),
                (
                    "username",
                    models.CharField(
                        error_messages={"unique": "A user with that username already exists."},
                        help_text="Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.",
                        max_length=150,
                        unique=True,
                        validators=[django.contrib.auth.validators.UnicodeUsernameValidator()],
                        verbose_name="username",
                    ),
                ),
                (
                    "first_name",
                    models.CharField(blank=True, max_length=150, verbose_name="first name"),
                ),
                (
                    "last_name",
                    models.CharField(blank=True, max_length=150, verbose_name="last name"),
                ),
                (
                    "email",
                    models.EmailField(blank=True, max_length=254, verbose_name="email address"),
                ),
                (
                    "is_staff",
                    models.BooleanField(
                        default=False,
                        help_text="Designates whether the user can log into this admin site.",
                        verbose_name="staff status",
                    ),
                ),
                (
                    "is_active",
                    models.BooleanField(
                        default=True,
                        help_text="Designates whether this user should be treated as active. Unselect this instead of deleting accounts.",
                        verbose_name="active",
                    ),
                ),
                (
                    "date_joined",
                    models.DateTimeField(
                        default=django.utils.timezone.now, verbose_name="date joined"
                    ),
                ),
                (
                    "groups",
                    models.ManyToManyField(
                        blank=True,
                        help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.group",
                        verbose_name="groups",
                    ),
                ),
                (
                    "user_permissions",
                    models.ManyToManyField(
                        blank=True,
                        help_text="Specific permissions for this user.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.permission",
                        verbose_name="user permissions",
                    ),
                ),
            ],
            options={
                "verbose_name": "user",
                "verbose_name_plural": "users",
                "abstract": False,
            },
            managers=[
                ("objects", django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name="ApiToken",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("digest", models.CharField(max_length=64, unique=True)),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="api_tokens",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Campaign",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "slug",
                    models.CharField(
                        max_length=60,
                        unique=True,
                        validators=[
                            django.core.validators.RegexValidator(
                                "\\A[a-z0-9]+(-[a-z0-9]+)*\\Z",
                                "lower-case letters, digits and single hyphens between them",
                            )
                        ],
                    ),
                ),
                ("title", models.CharField(max_length=200)),
                ("description", models.TextField(blank=True)),
                (
                    "protocol",
                    models.CharField(
                        max_length=40, validators=[tasks.models.campaign.validate_protocol]
                    ),
                ),
                (
                    "overlap",
                    models.PositiveSmallIntegerField(
                        default=3,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(100),
                        ],
                    ),
                ),
                (
                    "suggestions",
                    models.CharField(
                        choices=[
                            ("hidden", "Never shown"),
                            ("before", "Shown with the item"),
                            ("after", "Shown once the rater has answered"),
                            ("randomised", "Shown with the item for a random half"),
                        ],
                        default="hidden",
                        max_length=20,
                    ),
                ),
                ("suggestion_matcher", models.CharField(default="cfmatch", max_length=60)),
                (
                    "state",
                    models.CharField(
                        choices=[("open", "Open"), ("paused", "Paused")],
                        default="open",
                        max_length=20,
                    ),
                ),
                (
                    "lease_minutes",
                    models.PositiveSmallIntegerField(
                        default=30,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(1440),
                        ],
                    ),
                ),
                (
                    "item_order",
                    models.CharField(
                        choices=[
                            ("complete", "Shuffled, finishing items one after another"),
                            ("random", "Shuffled, spreading over all items first"),
                            ("oldest", "As imported, oldest first"),
                            ("uncertain", "Most uncertain suggestion first"),
                        ],
                        default="complete",
                        max_length=20,
                    ),
                ),
                ("rater_quota", models.PositiveIntegerField(blank=True, null=True)),
                ("control_every", models.PositiveSmallIntegerField(default=0)),
                ("shows_differences", models.BooleanField(default=True)),
                ("requires_calibration", models.BooleanField(default=False)),
                (
                    "calibration_pass_percent",
                    models.PositiveSmallIntegerField(
                        default=80,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(100),
                        ],
                    ),
                ),
                (
                    "calibration_attempts",
                    models.PositiveSmallIntegerField(
                        default=3,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(100),
                        ],
                    ),
                ),
                ("completion_code", models.CharField(blank=True, max_length=100)),
                ("completion_url", models.URLField(blank=True, max_length=500)),
                ("seed", models.PositiveIntegerField(default=0)),
                ("language", models.CharField(default="en", max_length=35)),
                ("licence", models.CharField(default="cc-by-4.0", max_length=60)),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["title"],
            },
        ),
        migrations.CreateModel(
            name="ConsentText",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("version", models.PositiveIntegerField()),
                ("text", models.TextField()),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="consent_texts",
                        to="tasks.campaign",
                    ),
                ),
            ],
            options={
                "ordering": ["version"],
            },
        ),
        migrations.AddField(
            model_name="campaign",
            name="consent_text",
            field=models.ForeignKey(
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="tasks.consenttext",
            ),
        ),
        migrations.CreateModel(
            name="Document",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=255)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="documents",
                        to="tasks.campaign",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Guideline",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("version", models.PositiveIntegerField()),
                ("text", models.TextField()),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="guidelines",
                        to="tasks.campaign",
                    ),
                ),
            ],
            options={
                "ordering": ["version"],
            },
        ),
        migrations.CreateModel(
            name="Draft",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("answers", models.JSONField(default=dict)),
                ("comment", models.TextField(blank=True)),
                ("seconds", models.FloatField(default=0)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "assignment",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="drafts",
                        to="tasks.assignment",
                    ),
                ),
                (
                    "guideline",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, to="tasks.guideline"
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="campaign",
            name="guideline",
            field=models.ForeignKey(
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="tasks.guideline",
            ),
        ),
        migrations.CreateModel(
            name="CalibrationAttempt",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                (
                    "started_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                ("finished_at", models.DateTimeField(null=True)),
                ("is_passed", models.BooleanField(null=True)),
                (
                    "guideline",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tasks.guideline",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("account", "People make an account or use theirs"),
                            (
                                "crowd",
                                "Visitors of a crowd service, known by the address they come with",
                            ),
                        ],
                        default="account",
                        max_length=20,
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("rater", "Rater"),
                            ("researcher", "Researcher"),
                            ("admin", "Admin"),
                        ],
                        default="rater",
                        max_length=20,
                    ),
                ),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("note", models.CharField(blank=True, max_length=200)),
                ("max_uses", models.PositiveIntegerField(blank=True, null=True)),
                ("expires_at", models.DateTimeField()),
                ("revoked_at", models.DateTimeField(null=True)),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="invitations",
                        to="tasks.campaign",
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Item",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=255)),
                ("references", models.JSONField()),
                ("reference_index", models.PositiveSmallIntegerField(null=True)),
                ("candidate", models.TextField()),
                (
                    "purpose",
                    models.CharField(
                        choices=[
                            ("live", "To be rated"),
                            ("calibration", "To train raters"),
                            ("control", "To check raters during live work"),
                        ],
                        default="live",
                        max_length=20,
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="items",
                        to="tasks.campaign",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="assignment",
            name="item",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="assignments",
                to="tasks.item",
            ),
        ),
        migrations.CreateModel(
            name="Job",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("suggest", "Suggestions of a matcher"),
                            ("answer", "Candidates of an answerer"),
                            ("release", "Release"),
                        ],
                        max_length=20,
                    ),
                ),
                ("parameters", models.JSONField(default=dict)),
                ("input_hash", models.CharField(max_length=64)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("queued", "Queued"),
                            ("running", "Running"),
                            ("done", "Done"),
                            ("failed", "Failed"),
                        ],
                        default="queued",
                        max_length=20,
                    ),
                ),
                ("done", models.PositiveIntegerField(default=0)),
                ("total", models.PositiveIntegerField(null=True)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("fence", models.PositiveIntegerField(default=0)),
                ("lease_until", models.DateTimeField(null=True)),
                ("sent_at", models.DateTimeField(null=True)),
                ("error", models.TextField(blank=True)),
                ("result", models.JSONField(null=True)),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                ("finished_at", models.DateTimeField(null=True)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="jobs",
                        to="tasks.campaign",
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
            },
        ),
        migrations.CreateModel(
            name="Membership",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=255)),
                ("pseudonym", models.CharField(max_length=40)),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("rater", "Rater"),
                            ("researcher", "Researcher"),
                            ("admin", "Admin"),
                        ],
                        default="rater",
                        max_length=20,
                    ),
                ),
                ("is_active", models.BooleanField(default=True)),
                ("is_paused", models.BooleanField(default=False)),
                ("quota", models.PositiveIntegerField(blank=True, null=True)),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="memberships",
                        to="tasks.campaign",
                    ),
                ),
                (
                    "consented_to",
                    models.ForeignKey(
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tasks.consenttext",
                    ),
                ),
                (
                    "invitation",
                    models.ForeignKey(
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="memberships",
                        to="tasks.invitation",
                    ),
                ),
                (
                    "passed_calibration",
                    models.ForeignKey(
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tasks.calibrationattempt",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="memberships",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Flag",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("reason", models.CharField(max_length=500)),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                ("settled_at", models.DateTimeField(null=True)),
                ("settlement", models.CharField(blank=True, max_length=500)),
                (
                    "item",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="flags",
                        to="tasks.item",
                    ),
                ),
                (
                    "rater",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="flags",
                        to="tasks.membership",
                    ),
                ),
                (
                    "settled_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tasks.membership",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="CrowdVisit",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("participant", models.CharField(max_length=200)),
                ("study", models.CharField(blank=True, max_length=200)),
                ("session", models.CharField(blank=True, max_length=200)),
                (
                    "entered_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="crowd_visits",
                        to="tasks.campaign",
                    ),
                ),
                (
                    "membership",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="crowd_visit",
                        to="tasks.membership",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Consent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "given_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                (
                    "text",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="consents",
                        to="tasks.consenttext",
                    ),
                ),
                (
                    "membership",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="consents",
                        to="tasks.membership",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="calibrationattempt",
            name="membership",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="calibration_attempts",
                to="tasks.membership",
            ),
        ),
        migrations.AddField(
            model_name="assignment",
            name="rater",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="assignments",
                to="tasks.membership",
            ),
        ),
        migrations.CreateModel(
            name="ExpectedAnswer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("explanation", models.TextField(blank=True)),
                (
                    "item",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="expected",
                        to="tasks.item",
                    ),
                ),
                (
                    "outcome",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tasks.outcome",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="CalibrationAnswer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "given_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                (
                    "attempt",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="answers",
                        to="tasks.calibrationattempt",
                    ),
                ),
                (
                    "item",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tasks.item",
                    ),
                ),
                (
                    "outcome",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tasks.outcome",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Question",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=255)),
                ("text", models.TextField()),
                ("context", models.TextField(blank=True)),
                ("fingerprint", models.CharField(max_length=24)),
                ("question_type", models.CharField(blank=True, max_length=60)),
                ("references", models.JSONField(default=list)),
                ("answer_starts", models.JSONField(default=list)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="questions",
                        to="tasks.campaign",
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="questions",
                        to="tasks.document",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="item",
            name="question",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="items",
                to="tasks.question",
            ),
        ),
        migrations.CreateModel(
            name="Release",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("version", models.CharField(max_length=40)),
                ("digest", models.CharField(max_length=64)),
                ("seed", models.PositiveIntegerField()),
                ("split", models.CharField(max_length=200)),
                ("splits", models.JSONField()),
                ("documents", models.JSONField()),
                ("items", models.PositiveIntegerField()),
                ("ratings", models.PositiveIntegerField()),
                ("path", models.CharField(max_length=1000)),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="releases",
                        to="tasks.campaign",
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
            },
        ),
        migrations.CreateModel(
            name="Slot",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("order_key", models.BigIntegerField(null=True)),
                ("expires_at", models.DateTimeField(null=True)),
                ("is_filled", models.BooleanField(default=False)),
                (
                    "campaign",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="slots",
                        to="tasks.campaign",
                    ),
                ),
                (
                    "holder",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="held_slot",
                        to="tasks.assignment",
                    ),
                ),
                (
                    "item",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="slots",
                        to="tasks.item",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Rating",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "suggestion_arm",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("", "Not known"),
                            ("hidden", "Not shown"),
                            ("before", "Shown with the item"),
                            ("after", "Shown after the answer"),
                        ],
                        default="",
                        max_length=20,
                    ),
                ),
                ("comment", models.TextField(blank=True)),
                ("seconds", models.FloatField(null=True)),
                ("rated_at", models.DateTimeField(null=True)),
                ("idempotency_key", models.CharField(max_length=100)),
                ("payload_hash", models.CharField(max_length=64)),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                (
                    "assignment",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="ratings",
                        to="tasks.assignment",
                    ),
                ),
                (
                    "guideline",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="ratings",
                        to="tasks.guideline",
                    ),
                ),
                (
                    "item",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="ratings",
                        to="tasks.item",
                    ),
                ),
                (
                    "outcome",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="ratings",
                        to="tasks.outcome",
                    ),
                ),
                (
                    "rater",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="ratings",
                        to="tasks.membership",
                    ),
                ),
                (
                    "supersedes",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="superseded_by",
                        to="tasks.rating",
                    ),
                ),
                (
                    "slot",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="ratings",
                        to="tasks.slot",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="assignment",
            name="slot",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="assignments",
                to="tasks.slot",
            ),
        ),
        migrations.CreateModel(
            name="Suggestion",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("matcher", models.CharField(max_length=60)),
                ("version", models.CharField(max_length=255)),
                ("score", models.FloatField()),
                ("is_correct", models.BooleanField()),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                (
                    "item",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="suggestions",
                        to="tasks.item",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="System",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=255)),
                (
                    "overlap",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(100),
                        ],
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="systems",
                        to="tasks.campaign",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ItemSystem",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "item",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="item_systems",
                        to="tasks.item",
                    ),
                ),
                (
                    "system",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="item_systems",
                        to="tasks.system",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Candidate",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("text", models.TextField(blank=True)),
                ("is_exact_match", models.BooleanField()),
                (
                    "question",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="candidates",
                        to="tasks.question",
                    ),
                ),
                (
                    "system",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="candidates",
                        to="tasks.system",
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="consenttext",
            constraint=models.UniqueConstraint(
                fields=("campaign", "version"), name="consent_text_version_unique"
            ),
        ),
        migrations.AddConstraint(
            model_name="document",
            constraint=models.UniqueConstraint(
                fields=("campaign", "key"), name="document_key_unique"
            ),
        ),
        migrations.AddConstraint(
            model_name="guideline",
            constraint=models.UniqueConstraint(
                fields=("campaign", "version"), name="guideline_version_unique"
            ),
        ),
        migrations.AddConstraint(
            model_name="draft",
            constraint=models.UniqueConstraint(
                fields=("assignment", "guideline"), name="one_draft_per_guideline"
            ),
        ),
        migrations.AddConstraint(
            model_name="campaign",
            constraint=models.CheckConstraint(
                condition=models.Q(("overlap__gte", 1), ("overlap__lte", 100)),
                name="overlap_in_range",
            ),
        ),
        migrations.AddConstraint(
            model_name="campaign",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("suggestions__in", ["hidden", "before", "after", "randomised"])
                ),
                name="suggestion_policy_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="campaign",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["open", "paused"])), name="campaign_state_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="campaign",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("item_order__in", ["complete", "random", "oldest", "uncertain"])
                ),
                name="item_order_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="campaign",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("calibration_pass_percent__gte", 1), ("calibration_pass_percent__lte", 100)
                ),
                name="pass_percent_in_range",
            ),
        ),
        migrations.AddConstraint(
            model_name="invitation",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["account", "crowd"])), name="invitation_kind_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="invitation",
            constraint=models.CheckConstraint(
                condition=models.Q(("role__in", ["rater", "researcher", "admin"])),
                name="invitation_role_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="invitation",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind", "crowd"), _negated=True), ("role", "rater"), _connector="OR"
                ),
                name="crowd_visitors_are_raters",
            ),
        ),
        migrations.AddConstraint(
            model_name="job",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state__in", ["queued", "running"])),
                fields=("campaign", "input_hash"),
                name="same_job_once_at_a_time",
            ),
        ),
        migrations.AddConstraint(
            model_name="job",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["queued", "running", "done", "failed"])),
                name="job_state_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="membership",
            constraint=models.UniqueConstraint(
                fields=("campaign", "user"), name="one_membership_per_user"
            ),
        ),
        migrations.AddConstraint(
            model_name="membership",
            constraint=models.UniqueConstraint(
                fields=("campaign", "name"), name="one_membership_per_name"
            ),
        ),
        migrations.AddConstraint(
            model_name="membership",
            constraint=models.UniqueConstraint(
                fields=("campaign", "pseudonym"), name="pseudonym_unique"
            ),
        ),
        migrations.AddConstraint(
            model_name="membership",
            constraint=models.CheckConstraint(
                condition=models.Q(("role__in", ["rater", "researcher", "admin"])),
                name="role_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="flag",
            constraint=models.UniqueConstraint(
                condition=models.Q(("settled_at", None)),
                fields=("item", "rater"),
                name="one_open_flag_per_item_and_rater",
            ),
        ),
        migrations.AddConstraint(
            model_name="flag",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("settled_at", None), ("settled_by", None)),
                    models.Q(("settled_at__isnull", False), ("settled_by__isnull", False)),
                    _connector="OR",
                ),
                name="flag_settled_by_somebody",
            ),
        ),
        migrations.AddConstraint(
            model_name="crowdvisit",
            constraint=models.UniqueConstraint(
                fields=("campaign", "participant"), name="participant_once_per_campaign"
            ),
        ),
        migrations.AddConstraint(
            model_name="consent",
            constraint=models.UniqueConstraint(
                fields=("membership", "text"), name="consent_given_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="calibrationattempt",
            constraint=models.UniqueConstraint(
                fields=("membership", "number"), name="calibration_attempt_unique"
            ),
        ),
        migrations.AddConstraint(
            model_name="calibrationattempt",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("finished_at", None), ("is_passed", None)),
                    models.Q(("finished_at__isnull", False), ("is_passed__isnull", False)),
                    _connector="OR",
                ),
                name="calibration_decided_when_finished",
            ),
        ),
        migrations.AddConstraint(
            model_name="calibrationanswer",
            constraint=models.UniqueConstraint(
                fields=("attempt", "item"), name="calibration_answer_once"
            ),
        ),
        migrations.AddIndex(
            model_name="question",
            index=models.Index(fields=["campaign", "fingerprint"], name="question_by_texts"),
        ),
        migrations.AddConstraint(
            model_name="question",
            constraint=models.UniqueConstraint(
                fields=("campaign", "key"), name="question_key_unique"
            ),
        ),
        migrations.AddConstraint(
            model_name="item",
            constraint=models.UniqueConstraint(fields=("campaign", "key"), name="item_key_unique"),
        ),
        migrations.AddConstraint(
            model_name="item",
            constraint=models.CheckConstraint(
                condition=models.Q(("purpose__in", ["live", "calibration", "control"])),
                name="item_purpose_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="release",
            constraint=models.UniqueConstraint(
                fields=("campaign", "version"), name="release_version_unique"
            ),
        ),
        migrations.AddIndex(
            model_name="slot",
            index=models.Index(
                condition=models.Q(("is_filled", False)),
                fields=["campaign", "order_key", "number"],
                name="open_slots_in_order",
            ),
        ),
        migrations.AddConstraint(
            model_name="slot",
            constraint=models.UniqueConstraint(
                fields=("item", "number"), name="slot_number_unique"
            ),
        ),
        migrations.AddConstraint(
            model_name="slot",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("expires_at__isnull", True), ("holder__isnull", True)),
                    models.Q(("expires_at__isnull", False), ("holder__isnull", False)),
                    _connector="OR",
                ),
                name="slot_held_until_a_time",
            ),
        ),
        migrations.AddConstraint(
            model_name="rating",
            constraint=models.UniqueConstraint(
                fields=("rater", "idempotency_key"), name="idempotency_key_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="rating",
            constraint=models.UniqueConstraint(
                condition=models.Q(("supersedes", None)),
                fields=("item", "rater"),
                name="one_history_per_item_and_rater",
            ),
        ),
        migrations.AddConstraint(
            model_name="rating",
            constraint=models.UniqueConstraint(
                condition=models.Q(("slot__isnull", False), ("supersedes", None)),
                fields=("slot",),
                name="one_counted_rating_per_slot",
            ),
        ),
        migrations.AddConstraint(
            model_name="rating",
            constraint=models.CheckConstraint(
                condition=models.Q(("seconds", None), ("seconds__gte", 0), _connector="OR"),
                name="seconds_not_negative",
            ),
        ),
        migrations.AddConstraint(
            model_name="rating",
            constraint=models.CheckConstraint(
                condition=models.Q(("suggestion_arm__in", ["", "hidden", "before", "after"])),
                name="suggestion_arm_known",
            ),
        ),
        migrations.AddIndex(
            model_name="assignment",
            index=models.Index(fields=["rater", "claimed_at"], name="assignments_of_rater"),
        ),
        migrations.AddIndex(
            model_name="assignment",
            index=models.Index(
                condition=models.Q(("state", "active")), fields=["rater"], name="active_assignments"
            ),
        ),
        migrations.AddConstraint(
            model_name="assignment",
            constraint=models.UniqueConstraint(
                fields=("item", "rater"), name="item_once_per_rater"
            ),
        ),
        migrations.AddConstraint(
            model_name="assignment",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["active", "submitted", "skipped"])),
                name="assignment_state_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="suggestion",
            constraint=models.UniqueConstraint(
                fields=("item", "matcher", "version"), name="scored_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="suggestion",
            constraint=models.CheckConstraint(
                condition=models.Q(("score__gte", 0), ("score__lte", 1)),
                name="score_in_unit_interval",
            ),
        ),
        migrations.AddConstraint(
            model_name="system",
            constraint=models.UniqueConstraint(
                fields=("campaign", "name"), name="system_name_unique"
            ),
        ),
        migrations.AddConstraint(
            model_name="itemsystem",
            constraint=models.UniqueConstraint(
                fields=("item", "system"), name="system_once_per_item"
            ),
        ),
        migrations.AddConstraint(
            model_name="candidate",
            constraint=models.UniqueConstraint(
                fields=("system", "question"), name="one_candidate_per_question"
            ),
        ),
    ]
