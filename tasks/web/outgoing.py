"""Addresses for people elsewhere, addresses that the site may send to, and mails.

The text of a mail is in the language that is active while it is made.
"""

import logging
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from email.headerregistry import Address
from email.utils import parseaddr
from smtplib import SMTPDataError, SMTPRecipientsRefused
from typing import Any, NamedTuple

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage, EmailMultiAlternatives
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import get_script_prefix
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tasks.models import Campaign
from tomahto.outgoing.destination import DestinationRefused, read_destination


def public_address(path: str, request: HttpRequest | None = None) -> str:
    """The address at which the world reaches this path: under TOMAHTO_SITE_URL, whatever host a
    request names. Without the setting under the host of the request, or else the path alone."""
    if settings.SITE_URL:
        return f"{settings.SITE_URL}/{path.removeprefix(get_script_prefix())}"
    return request.build_absolute_uri(path) if request else path


class SendableURLField(forms.URLField):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=500, assume_scheme="https", **kwargs)

    def run_validators(self, value: Any) -> None:
        """One after the other, so that there is one error."""
        super().run_validators(value)
        if value:
            require_sendable(value)


def require_sendable(url: str) -> None:
    """Raises ValidationError for an address that the site's own client would not send to."""
    try:
        read_destination(url)
    except DestinationRefused as refusal:
        raise ValidationError(
            _("No request can be sent to this address: %(reason)s") % {"reason": refusal}
        ) from None


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
    name: str = "",
    headers: Mapping[str, str] | None = None,
) -> EmailMultiAlternatives:
    """The message with both its parts. The campaign, if it is about one, names sender and address
    for replies. Mail programs show a message that comes twice under one `name` once."""
    sender, address = parseaddr(settings.DEFAULT_FROM_EMAIL)
    all_headers = {"Auto-Submitted": "auto-generated"}  # out-of-office replies are not wanted
    if name:
        # of the sender's domain, as their mail server may check it
        domain = address.rpartition("@")[2] or "localhost"
        all_headers["Message-ID"] = f"<{name}@{domain}>"
    mail = mail._replace(subject=" ".join(mail.subject.split()))
    text = "\n\n".join(map(str, [*mail.body, "--", *mail.footer])) + "\n"
    reply_to = campaign.mail_reply_to if campaign else ""
    message = EmailMultiAlternatives(
        subject=mail.subject,
        body=text,
        from_email=mailbox((campaign and campaign.mail_sender_name) or sender, address),
        to=to,
        bcc=bcc,
        reply_to=[reply_to] if reply_to else None,
        headers={**all_headers, **(headers or {})},
    )
    page = render_to_string("mail.html", {"mail": mail, "language": get_language()})
    message.attach_alternative(page, "text/html")
    return message


def mailbox(name: str, address: str) -> str:
    """As `"Lee, Ann" <ann@example.org>`."""
    return str(Address(name, addr_spec=address))


def refusal_of(error: Exception) -> tuple[str, bool]:
    """Why a message was not sent, and whether its server refused it for good."""
    said: bytes | str
    if isinstance(error, SMTPRecipientsRefused):
        code, said = next(iter(error.recipients.values()))
    elif isinstance(error, SMTPDataError):
        code, said = error.smtp_code, error.smtp_error
    else:
        return str(error) or type(error).__name__, False
    words = said.decode(errors="replace") if isinstance(said, bytes) else said
    return f"{code} {words}", code >= 500


def send_soon(message: EmailMessage) -> "Future[None]":
    """Send the message without waiting for the server. Errors are logged, not raised."""

    def send() -> None:
        try:
            message.send()
        except OSError:
            # neither address nor text: the text holds a link that opens an account
            _log.exception("a mail could not be sent")

    return _sender.submit(send)


def wait_until_sent() -> None:
    """Returns when everything handed over so far has been sent, or has failed."""
    _sender.submit(lambda: None).result()
