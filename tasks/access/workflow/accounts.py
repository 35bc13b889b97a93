"""What people change about their own account."""

from django.db import transaction
from django.db.models.functions import Now

from tasks.access.workflow.notices import Event, notify_owner
from tasks.access.workflow.sessions import forget_sessions
from tasks.models import AuditAction, MessageMails, OpenSession, User
from tasks.storing.acts import changes, record


@transaction.atomic
def set_email(*, user: User, email: str) -> None:
    """The address for a forgotten password; "" for none. Earlier reset links end with it.

    The address of before is told.
    """
    if user.email != email:
        notify_owner(user=user, event=Event.EMAIL_CHANGED)
    user.email = email
    user.save(update_fields=["email"])
    record(AuditAction.EMAIL_CHANGED, subject=("account", user.username))


@transaction.atomic
def set_password(*, user: User, password: str, kept: OpenSession | None = None) -> None:
    """Another password, which ends every session of the user but the one that is kept, if the page
    tells that one of it."""
    user.set_password(password)
    user.save(update_fields=["password"])
    forget_sessions(user=user, kept=kept)
    record(AuditAction.PASSWORD_CHANGED, subject=("account", user.username))
    notify_owner(user=user, event=Event.PASSWORD_CHANGED)


@transaction.atomic
def set_message_mails(*, user: User, choice: MessageMails) -> None:
    """Whether and when mails tell of messages. They tell of none that came before the choice."""
    before = user.message_mails
    if before == choice:
        return
    user.message_mails = choice
    changed: dict[str, object] = {"message_mails": choice}
    if before == MessageMails.NONE:
        changed["message_mails_since"] = Now()
    User.objects.filter(pk=user.pk).update(**changed)
    record(
        AuditAction.MESSAGE_MAILS_SET,
        subject=("account", user.username),
        details=changes({"message_mails": before}, {"message_mails": str(choice)}),
    )
