"""What people change about their own account."""

from django.db import transaction

from tasks.models import AuditAction, MessageMails, User
from tasks.storing.acts import record


@transaction.atomic
def set_email(*, user: User, email: str) -> None:
    """The address for a forgotten password; "" for none. Earlier reset links end with it."""
    user.email = email
    user.save(update_fields=["email"])
    record(AuditAction.EMAIL_CHANGED, subject=("account", user.username))


@transaction.atomic
def set_password(*, user: User, password: str) -> None:
    """Another password, which ends every other session of the user."""
    user.set_password(password)
    user.save(update_fields=["password"])
    record(AuditAction.PASSWORD_CHANGED, subject=("account", user.username))


def set_message_mails(*, user: User, choice: MessageMails) -> None:
    """Whether and when mails tell what is in the user's inbox; all but "none" need an address."""
    user.message_mails = choice
    user.save(update_fields=["message_mails"])


def choose_language(*, user: User, language: str) -> None:
    """The language of the user's mails: one of the site's."""
    user.language = language
    user.save(update_fields=["language"])
