"""Work for invitations by e-mail: send them."""

from celery import shared_task
from django.utils import translation

from tasks.campaigns.workflow.campaign import WORKING
from tasks.events.workflow.sending import send_due
from tasks.models import Delivery
from tasks.people.queries import sends_invitations
from tasks.people.shown import invitation_mail
from tasks.people.workflow.mailed_invitations import SEND_INVITATIONS, open_link
from tasks.web.outgoing import compose, mailbox


@shared_task(name=SEND_INVITATIONS, expires=60)
def send_invitations() -> None:
    """Those of an archived campaign wait until it is reopened."""
    if sends_invitations():
        send_due(_send, invitation__campaign__state__in=WORKING)


def _send(delivery: Delivery) -> None:
    secret = open_link(delivery=delivery)
    invitation = delivery.invitation
    if secret is None or invitation is None:
        return
    with translation.override(invitation.language):
        message = compose(
            invitation_mail(invitation, secret),
            to=[mailbox(invitation.addressee, invitation.address)],
            campaign=invitation.campaign,
            name=f"invitation-{delivery.pk}",
        )
    message.send()
