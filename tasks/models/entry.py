"""How people come into a campaign: invitation links, and visitors sent by a crowd service."""

import hashlib
import secrets

from django.db import models
from django.db.models.functions import Lower, Now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tasks.models.campaign import Campaign
from tasks.models.people import Membership, Role, User


class InvitationKind(models.TextChoices):
    ACCOUNT = "account", _("People make an account or use theirs")
    CROWD = "crowd", _("Visitors of a crowd service, known by the address they come with")


class Invitation(models.Model):
    """A link by which people become members. Only the hash of its secret is stored.

    It ends at `expires_at`, when it is revoked, or after `max_uses` memberships. One that
    `is_signed` lets in only visitors whose service has signed who they are.
    """

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="invitations")
    kind = models.CharField(max_length=20, choices=InvitationKind, default=InvitationKind.ACCOUNT)
    role = models.CharField(max_length=20, choices=Role, default=Role.RATER)
    digest = models.CharField(max_length=64, unique=True)
    note = models.CharField(max_length=200, blank=True)
    max_uses = models.PositiveIntegerField(null=True, blank=True)
    is_signed = models.BooleanField(default=False, db_default=False)
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
        ]

    def __str__(self) -> str:
        return f"invitation to {self.campaign} as {self.role}"

    @staticmethod
    def digest_of(secret: str) -> str:
        return hashlib.sha256(secret.encode()).hexdigest()

    @staticmethod
    def new_secret() -> str:
        return secrets.token_urlsafe(24)


class MailState(models.TextChoices):
    """How far the mail of an invitation is. `unclear`: its worker ended while the mail server had
    it, so it may have arrived. `link`: whoever invited passes the link on themselves."""

    QUEUED = "queued", pgettext_lazy("state of a mail", "Queued")
    SENDING = "sending", pgettext_lazy("state of a mail", "Being sent")
    SENT = "sent", pgettext_lazy("state of a mail", "Sent")
    REFUSED = "refused", pgettext_lazy("state of a mail", "Refused")
    UNCLEAR = "unclear", pgettext_lazy("state of a mail", "Perhaps sent")
    LINK = "link", pgettext_lazy("state of a mail", "Link given")
    WITHDRAWN = "withdrawn", pgettext_lazy("state of a mail", "Withdrawn")


class InvitationMail(models.Model):
    """An invitation to one address, and how far its mail is. Only admins of the campaign see it.

    `language` is that of the mail, `message` what whoever invites adds to it, `days` for how long
    each link is open. The secret of the link is made when the mail is sent, so it is nowhere else.
    `due_at` is when it is tried next, `taken_at` when a worker began to send it.
    """

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="invitation_mails")
    invitation = models.OneToOneField(Invitation, models.PROTECT, related_name="mail")
    address = models.EmailField(max_length=254)
    name = models.CharField(max_length=100, blank=True)
    language = models.CharField(max_length=10)
    message = models.TextField(blank=True)
    days = models.PositiveSmallIntegerField(default=14)
    state = models.CharField(max_length=20, choices=MailState, default=MailState.QUEUED)
    reason = models.CharField(max_length=300, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(db_default=Now(), editable=False)
    taken_at = models.DateTimeField(null=True, editable=False)
    sent_at = models.DateTimeField(null=True, editable=False)
    created_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                "campaign",
                Lower("address"),
                condition=~models.Q(state=MailState.WITHDRAWN),
                name="address_invited_once",
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=MailState.values), name="mail_state_known"
            ),
        ]
        indexes = [
            models.Index(
                fields=["due_at"],
                name="waiting_invitations",
                condition=models.Q(state__in=[MailState.QUEUED, MailState.SENDING]),
            )
        ]

    def __str__(self) -> str:
        return f"{self.get_state_display()}: {self.invitation}"


class AnswerState(models.TextChoices):
    """What has become of an invitation to a person. Admins are not told of `declined`."""

    WAITING = "waiting", pgettext_lazy("state of an invitation", "Waiting")
    ACCEPTED = "accepted", pgettext_lazy("state of an invitation", "Accepted")
    DECLINED = "declined", pgettext_lazy("state of an invitation", "Declined")
    ENDED = "ended", pgettext_lazy("state of an invitation", "Ended")


class PersonalInvitation(models.Model):
    """An invitation to the account of a name, which is asked and may decline.

    Admins see it alike whether there is an account of that name or not: `name` is what they typed,
    `user` whom it meant when it was made, or nobody. It ends at `expires_at`, or when it is
    withdrawn.
    """

    campaign = models.ForeignKey(
        Campaign, models.PROTECT, related_name="personal_invitations", db_index=False
    )
    name = models.CharField(max_length=150)
    user = models.ForeignKey(
        User, models.PROTECT, null=True, editable=False, related_name="personal_invitations"
    )
    role = models.CharField(max_length=20, choices=Role, default=Role.RATER)
    state = models.CharField(max_length=20, choices=AnswerState, default=AnswerState.WAITING)
    expires_at = models.DateTimeField()
    created_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "name"],
                condition=models.Q(state__in=["waiting", "declined"]),
                name="person_invited_once",
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=AnswerState.values), name="answer_state_known"
            ),
            models.CheckConstraint(
                condition=models.Q(role__in=Role.values), name="personal_role_known"
            ),
        ]

    def __str__(self) -> str:
        return f"invitation of {self.name} to {self.campaign}"


class CrowdVisit(models.Model):
    """Who a crowd service says a member is, as the address they came with says."""

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
