"""Mails that tell the owner of an account what was done with it, in case it was not them."""

from collections.abc import Callable
from enum import Enum

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tasks.models import User
from tasks.web.mail import send_soon


class Event(Enum):
    """What an owner is told of; the value says it in a sentence."""

    SIGNED_IN = _("Somebody logged in from a browser that the account did not know.")
    PASSWORD_CHANGED = _("The password was changed.")
    EMAIL_CHANGED = _("The e-mail address was changed. This is the last mail to this one.")
    FACTOR_ON = _("The second factor was switched on.")
    FACTOR_OFF = _("The second factor was switched off.")
    TOKEN_MADE = _("A token for programs was made.")


def notify_owner(*, user: User, event: Event, network: str | None = None) -> None:
    """Mail it once the transaction is committed, if the site sends mail and there is an address.

    `network` is where it came from, as far as that is known. Language: the reader's.
    """
    if not settings.SENDS_MAIL or not user.email:
        return
    transaction.on_commit(_sending(_message(user, event, network)))


def _sending(message: EmailMessage) -> Callable[[], object]:
    return lambda: send_soon(message)


def _message(user: User, event: Event, network: str | None) -> EmailMessage:
    context = {
        "name": user.username,
        "event": event.value,
        "network": network,
        "at": timezone.now(),
        "site": settings.SITE_URL,
    }
    subject = " ".join(render_to_string("access/notice_subject.txt", context).split())
    return EmailMessage(
        subject, render_to_string("access/notice_mail.txt", context), to=[user.email]
    )
