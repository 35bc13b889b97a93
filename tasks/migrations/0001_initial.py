"""The tables of version 0.1.0."""

import django.contrib.auth.models
import django.contrib.auth.validators
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.datetime
import django.utils.timezone
import tasks.models.campaign
import tasks.models.people
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
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
                ("sign_outs", models.PositiveIntegerField(default=0, editable=False)),
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
                ("suggestion_matcher", models.CharField(default="feather", max_length=80)),
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
                ("adjudicates_blind", models.BooleanField(default=True)),
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
                    "webhook_events",
                    models.TextField(blank=True, db_default="", default="", editable=False),
                ),
                (
                    "intakes",
                    models.PositiveBigIntegerField(db_default=0, default=0, editable=False),
                ),
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
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("overlap__gte", 1), ("overlap__lte", 100)),
                        name="overlap_in_range",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("suggestions__in", ["hidden", "before", "after", "randomised"])
                        ),
                        name="suggestion_policy_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["open", "paused"])),
                        name="campaign_state_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("item_order__in", ["complete", "random", "oldest", "uncertain"])
                        ),
                        name="item_order_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("calibration_pass_percent__gte", 1),
                            ("calibration_pass_percent__lte", 100),
                        ),
                        name="pass_percent_in_range",
                    ),
                ],
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
                "constraints": [
                    models.UniqueConstraint(
                        fields=("campaign", "version"), name="consent_text_version_unique"
                    )
                ],
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
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["account", "crowd"])),
                        name="invitation_kind_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("role__in", ["rater", "researcher", "admin"])),
                        name="invitation_role_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("kind", "crowd"), _negated=True),
                            ("role", "rater"),
                            _connector="OR",
                        ),
                        name="crowd_visitors_are_raters",
                    ),
                ],
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
                ("votes_seen_until", models.DateTimeField(editable=False, null=True)),
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
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("campaign", "user"), name="one_membership_per_user"
                    ),
                    models.UniqueConstraint(
                        fields=("campaign", "name"), name="one_membership_per_name"
                    ),
                    models.UniqueConstraint(
                        fields=("campaign", "pseudonym"), name="pseudonym_unique"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("role__in", ["rater", "researcher", "admin"])),
                        name="role_known",
                    ),
                ],
            },
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
                ("name", models.CharField(blank=True, max_length=100)),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("scopes", models.JSONField(default=tasks.models.people.every_scope)),
                ("expires_at", models.DateTimeField(blank=True, null=True)),
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
                (
                    "campaign",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="api_tokens",
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
                "constraints": [
                    models.UniqueConstraint(
                        fields=("campaign", "version"), name="guideline_version_unique"
                    )
                ],
            },
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
            name="AuditEntry",
            fields=[
                ("sequence", models.BigIntegerField(primary_key=True, serialize=False)),
                ("at", models.DateTimeField()),
                ("actor_kind", models.CharField(max_length=20)),
                ("actor", models.CharField(blank=True, max_length=255)),
                ("role", models.CharField(blank=True, max_length=20)),
                ("via", models.CharField(blank=True, max_length=100)),
                ("action", models.CharField(max_length=40)),
                ("subject_kind", models.CharField(blank=True, max_length=30)),
                ("subject", models.CharField(blank=True, max_length=300)),
                ("details", models.TextField(default="{}")),
                ("previous", models.CharField(max_length=64, unique=True)),
                ("hash", models.CharField(max_length=64, unique=True)),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="audit_entries",
                        to="tasks.campaign",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "audit entries",
                "ordering": ["-sequence"],
                "indexes": [
                    models.Index(fields=["campaign", "-sequence"], name="audit_of_campaign")
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("sequence__gte", 1)), name="audit_from_one"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("actor_kind__in", ["person", "visitor", "command", "worker"])
                        ),
                        name="actor_kind_known",
                    ),
                ],
            },
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
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("campaign", "key"), name="document_key_unique")
                ],
            },
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
                ("split", models.CharField(blank=True, db_default="", default="", max_length=40)),
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
            options={
                "indexes": [
                    models.Index(fields=["campaign", "fingerprint"], name="question_by_texts")
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("campaign", "key"), name="question_key_unique")
                ],
            },
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
                (
                    "question",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="items",
                        to="tasks.question",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("campaign", "key"), name="item_key_unique"),
                    models.CheckConstraint(
                        condition=models.Q(("purpose__in", ["live", "calibration", "control"])),
                        name="item_purpose_known",
                    ),
                ],
            },
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
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("campaign", "name"), name="system_name_unique")
                ],
            },
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
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("item", "system"), name="system_once_per_item")
                ],
            },
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
                ("score", models.FloatField(blank=True, null=True)),
                ("alternatives", models.JSONField(blank=True, default=list)),
                ("provenance", models.JSONField(blank=True, default=dict)),
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
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("system", "question"), name="one_candidate_per_question"
                    )
                ],
            },
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
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("campaign", "participant"), name="participant_once_per_campaign"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="GeneratedText",
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
                            ("candidates", "Candidates by class"),
                            ("statements", "Statements"),
                            ("rules", "Pairs by rule"),
                        ],
                        max_length=20,
                    ),
                ),
                ("target", models.CharField(max_length=100)),
                ("question", models.TextField(blank=True)),
                ("question_type", models.CharField(blank=True, max_length=60)),
                ("reference", models.TextField(blank=True)),
                ("candidate", models.TextField(blank=True)),
                ("system", models.CharField(max_length=255)),
                ("provenance", models.JSONField(default=dict)),
                ("error", models.TextField(blank=True)),
                ("fingerprint", models.CharField(max_length=64)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("pending", "Pending"),
                            ("approved", "Approved"),
                            ("rejected", "Rejected"),
                            ("failed", "Failed"),
                        ],
                        default="pending",
                        max_length=20,
                    ),
                ),
                ("reviewed_at", models.DateTimeField(null=True)),
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
                        related_name="generated_texts",
                        to="tasks.campaign",
                    ),
                ),
                (
                    "reviewed_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tasks.membership",
                    ),
                ),
                (
                    "source",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tasks.question",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "indexes": [
                    models.Index(fields=["campaign", "state", "id"], name="generated_by_state")
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("campaign", "kind", "fingerprint"), name="generated_text_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["candidates", "statements", "rules"])),
                        name="generated_kind_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("state__in", ["pending", "failed"]),
                                ("reviewed_at", None),
                                ("reviewed_by", None),
                            ),
                            models.Q(
                                ("state__in", ["approved", "rejected"]),
                                ("reviewed_at__isnull", False),
                                ("reviewed_by__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="generated_state_says_who_reviewed",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("candidate", ""),
                                ("state", "failed"),
                                models.Q(("error", ""), _negated=True),
                            ),
                            models.Q(
                                models.Q(("state", "failed"), _negated=True),
                                ("error", ""),
                                models.Q(("candidate", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="generated_text_or_error",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="LoginAttempts",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("subject", models.CharField(max_length=80, unique=True)),
                ("tried", models.PositiveIntegerField()),
                ("counted_from", models.DateTimeField(db_index=True)),
            ],
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
                    "item",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="slots",
                        to="tasks.item",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("is_filled", False)),
                        fields=["campaign", "order_key", "number"],
                        name="open_slots_in_order",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("item", "number"), name="slot_number_unique")
                ],
            },
        ),
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
                (
                    "item",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="assignments",
                        to="tasks.item",
                    ),
                ),
                (
                    "rater",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="assignments",
                        to="tasks.membership",
                    ),
                ),
                (
                    "slot",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="assignments",
                        to="tasks.slot",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["rater", "claimed_at"], name="assignments_of_rater"),
                    models.Index(
                        condition=models.Q(("state", "active")),
                        fields=["rater"],
                        name="active_assignments",
                    ),
                    models.Index(
                        condition=models.Q(("state", "skipped")),
                        fields=["rater"],
                        name="skipped_assignments",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("item", "rater"), name="item_once_per_rater"),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["active", "submitted", "skipped"])),
                        name="assignment_state_known",
                    ),
                ],
            },
        ),
        migrations.AddField(
            model_name="slot",
            name="holder",
            field=models.OneToOneField(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="held_slot",
                to="tasks.assignment",
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
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("assignment", "guideline"), name="one_draft_per_guideline"
                    )
                ],
            },
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
                (
                    "suggestion_policy",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("hidden", "Never shown"),
                            ("before", "Shown with the item"),
                            ("after", "Shown once the rater has answered"),
                            ("randomised", "Shown with the item for a random half"),
                        ],
                        db_default="",
                        default="",
                        max_length=20,
                    ),
                ),
                (
                    "suggestion_matcher",
                    models.CharField(blank=True, db_default="", default="", max_length=80),
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
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("rater", "idempotency_key"), name="idempotency_key_once"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("supersedes", None)),
                        fields=("item", "rater"),
                        name="one_history_per_item_and_rater",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("slot__isnull", False), ("supersedes", None)),
                        fields=("slot",),
                        name="one_counted_rating_per_slot",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("seconds", None), ("seconds__gte", 0), _connector="OR"),
                        name="seconds_not_negative",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("suggestion_arm__in", ["", "hidden", "before", "after"])
                        ),
                        name="suggestion_arm_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "suggestion_policy__in",
                                ["", "hidden", "before", "after", "randomised"],
                            )
                        ),
                        name="suggestion_policy_of_rating_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="FirstLook",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                (
                    "item",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="first_looks",
                        to="tasks.item",
                    ),
                ),
                (
                    "adjudicator",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="first_looks",
                        to="tasks.membership",
                    ),
                ),
                (
                    "outcome",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tasks.outcome",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("item", "adjudicator"), name="one_first_look")
                ],
            },
        ),
        migrations.CreateModel(
            name="Adjudication",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("reason", models.TextField()),
                ("idempotency_key", models.CharField(max_length=100)),
                ("payload_hash", models.CharField(max_length=64)),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                (
                    "supersedes",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="superseded_by",
                        to="tasks.adjudication",
                    ),
                ),
                (
                    "guideline",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tasks.guideline",
                    ),
                ),
                (
                    "item",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="adjudications",
                        to="tasks.item",
                    ),
                ),
                (
                    "adjudicator",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="adjudications",
                        to="tasks.membership",
                    ),
                ),
                (
                    "first_outcome",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tasks.outcome",
                    ),
                ),
                (
                    "outcome",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tasks.outcome",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["item"], name="adjudications_of_item")],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("adjudicator", "idempotency_key"), name="adjudication_key_once"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("supersedes", None)),
                        fields=("item", "adjudicator"),
                        name="one_history_per_item_and_adjudicator",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True),
                        name="adjudication_has_a_reason",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="SeenVotes",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                (
                    "item",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tasks.item",
                    ),
                ),
                (
                    "member",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tasks.membership",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("item", "member"), name="votes_seen_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="LeftItem",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                (
                    "item",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="left_by",
                        to="tasks.item",
                    ),
                ),
                (
                    "adjudicator",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="left_items",
                        to="tasks.membership",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("item", "adjudicator"), name="item_left_once")
                ],
            },
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
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("settled_at", None)),
                        fields=("item", "rater"),
                        name="one_open_flag_per_item_and_rater",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("settled_at", None), ("settled_by", None)),
                            models.Q(("settled_at__isnull", False), ("settled_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="flag_settled_by_somebody",
                    ),
                ],
            },
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
                ("matcher", models.CharField(max_length=80)),
                ("version", models.CharField(max_length=255)),
                ("score", models.FloatField()),
                ("is_correct", models.BooleanField()),
                ("explanation", models.JSONField(null=True)),
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
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("item", "matcher", "version"), name="scored_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("score__gte", 0), ("score__lte", 1)),
                        name="score_in_unit_interval",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="SuggestionView",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "arm",
                    models.CharField(
                        choices=[
                            ("", "Not known"),
                            ("hidden", "Not shown"),
                            ("before", "Shown with the item"),
                            ("after", "Shown after the answer"),
                        ],
                        max_length=20,
                    ),
                ),
                ("shown_at", models.DateTimeField(null=True)),
                ("closed_at", models.DateTimeField(null=True)),
                (
                    "assignment",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="suggestion_view",
                        to="tasks.assignment",
                    ),
                ),
                (
                    "suggestion",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="views",
                        to="tasks.suggestion",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("arm__in", ["before", "after"])),
                        name="view_of_a_shown_suggestion",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("shown_at", None),
                            ("closed_at", None),
                            ("closed_at__gte", models.F("shown_at")),
                            _connector="OR",
                        ),
                        name="suggestion_closed_after_it_was_shown",
                    ),
                ],
            },
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
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("membership", "text"), name="consent_given_once"
                    )
                ],
            },
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
                (
                    "membership",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="calibration_attempts",
                        to="tasks.membership",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("membership", "number"), name="calibration_attempt_unique"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("finished_at", None), ("is_passed", None)),
                            models.Q(("finished_at__isnull", False), ("is_passed__isnull", False)),
                            _connector="OR",
                        ),
                        name="calibration_decided_when_finished",
                    ),
                ],
            },
        ),
        migrations.AddField(
            model_name="membership",
            name="passed_calibration",
            field=models.ForeignKey(
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="tasks.calibrationattempt",
            ),
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
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("attempt", "item"), name="calibration_answer_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Assessment",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("newest_rating", models.BigIntegerField(default=0)),
                ("ratings", models.PositiveIntegerField(default=0)),
                ("asked_at", models.DateTimeField(null=True)),
                ("begun_at", models.DateTimeField(null=True)),
                ("made_at", models.DateTimeField(null=True)),
                ("attempt", models.PositiveIntegerField(default=0)),
                ("error", models.TextField(blank=True)),
                (
                    "campaign",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="assessment",
                        to="tasks.campaign",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Figures",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=40)),
                ("content", models.TextField()),
                (
                    "assessment",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="figures",
                        to="tasks.assessment",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("assessment", "name"), name="figures_once_per_name"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Look",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("ratings", models.PositiveIntegerField()),
                ("level", models.FloatField()),
                ("findings", models.TextField()),
                (
                    "made_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tasks.campaign",
                    ),
                ),
            ],
            options={
                "ordering": ["-number"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("campaign", "number"), name="look_number_unique"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("number__gte", 1)), name="looks_count_from_one"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("level__gt", 0), ("level__lt", 1)),
                        name="look_level_is_a_chance",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="AlertRule",
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
                            ("alpha", "Agreement is too low"),
                            ("drift", "A rater drifts"),
                            ("controls", "A rater fails control items"),
                            ("speed", "A rater is much faster or slower than the others"),
                            ("confusion", "Labels are confused"),
                            ("steering", "The suggestion steers"),
                            ("stalled", "Progress has stalled"),
                            ("trial", "A message to try the channels"),
                        ],
                        max_length=20,
                    ),
                ),
                ("is_active", models.BooleanField(default=True)),
                ("threshold", models.FloatField(null=True)),
                ("hours", models.PositiveSmallIntegerField(null=True)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tasks.campaign",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("campaign", "kind"), name="one_rule_per_kind"),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "kind__in",
                                [
                                    "alpha",
                                    "drift",
                                    "controls",
                                    "speed",
                                    "confusion",
                                    "steering",
                                    "stalled",
                                    "trial",
                                ],
                            )
                        ),
                        name="rule_of_a_known_kind",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="AlertChannels",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("sends_mail", models.BooleanField(default=True)),
                ("webhook_url", models.URLField(blank=True, max_length=500)),
                ("webhook_secret", models.CharField(blank=True, max_length=100)),
                (
                    "campaign",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="alert_channels",
                        to="tasks.campaign",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Alert",
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
                            ("alpha", "Agreement is too low"),
                            ("drift", "A rater drifts"),
                            ("controls", "A rater fails control items"),
                            ("speed", "A rater is much faster or slower than the others"),
                            ("confusion", "Labels are confused"),
                            ("steering", "The suggestion steers"),
                            ("stalled", "Progress has stalled"),
                            ("trial", "A message to try the channels"),
                        ],
                        max_length=20,
                    ),
                ),
                ("subject", models.CharField(blank=True, max_length=200)),
                ("occasion", models.CharField(max_length=40)),
                ("evidence", models.JSONField(default=dict)),
                (
                    "raised_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                ("acknowledged_at", models.DateTimeField(null=True)),
                ("note", models.CharField(blank=True, max_length=500)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tasks.campaign",
                    ),
                ),
                (
                    "look",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="alerts",
                        to="tasks.look",
                    ),
                ),
                (
                    "acknowledged_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tasks.membership",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("campaign", "kind", "subject", "occasion"),
                        name="alert_once_per_occasion",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("acknowledged_at", None)),
                        fields=("campaign", "kind", "subject"),
                        name="one_open_alert_of_a_kind",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "kind__in",
                                [
                                    "alpha",
                                    "drift",
                                    "controls",
                                    "speed",
                                    "confusion",
                                    "steering",
                                    "stalled",
                                    "trial",
                                ],
                            )
                        ),
                        name="alert_kind_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="DatasheetAnswer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("question", models.CharField(max_length=40)),
                ("text", models.TextField(blank=True)),
                (
                    "written_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="datasheet_answers",
                        to="tasks.campaign",
                    ),
                ),
                (
                    "written_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
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
                "constraints": [
                    models.UniqueConstraint(
                        fields=("campaign", "version"), name="release_version_unique"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Withdrawal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("reason", models.TextField()),
                (
                    "role",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("rater", "Rater"),
                            ("researcher", "Researcher"),
                            ("admin", "Admin"),
                        ],
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
                    "release",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="withdrawal",
                        to="tasks.release",
                    ),
                ),
                (
                    "withdrawn_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True),
                        name="withdrawal_has_a_reason",
                    )
                ],
            },
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
                            ("generate", "Generated texts"),
                            ("train", "Training of a matcher"),
                            ("release", "Release"),
                            ("preview", "Preview of a release"),
                            ("evaluate", "Evaluation"),
                            ("submission", "Scoring of a submission"),
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
                            ("cancelled", "Cancelled"),
                        ],
                        default="queued",
                        max_length=20,
                    ),
                ),
                ("done", models.PositiveIntegerField(default=0)),
                ("total", models.PositiveIntegerField(null=True)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("failures", models.PositiveSmallIntegerField(default=0)),
                ("deaths", models.PositiveSmallIntegerField(default=0)),
                ("fence", models.PositiveIntegerField(default=0)),
                (
                    "not_before",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
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
                ("acknowledged_at", models.DateTimeField(null=True)),
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
                (
                    "acknowledged_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tasks.membership",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("state__in", ["queued", "running"])),
                        fields=["state"],
                        name="unfinished_jobs",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("state__in", ["queued", "running"])),
                        fields=("campaign", "input_hash"),
                        name="same_job_once_at_a_time",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("state__in", ["queued", "running", "done", "failed", "cancelled"])
                        ),
                        name="job_state_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("acknowledged_at", None), ("acknowledged_by", None)),
                            models.Q(
                                ("acknowledged_at__isnull", False),
                                ("acknowledged_by__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="job_acknowledged_by_somebody",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="JobFailure",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("reason", models.CharField(max_length=500)),
                ("attempts", models.PositiveSmallIntegerField(default=1)),
                ("is_due", models.BooleanField(default=False)),
                (
                    "failed_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                ("acknowledged_at", models.DateTimeField(null=True)),
                (
                    "item",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tasks.item",
                    ),
                ),
                (
                    "job",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="failed",
                        to="tasks.job",
                    ),
                ),
                (
                    "acknowledged_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tasks.membership",
                    ),
                ),
                (
                    "question",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tasks.question",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("job", "item"), name="item_fails_once_per_job"),
                    models.UniqueConstraint(
                        fields=("job", "question"), name="question_fails_once_per_job"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("item", None), ("question__isnull", False)),
                            models.Q(("item__isnull", False), ("question", None)),
                            _connector="OR",
                        ),
                        name="failure_of_an_item_or_a_question",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True),
                        name="failure_has_a_reason",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("acknowledged_at", None), ("acknowledged_by", None)),
                            models.Q(
                                ("acknowledged_at__isnull", False),
                                ("acknowledged_by__isnull", False),
                                ("is_due", False),
                            ),
                            _connector="OR",
                        ),
                        name="failure_acknowledged_by_somebody",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Evaluation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("parameters", models.JSONField()),
                ("digest", models.CharField(max_length=64)),
                ("report", models.TextField()),
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
                        related_name="evaluations",
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
                (
                    "job",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="evaluation",
                        to="tasks.job",
                    ),
                ),
                (
                    "release",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="evaluations",
                        to="tasks.release",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("digest", ""), _negated=True),
                            models.Q(("report", ""), _negated=True),
                        ),
                        name="evaluation_has_digest_and_report",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Submission",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=150)),
                ("attempt", models.PositiveSmallIntegerField(default=0)),
                ("description", models.CharField(blank=True, max_length=300)),
                ("split", models.CharField(max_length=40)),
                ("file", models.TextField()),
                ("file_name", models.CharField(max_length=255)),
                ("format", models.CharField(blank=True, max_length=10)),
                ("sha256", models.CharField(max_length=64)),
                ("predictions", models.PositiveIntegerField()),
                ("passed_over", models.PositiveIntegerField(db_default=0, default=0)),
                (
                    "role",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("rater", "Rater"),
                            ("researcher", "Researcher"),
                            ("admin", "Admin"),
                        ],
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
                    "job",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="submissions",
                        to="tasks.job",
                    ),
                ),
                (
                    "release",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="submissions",
                        to="tasks.release",
                    ),
                ),
                (
                    "submitted_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("release", "name", "attempt"), name="submission_name_once_at_a_time"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("name", ""), _negated=True),
                        name="submission_has_a_name",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="SubmissionScore",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("signature", models.CharField(max_length=64)),
                ("scores", models.BinaryField()),
                ("result", models.JSONField()),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                (
                    "submission",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="scores",
                        to="tasks.submission",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("submission", "signature"),
                        name="submission_scored_once_per_signature",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="SubmissionWithdrawal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("reason", models.CharField(max_length=500)),
                (
                    "role",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("rater", "Rater"),
                            ("researcher", "Researcher"),
                            ("admin", "Admin"),
                        ],
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
                    "submission",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="withdrawal",
                        to="tasks.submission",
                    ),
                ),
                (
                    "withdrawn_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True),
                        name="submission_withdrawal_has_a_reason",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Leaderboard",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("split", models.CharField(max_length=40)),
                ("content", models.TextField(blank=True)),
                ("made_at", models.DateTimeField(null=True)),
                (
                    "release",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="leaderboards",
                        to="tasks.release",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("release", "split"), name="one_leaderboard_per_split"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="TrainedMatcher",
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
                        choices=[("cfmatch", "cfmatch"), ("feather", "feather"), ("bem", "bem")],
                        max_length=18,
                    ),
                ),
                ("weights", models.TextField(blank=True)),
                ("folder", models.CharField(blank=True, max_length=130)),
                ("digest", models.CharField(max_length=64)),
                ("labels", models.PositiveIntegerField()),
                ("correct", models.PositiveIntegerField()),
                ("ties", models.PositiveIntegerField()),
                ("documents", models.PositiveIntegerField()),
                ("seed", models.PositiveIntegerField()),
                ("learning_curve", models.JSONField()),
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
                        related_name="trained_matchers",
                        to="tasks.campaign",
                    ),
                ),
                (
                    "job",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="trained_matchers",
                        to="tasks.job",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("campaign", "kind", "digest"), name="trained_matcher_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["cfmatch", "feather", "bem"])),
                        name="trained_matcher_kind_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("correct__gt", 0), ("correct__lt", models.F("labels"))),
                        name="trained_matcher_knows_both_labels",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("weights", ""), ("folder", ""), _connector="XOR"),
                        name="trained_matcher_weights_or_folder",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Webhook",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("url", models.URLField(blank=True, max_length=500)),
                ("secret", models.CharField(blank=True, max_length=100)),
                ("events", models.JSONField(default=list)),
                ("is_active", models.BooleanField(default=True)),
                ("failures", models.PositiveIntegerField(default=0)),
                ("failing_since", models.DateTimeField(null=True)),
                (
                    "rests_until",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                ("switched_off_because", models.TextField(blank=True)),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                ("deleted_at", models.DateTimeField(null=True)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="webhooks",
                        to="tasks.campaign",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="Event",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("uid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("rating.stored", "A rating was stored"),
                            ("rating.revised", "A rating was revised"),
                            ("item.completed", "An item has all its ratings"),
                            ("campaign.completed", "Every item has all its ratings"),
                            ("adjudication.decided", "An adjudicator decided"),
                            ("release.published", "A release was published"),
                            ("release.withdrawn", "A release was withdrawn"),
                            ("job.done", "A job is done"),
                            ("job.failed", "A job failed"),
                            ("import.done", "A file was imported"),
                            ("alert.raised", "An alert was raised"),
                            ("webhook.tried", "A trial"),
                        ],
                        max_length=40,
                    ),
                ),
                ("data", models.JSONField(default=dict)),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tasks.campaign",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["created_at"], name="events_by_age")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "kind__in",
                                [
                                    "rating.stored",
                                    "rating.revised",
                                    "item.completed",
                                    "campaign.completed",
                                    "adjudication.decided",
                                    "release.published",
                                    "release.withdrawn",
                                    "job.done",
                                    "job.failed",
                                    "import.done",
                                    "alert.raised",
                                    "webhook.tried",
                                ],
                            )
                        ),
                        name="event_kind_known",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Delivery",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "channel",
                    models.CharField(
                        choices=[("mail", "Mail"), ("webhook", "Webhook")], max_length=20
                    ),
                ),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                (
                    "not_before",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                ("sent_at", models.DateTimeField(null=True)),
                ("error", models.TextField(blank=True)),
                (
                    "alert",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="deliveries",
                        to="tasks.alert",
                    ),
                ),
                (
                    "event",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="deliveries",
                        to="tasks.event",
                    ),
                ),
                (
                    "webhook",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="deliveries",
                        to="tasks.webhook",
                    ),
                ),
            ],
            options={
                "db_table": "tasks_alertdelivery",
                "indexes": [
                    models.Index(
                        condition=models.Q(("sent_at", None)),
                        fields=["not_before"],
                        name="untold_alerts",
                    ),
                    models.Index(fields=["webhook", "id"], name="deliveries_of_webhook"),
                    models.Index(
                        condition=models.Q(("sent_at", None), ("webhook__isnull", False)),
                        fields=["webhook", "id"],
                        name="undelivered_events",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("alert", "channel"), name="told_once_per_channel"
                    ),
                    models.UniqueConstraint(
                        fields=("event", "webhook"), name="told_once_per_webhook"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("channel__in", ["mail", "webhook"])),
                        name="channel_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("alert__isnull", False), ("event", None), ("webhook", None)),
                            models.Q(
                                ("alert", None),
                                ("event__isnull", False),
                                ("webhook__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="alert_or_event_is_told",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Worker",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=255)),
                ("host", models.CharField(max_length=255)),
                ("pid", models.PositiveIntegerField()),
                (
                    "started_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                (
                    "seen_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
                (
                    "job",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tasks.job",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("name", "host", "pid"), name="worker_process_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="SchedulerTick",
            fields=[
                (
                    "id",
                    models.PositiveSmallIntegerField(default=1, primary_key=True, serialize=False),
                ),
                (
                    "seen_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("id", 1)), name="one_scheduler_tick")
                ],
            },
        ),
    ]
