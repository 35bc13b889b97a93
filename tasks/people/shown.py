"""The mail that invites a person."""

from urllib.parse import quote

from django.urls import reverse
from django.utils.translation import gettext as _

from tasks.models import Invitation, Role
from tasks.people.workflow.mailed_invitations import OPEN_FOR
from tasks.web.outgoing import Mail, Part, public_address


def invitation_mail(invitation: Invitation, secret: str) -> Mail:
    title, message = invitation.campaign.title, invitation.message
    hello = _("Hello %(name)s,") if invitation.addressee else _("Hello,")
    if invitation.role == Role.RATER:
        text = _("You are invited to rate answers in the campaign “%(title)s”.")
    else:
        text = _("You are invited to work on the campaign “%(title)s”.")
    once = _("The link is for you alone. It works once, within %(days)s days.")
    return Mail(
        subject=_("Invitation to “%(title)s”") % {"title": title},
        body=[
            Part(hello % {"name": invitation.addressee}),
            Part(text % {"title": title}),
            *([Part(message, is_quoted=True)] if message else []),
            Part(_("Take part"), public_address(reverse("join", args=[quote(secret)]))),
            Part(once % {"days": OPEN_FOR.days}),
        ],
        footer=[Part(_("If you did not expect this e-mail, you can ignore it."))],
    )
