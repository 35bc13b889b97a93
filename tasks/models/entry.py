"""Ways into the site: invitation links, visitors sent by a crowd service, and the passwords and
codes that were tried of late."""

import hashlib
import secrets

from django.db import models
from django.db.models.functions import Lower, Now
from django.utils.translation import gettext_lazy as _

from tasks.models.campaign import Campaign
from tasks.models.people import Membership, Role, User


class InvitationKind(models.TextChoices):
    ACCOUNT = "account", _("Everybody logs in or makes an account")
    CROWD = "crowd", _("Visitors from a crowd service, identified by their link")


class Invitation(models.Model):
    """A link by which people become members. Only the hash of its secret is stored.

    It ends at `expires_at`, when it is revoked, or after `max_uses` memberships. One with an
    `address` is for one person and sent there by mail, in `language` and with `message`; its
    deliveries say whether the mail was sent.
    """

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="invitations")
    kind = models.CharField(max_length=20, choices=InvitationKind, default=InvitationKind.ACCOUNT)
    role = models.CharField(max_length=20, choices=Role, default=Role.RATER)
    digest = models.CharField(max_length=64, unique=True)
    note = models.CharField(max_length=200, blank=True)
    address = models.EmailField(blank=True, default="", db_default="")
    addressee = models.CharField(max_length=100, blank=True, default="", db_default="")
    language = models.CharField(max_length=10, blank=True, default="", db_default="")
    message = models.TextField(blank=True, default="", db_default="")
    max_uses = models.PositiveIntegerField(null=True, blank=True)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    created_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(kind__in=InvitationKind.values), name="invitation_kind_known"
            ),
            models.CheckConstraint(
                condition=models.Q(role__in=Role.values), name="invitation_role_known"
            ),
            models.CheckConstraint(
                condition=~models.Q(kind=InvitationKind.CROWD) | models.Q(role=Role.RATER),
                name="crowd_visitors_are_raters",
            ),
            models.UniqueConstraint(
                "campaign",
                Lower("address"),
                condition=~models.Q(address="") & models.Q(revoked_at=None),
                name="address_invited_once",
            ),
        ]

    def __str__(self) -> str:
        return f"invitation to {self.campaign} as {self.role}"

    @staticmethod
    def digest_of(secret: str) -> str:
        return hashlib.sha256(secret.encode()).hexdigest()

    @staticmethod
    def new_secret() -> str:
        return secrets.token_urlsafe(24)


class CrowdVisit(models.Model):
    """A member's name at a crowd service, from the address they came with."""

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="crowd_visits")
    membership = models.OneToOneField(Membership, models.PROTECT, related_name="crowd_visit")
    participant = models.CharField(max_length=200)
    study = models.CharField(max_length=200, blank=True)
    session = models.CharField(max_length=200, blank=True)
    entered_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "participant"], name="participant_once_per_campaign"
            )
        ]

    def __str__(self) -> str:
        return self.participant


class LoginAttempts(models.Model):
    """Tries that were wrong, or are being judged, for one account, browser or network address.

    `subject` is a keyed hash: a name may be a mistyped password, and an address is personal.
    """

    subject = models.CharField(max_length=80, unique=True)
    tried = models.PositiveIntegerField()
    counted_from = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.tried} tries"
