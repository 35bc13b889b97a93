"""Mails: all made alike, as plain text and as HTML, and sent.

The text of a mail is in the language that is active while it is made.
"""

import logging
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from email.headerregistry import Address
from email.utils import parseaddr
from smtplib import SMTPDataError, SMTPRecipientsRefused
from typing import NamedTuple

from django.conf import settings
from django.core.mail import EmailMessage, EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils.translation import get_language

from tasks.models import Campaign

_log = logging.getLogger(__name__)
_sender = ThreadPoolExecutor(max_workers=1, thread_name_prefix="mail")


class Part(NamedTuple):
    """A paragraph of a mail. With `link`, `text` says where it leads; a quotation is somebody
    else's words, so it must not look like the mail's own."""

    text: str
    link: str = ""
    is_quoted: bool = False

    def __str__(self) -> str:
        if self.is_quoted:
            return "\n".join(f"> {line}" for line in self.text.splitlines())
        return f"{self.text}:\n{self.link}" if self.link else self.text


class Mail(NamedTuple):
    """The words of a mail. `footer` says why its reader gets it."""

    subject: str
    body: Sequence[Part]
    footer: Sequence[Part]


def compose(
    mail: Mail,
    *,
    to: Sequence[str] = (),
    bcc: Sequence[str] = (),
    campaign: Campaign | None = None,
    headers: Mapping[str, str] | None = None,
) -> EmailMultiAlternatives:
    """The message with both its parts. The campaign, if it is about one, names sender and address
    for replies."""
    mail = mail._replace(subject=" ".join(mail.subject.split()))
    text = "\n\n".join(map(str, [*mail.body, "--", *mail.footer])) + "\n"
    reply_to = campaign.mail_reply_to if campaign else ""
    message = EmailMultiAlternatives(
        mail.subject,
        text,
        _from(campaign),
        to,
        bcc,
        reply_to=[reply_to] if reply_to else None,
        # out-of-office replies are not wanted
        headers={"Auto-Submitted": "auto-generated", **(headers or {})},
    )
    message.attach_alternative(page_of_mail(mail), "text/html")
    return message


def page_of_mail(mail: Mail) -> str:
    """The mail as HTML."""
    return render_to_string("mail.html", {"mail": mail, "language": get_language()})


def _from(campaign: Campaign | None) -> str:
    name, address = parseaddr(settings.DEFAULT_FROM_EMAIL)
    chosen = campaign.mail_sender_name if campaign else ""
    return str(Address(chosen or name, addr_spec=address))


def refusal_of(error: Exception) -> tuple[str, bool]:
    """Why a message was not sent, and whether its server refused it for good."""
    if isinstance(error, SMTPRecipientsRefused):
        code, said = next(iter(error.recipients.values()))
    elif isinstance(error, SMTPDataError):
        code, said = error.smtp_code, error.smtp_error
    else:
        return str(error) or type(error).__name__, False
    words = said.decode(errors="replace") if isinstance(said, bytes) else said
    return f"{code} {words}", code >= 500


def send_soon(message: EmailMessage) -> "Future[None]":
    """Send the message without waiting for the server. What goes wrong is logged, not raised."""
    return _sender.submit(_send, message)


def _send(message: EmailMessage) -> None:
    try:
        message.send()
    except OSError:
        # neither address nor text: the text holds a link that opens an account
        _log.exception("a mail could not be sent")


def wait_until_sent() -> None:
    """Returns when everything handed over so far has been sent, or has failed."""
    _sender.submit(lambda: None).result()
