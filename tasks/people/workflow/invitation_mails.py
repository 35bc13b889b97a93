"""Invitations by e-mail: queued by an admin, sent by a worker, one mail for each address.

No mail is lost, because it waits in a table until it is sent. None is sent twice: a worker says
that it begins with a mail before it hands the mail over. If it is killed in between, nobody knows
whether the mail has left, and the list says just that; a person decides whether to send it again.
"""

import logging
import smtplib
from collections.abc import Sequence
from datetime import timedelta
from email.utils import formataddr
from functools import partial
from typing import NamedTuple
from urllib.parse import quote

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.db import transaction
from django.db.models.functions import Now
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation

from tasks.models import (
    AuditAction,
    Campaign,
    Invitation,
    InvitationMail,
    MailState,
    Membership,
    Role,
    User,
)
from tasks.people.queries.invitation_mails import invited_among
from tasks.storing.acts import record
from tasks.storing.messages import send
from tasks.storing.reasons import as_reason
from tasks.storing.refusals import Refusal

SEND_INVITATIONS = "tasks.send_invitations"
MAX_AT_ONCE = 200
MAX_ATTEMPTS = 5  # that failed because the mail server could not be reached, or said "later"
FIRST_DELAY = timedelta(minutes=1)
DELAY_GROWS_BY = 4
LOST_AFTER = timedelta(minutes=5)  # longer than a mail server may take for one mail

logger = logging.getLogger(__name__)


class NotToBeSentAgain(Refusal):
    """The mail is on its way, was withdrawn, or has been accepted."""


class Recipient(NamedTuple):
    """Whom to invite; the name may be missing."""

    address: str
    name: str = ""


class Invited(NamedTuple):
    """An address and the link for it, known this once."""

    mail: InvitationMail
    secret: str


@transaction.atomic
def invite_by_mail(
    *,
    campaign: Campaign,
    recipients: Sequence[Recipient],
    role: str = Role.RATER,
    language: str = "en",
    message: str = "",
    days: int = 14,
    as_links: bool = False,
    by: User | None = None,
) -> list[Invited]:
    """Queue a mail for each address that has not been invited; what was made, in their order.

    as_links: nothing is sent. Whoever invites passes the links on: the secrets are in the result
        and nowhere else.

    Raises IntegrityError if somebody else invites one of the addresses at this very moment.
    """
    known = invited_among(campaign, (each.address for each in recipients))
    made = []
    for address, name in recipients:
        if address.lower() in known:
            continue
        known.add(address.lower())
        secret = Invitation.new_secret()
        invitation = Invitation.objects.create(
            campaign=campaign,
            role=role,
            digest=Invitation.digest_of(secret),
            max_uses=1,
            expires_at=timezone.now() + timedelta(days=days),
            created_by=by,
        )
        mail = InvitationMail.objects.create(
            campaign=campaign,
            invitation=invitation,
            address=address,
            name=name,
            language=language,
            message=message,
            days=days,
            state=MailState.LINK if as_links else MailState.QUEUED,
            created_by=by,
        )
        made.append(Invited(mail, secret if as_links else ""))
    if made:
        # no addresses: the log can never forget them
        record(
            AuditAction.INVITATIONS_MAILED,
            campaign=campaign,
            details={"role": str(role), "invitations": len(made), "as_links": as_links},
        )
        if not as_links:
            transaction.on_commit(partial(send, SEND_INVITATIONS, expires=60))
    return made


@transaction.atomic
def send_again(*, mail: InvitationMail) -> None:
    """Queue it once more, with a new link that is open as long as the first was; the link that was
    sent before ends. Raises NotToBeSentAgain."""
    again = InvitationMail.objects.filter(
        pk=mail.pk, state__in=[MailState.SENT, MailState.REFUSED, MailState.UNCLEAR]
    )
    accepted = Membership.objects.filter(invitation=mail.invitation_id).exists()
    queued = {"state": MailState.QUEUED, "attempts": 0, "reason": "", "due_at": Now()}
    if accepted or not again.update(**queued, taken_at=None, sent_at=None):
        raise NotToBeSentAgain("it is on its way, was withdrawn, or has been accepted")
    record(
        AuditAction.INVITATION_RESENT,
        campaign=mail.campaign,
        subject=("invitation", mail.invitation_id),
    )
    transaction.on_commit(partial(send, SEND_INVITATIONS, expires=60))


@transaction.atomic
def withdraw(*, mail: InvitationMail) -> None:
    """Send it no more, and let nobody in by it. Who came by it stays. Again changes nothing."""
    there = InvitationMail.objects.filter(pk=mail.pk).exclude(state=MailState.WITHDRAWN)
    if there.update(state=MailState.WITHDRAWN):
        Invitation.objects.filter(pk=mail.invitation_id, revoked_at=None).update(revoked_at=Now())
        record(
            AuditAction.INVITATION_REVOKED,
            campaign=mail.campaign,
            subject=("invitation", mail.invitation_id),
        )


def send_due() -> int:
    """Send what waits, one after another; how many were handed over."""
    _give_up_lost()
    sent = 0
    while (taken := _take_next()) is not None:
        sent += _hand_over(*taken)
    return sent


def link_of(secret: str) -> str:
    """The path of the page that an invitation opens."""
    return reverse("join", args=[quote(secret)])


def drafted_text(
    *, campaign: Campaign, recipient: Recipient, role: str, language: str, days: int, message: str
) -> str:
    """What the mail would say, with dots where the link will be. Nothing is stored."""
    until = timezone.now() + timedelta(days=days)
    invitation = Invitation(campaign=campaign, role=role, expires_at=until)
    mail = InvitationMail(
        campaign=campaign,
        invitation=invitation,
        address=recipient.address,
        name=recipient.name,
        language=language,
        message=message,
    )
    drafted = _message(mail, f"{settings.SITE_URL}/join/…")
    return f"{drafted.subject}\n\n{drafted.body}"


def _give_up_lost() -> None:
    InvitationMail.objects.filter(state=MailState.SENDING, taken_at__lt=Now() - LOST_AFTER).update(
        state=MailState.UNCLEAR
    )


def _take_next() -> tuple[InvitationMail, str] | None:
    """The next mail that is due, marked as being sent, and the secret of its link."""
    waiting = InvitationMail.objects.filter(
        state=MailState.QUEUED, due_at__lte=Now(), campaign__deleted_at=None
    ).exclude(campaign__state="archived")
    for pk in waiting.order_by("due_at", "pk").values_list("pk", flat=True)[:20]:
        with transaction.atomic():
            mine = InvitationMail.objects.filter(pk=pk, state=MailState.QUEUED)
            if not mine.update(state=MailState.SENDING, taken_at=Now()):
                continue  # another worker has it
            mail = InvitationMail.objects.select_related("campaign", "invitation").get(pk=pk)
            secret = Invitation.new_secret()
            Invitation.objects.filter(pk=mail.invitation_id).update(
                digest=Invitation.digest_of(secret),
                expires_at=timezone.now() + timedelta(days=mail.days),
            )
            mail.invitation.refresh_from_db(fields=["expires_at"])
            return mail, secret
    return None


def _hand_over(mail: InvitationMail, secret: str) -> bool:
    """Whether the mail server took it. What fails before may be tried again."""
    connection = get_connection()
    try:
        connection.open()
    except (OSError, smtplib.SMTPException) as error:
        _try_later(mail, error)
        return False
    try:
        connection.send_messages([_message(mail, settings.SITE_URL + link_of(secret))])
    except smtplib.SMTPRecipientsRefused as error:
        code, text = next(iter(error.recipients.values()))
        _answered(mail, code, text, error)
    except smtplib.SMTPResponseException as error:
        _answered(mail, error.smtp_code, error.smtp_error, error)
    except (OSError, smtplib.SMTPException) as error:
        logger.warning("nobody knows whether an invitation was sent: %s", type(error).__name__)
        _write(mail, state=MailState.UNCLEAR)
    else:
        _write(mail, state=MailState.SENT, sent_at=Now(), reason="")
        return True
    finally:
        connection.close()
    return False


def _answered(mail: InvitationMail, code: int, text: bytes | str, error: Exception) -> None:
    """The server does not want the mail: for now (4xx), or at all."""
    if 400 <= code < 500:
        _try_later(mail, error)
        return
    said = text.decode(errors="replace") if isinstance(text, bytes) else text
    _write(mail, state=MailState.REFUSED, reason=as_reason(f"{code} {said}", 300))


def _try_later(mail: InvitationMail, error: Exception) -> None:
    attempts = mail.attempts + 1
    reason = as_reason(str(error) or type(error).__name__, 300)
    if attempts >= MAX_ATTEMPTS:
        _write(mail, state=MailState.REFUSED, attempts=attempts, reason=reason)
        return
    delay = FIRST_DELAY * DELAY_GROWS_BY ** (attempts - 1)
    _write(mail, state=MailState.QUEUED, attempts=attempts, reason=reason, due_at=Now() + delay)


def _write(mail: InvitationMail, **values: object) -> None:
    """Unless it was withdrawn in the meantime."""
    InvitationMail.objects.filter(pk=mail.pk, state=MailState.SENDING).update(**values)


def _message(mail: InvitationMail, link: str) -> EmailMessage:
    context = {"mail": mail, "link": link}
    with translation.override(mail.language):
        subject = render_to_string("people/invitation_subject.txt", context)
        body = render_to_string("people/invitation_mail.txt", context)
    # no answer of a machine that is away, please
    headers = {"Auto-Submitted": "auto-generated"}
    to = formataddr((mail.name, mail.address)) if mail.name else mail.address
    return EmailMessage(" ".join(subject.split()), body, to=[to], headers=headers)
