"""People: accounts, their memberships in campaigns, and tokens for programs."""

import hashlib
import secrets
from datetime import datetime

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models.functions import Now
from django.utils.functional import cached_property
from django.utils.translation import pgettext_lazy


class MessageMails(models.TextChoices):
    """Whether and when mails tell a person what is in their inbox."""

    NONE = "none", pgettext_lazy("e-mail about messages", "None")
    DAILY = "daily", pgettext_lazy("e-mail about messages", "Once a day, if there is something new")
    AT_ONCE = "at-once", pgettext_lazy("e-mail about messages", "At once")


class User(AbstractUser):
    """An account. Staff may create campaigns and use the operators' admin; superusers are the
    operators of the site, whom every campaign lets in as an admin.

    `sign_outs` counts how often all sessions were ended: those from before hold no longer.
    `language` is the one they last chose, or first logged in with: mails are in it.
    """

    sign_outs = models.PositiveIntegerField(default=0, editable=False)
    message_mails = models.CharField(
        max_length=10, choices=MessageMails, default=MessageMails.NONE, db_default=MessageMails.NONE
    )
    language = models.CharField(max_length=10, blank=True, default="", db_default="")

    class Meta(AbstractUser.Meta):
        constraints = [
            models.CheckConstraint(
                condition=models.Q(message_mails__in=MessageMails.values),
                name="message_mails_known",
            )
        ]

    @property
    def is_operator(self) -> bool:
        return self.is_active and self.is_superuser

    def _get_session_auth_hash(self, secret: str | bytes | None = None) -> str:
        """A session ends with the password, and when its user signs out everywhere."""
        known: str = super()._get_session_auth_hash(secret)  # type: ignore[misc]  # Django's own
        return f"{known}:{self.sign_outs}" if self.sign_outs else known


class Role(models.TextChoices):
    RATER = "rater", pgettext_lazy("role", "Rater")
    RESEARCHER = "researcher", pgettext_lazy("role", "Researcher")
    ADMIN = "admin", pgettext_lazy("role", "Admin")


class Membership(models.Model):
    """A person in a campaign. Raters of imported ratings are members without an account.

    People are deactivated, never deleted: their ratings stay theirs. A paused member keeps access
    but gets no items. `quota` overrides the campaign's; `consented_to` and `passed_calibration`
    are the latest, their history is in Consent and CalibrationAttempt. Who has taken a file with
    everybody's votes has seen all that there were at `votes_seen_until`.
    """

    campaign = models.ForeignKey("Campaign", models.PROTECT, related_name="memberships")
    user = models.ForeignKey(
        User, models.PROTECT, null=True, blank=True, related_name="memberships"
    )
    name = models.CharField(max_length=255)
    pseudonym = models.CharField(max_length=40)
    role = models.CharField(max_length=20, choices=Role, default=Role.RATER)
    is_active = models.BooleanField(default=True)
    is_paused = models.BooleanField(default=False)
    quota = models.PositiveIntegerField(null=True, blank=True)
    consented_to = models.ForeignKey(
        "ConsentText", models.PROTECT, null=True, editable=False, related_name="+"
    )
    passed_calibration = models.ForeignKey(
        "CalibrationAttempt", models.PROTECT, null=True, editable=False, related_name="+"
    )
    invitation = models.ForeignKey(
        "Invitation", models.PROTECT, null=True, editable=False, related_name="memberships"
    )
    votes_seen_until = models.DateTimeField(null=True, editable=False)
    # a rater who was a researcher or an admin before
    has_been_more = models.BooleanField(default=False, db_default=False, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "user"], name="one_membership_per_user"),
            models.UniqueConstraint(fields=["campaign", "name"], name="one_membership_per_name"),
            models.UniqueConstraint(fields=["campaign", "pseudonym"], name="pseudonym_unique"),
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.get_role_display()})"

    @property
    def is_imported(self) -> bool:
        """Whether files named them: what they said came by no account."""
        return self.user_id is None

    @property
    def is_admin(self) -> bool:
        return self.role == Role.ADMIN

    def has_seen_votes_until(self, moment: datetime | None) -> bool:
        """Whether it is noted already that they have seen all votes there were at that moment."""
        seen = self.votes_seen_until
        return moment is not None and seen is not None and moment <= seen

    @cached_property
    def has_claimed(self) -> bool:
        """Whether they have ever claimed an item, as of when it is first asked."""
        return self.assignments.exists()


class Scope(models.TextChoices):
    """The rights of a token, within those of its user."""

    READ = "read", pgettext_lazy("scope of a token", "Read")
    RATE = "rate", pgettext_lazy("scope of a token", "Rate")
    WRITE = "write", pgettext_lazy("scope of a token", "Change")


def every_scope() -> list[str]:
    return list(Scope.values)


class ApiToken(models.Model):
    """A secret by which a program acts as a user. Only its hash is stored.

    `scopes` is a list of Scope; one without `campaign` is good in every campaign of the user, one
    without `expires_at` until it is revoked.

    It does what its user may do at that moment: it ends at the next call where the user's
    membership or account is deactivated, and works again after they are let back in. A new
    password, a second factor and logging out leave it alone, because programs know none of them;
    whoever fears for a token revokes it.
    """

    user = models.ForeignKey(User, models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=100, blank=True)
    digest = models.CharField(max_length=64, unique=True)
    scopes = models.JSONField(default=every_scope)
    campaign = models.ForeignKey(
        "Campaign", models.PROTECT, null=True, blank=True, related_name="api_tokens"
    )
    expires_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    def __str__(self) -> str:
        return f"token of {self.user}"

    @property
    def scope_names(self) -> list[str]:
        return [str(Scope(scope).label) for scope in self.scopes]

    @staticmethod
    def digest_of(key: str) -> str:
        return hashlib.sha256(key.encode()).hexdigest()

    @classmethod
    def issue(cls, user: User) -> str:
        """A new token for the user; the key is shown this once."""
        key = secrets.token_hex(20)
        cls.objects.create(user=user, digest=cls.digest_of(key))
        return key
