"""Invitations by e-mail: a link of their own for each address, which lets one person in once.

A delivery is a row of its own, so no mail is lost and a list shows which of them failed. The secret
of a link is made from the delivery when it is sent: every attempt of one delivery sends the same
link, the next delivery ends it, and only its hash is stored.
"""

from base64 import urlsafe_b64encode
from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from typing import Final, NamedTuple

from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from tasks.events.workflow.sending import MAX_ATTEMPTS
from tasks.models import (
    AuditAction,
    Campaign,
    Channel,
    Delivery,
    Invitation,
    Membership,
    Role,
    User,
)
from tasks.people.queries import addresses_invited, addresses_of_members
from tasks.people.workflow.invitations import locked_invitation
from tasks.storing.acts import record
from tasks.storing.messages import send
from tasks.storing.refusals import Refusal

SEND_INVITATIONS: Final = "tasks.send_invitations"
MOST_AT_ONCE: Final = 200
MOST_A_DAY: Final = 1000  # of a campaign
OPEN_FOR: Final = timedelta(days=30)


class TooManyMails(Refusal):
    """The campaign has sent as many invitations as it may in a day."""


class NotToBeSentAgain(Refusal):
    """Its mail is on its way, or it was withdrawn or accepted."""


class Recipient(NamedTuple):
    """A person to invite. Without a role of their own they get that of all."""

    address: str
    name: str = ""
    role: str = ""

    @property
    def role_label(self) -> str:
        return str(Role(self.role).label) if self.role else ""


class Recipients(NamedTuple):
    """People, each address once: those to invite, and addresses invited before or of members."""

    new: list[Recipient]
    invited: list[str]
    members: list[str]


def sort_recipients(campaign: Campaign, recipients: Sequence[Recipient]) -> Recipients:
    """The addresses that can be invited; of one that comes twice the first counts."""
    # domains in small letters: of other alphabets no SQLite knows which those are
    lowered = [person._replace(address=_lowered(person.address)) for person in recipients]
    people = {person.address.lower(): person for person in reversed(lowered)}
    people = dict(reversed(people.items()))
    members = addresses_of_members(campaign, people)
    invited = addresses_invited(campaign, people) - members
    return Recipients(
        [person for key, person in people.items() if key not in members | invited],
        [person.address for key, person in people.items() if key in invited],
        [person.address for key, person in people.items() if key in members],
    )


def _lowered(address: str) -> str:
    name, sign, domain = address.rpartition("@")
    return f"{name}{sign}{domain.lower()}"


@transaction.atomic
def invite_by_mail(
    *,
    campaign: Campaign,
    recipients: Sequence[Recipient],
    role: str = Role.RATER,
    language: str,
    message: str = "",
    by: User | None = None,
) -> Recipients:
    """Queue a mail for everybody who was not invited yet and is no member. Raises TooManyMails."""
    # who invites at the same moment waits, and then finds them invited
    Campaign.objects.select_for_update(no_key=True).only("pk").get(pk=campaign.pk)
    people = sort_recipients(campaign, recipients)
    _require_fewer(campaign, len(people.new))
    made = [
        Invitation.objects.create(
            campaign=campaign,
            role=person.role or role,
            digest=Invitation.digest_of(Invitation.new_secret()),  # of no link until it is sent
            max_uses=1,
            expires_at=timezone.now() + OPEN_FOR,
            address=person.address,
            addressee=person.name,
            language=language,
            message=message,
            created_by=by,
        )
        for person in people.new
    ]
    if made:
        _queue(*made)
        # no addresses: the log never forgets them
        details = {"role": str(role), "invitations": [invitation.pk for invitation in made]}
        record(AuditAction.INVITATIONS_MAILED, campaign=campaign, details=details)
    return people


@transaction.atomic
def send_again(*, invitation: Invitation) -> None:
    """Queue another mail, whose link is open as long as that of the first, which ends.

    Raises NotToBeSentAgain and TooManyMails.
    """
    locked = locked_invitation(invitation)
    is_used = Membership.objects.filter(invitation=locked).exists()
    waiting = locked.deliveries.filter(sent_at=None, attempts__lt=MAX_ATTEMPTS)
    if not locked.address or locked.revoked_at or is_used or waiting.exists():
        raise NotToBeSentAgain("it is being sent, was withdrawn or was accepted")
    _require_fewer(locked.campaign, 1)
    _queue(locked)
    record(
        AuditAction.INVITATION_RESENT,
        campaign=locked.campaign,
        subject=("invitation", locked.pk),
    )


@transaction.atomic
def open_link(*, delivery: Delivery) -> str | None:
    """The secret of the link that the delivery's mail holds, which opens from now on; None if
    nobody is to come by it any more."""
    assert delivery.invitation is not None  # noqa: S101 - only those of invitations are sent
    invitation = locked_invitation(delivery.invitation)
    if invitation.revoked_at or Membership.objects.filter(invitation=invitation).exists():
        return None
    # a restored database may use the number of a delivery for another person
    facts = f"{delivery.pk} {invitation.address} {invitation.created_at.isoformat()}"
    key = salted_hmac("tasks.people.invitation", facts, algorithm="sha256").digest()
    secret = urlsafe_b64encode(key[:24]).decode()
    invitation.digest = Invitation.digest_of(secret)
    invitation.expires_at = timezone.now() + OPEN_FOR
    invitation.save(update_fields=["digest", "expires_at"])
    return secret


def _queue(*invitations: Invitation) -> None:
    for invitation in invitations:
        Delivery.objects.create(invitation=invitation, channel=Channel.MAIL)
    transaction.on_commit(partial(send, SEND_INVITATIONS, expires=60))


def _require_fewer(campaign: Campaign, more: int) -> None:
    """Raises TooManyMails."""
    day = Delivery.objects.filter(
        invitation__campaign=campaign, not_before__gt=timezone.now() - timedelta(days=1)
    )
    if day.count() + more > MOST_A_DAY:
        raise TooManyMails(f"a campaign sends at most {MOST_A_DAY} invitations a day")
