"""Work for inboxes: mails about the messages in them."""

from celery import shared_task
from django.conf import settings

from tasks.events.workflow.sending import send_due
from tasks.talk.shown import send_mail
from tasks.talk.workflow import make_mails


@shared_task(name="tasks.mail_messages", expires=20)
def mail_messages() -> None:
    """Send what is to be told by now, and try again what failed, if the site sends mail at all."""
    if settings.SENDS_MAIL:
        make_mails()
        send_due(send_mail, user__isnull=False)
