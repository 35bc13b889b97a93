"""Every mail that the site sends, made of people and campaigns that are in no database."""

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.utils import translation

from tasks.access.forms import reset_mail
from tasks.agreement.alert_messages import alert_mail
from tasks.models import (
    Alert,
    AlertKind,
    Campaign,
    Invitation,
    Membership,
    Message,
    MessageKind,
    Notice,
    Role,
    Thread,
    User,
)
from tasks.people.shown import invitation_mail
from tasks.talk.shown import messages_mail
from tasks.web.outgoing import Mail, compose

QUOTED = "Please read the guidelines first.\nThanks & see you on Monday <Room 4>"
_RIVERS = Campaign(
    slug="rivers",
    title="Rivers & lakes",
    mail_sender_name="River lab, Ghent",
    mail_reply_to="lab@example.org",
)
_SEAS = Campaign(slug="seas", title="Seas")
_EVIDENCE = {"value": 0.41, "high": 0.58, "threshold": 0.667, "n": 120}


def sample_mails(language: str) -> dict[str, EmailMultiAlternatives]:
    """Each mail by its name, in a language of the site."""
    with translation.override(language):
        return {
            name: compose(mail, to=["ann@example.org"], campaign=_RIVERS)
            for name, mail in _mails(f"{settings.SITE_URL}/inbox/stop-mails/token/").items()
        }


def _mails(stop: str) -> dict[str, Mail]:
    reset = f"{settings.SITE_URL}/password/reset/uid/token/"
    rater = Invitation(campaign=_RIVERS, addressee="Ann Lee", message=QUOTED)
    researcher = Invitation(campaign=_RIVERS, role=Role.RESEARCHER)
    alpha = Alert(campaign=_RIVERS, kind=AlertKind.ALPHA, evidence=_EVIDENCE)
    notices = [
        _notice(_RIVERS, MessageKind.FLAG, QUOTED),
        _notice(_RIVERS, MessageKind.WORDS, "I see."),
        _notice(_SEAS, MessageKind.SETTLED, ""),
    ]
    return {
        "invitation": invitation_mail(rater, "secret"),
        "invitation-researcher": invitation_mail(researcher, "secret"),
        "password": reset_mail(User(username="ann"), reset),
        "alert": alert_mail(alpha, is_told=True, audit_head="4711 0b5e"),
        "alert-withheld": alert_mail(alpha, is_told=False),
        "message": messages_mail(notices[:1], stop),
        "messages": messages_mail(notices * 20, stop),
    }


def _notice(campaign: Campaign, kind: MessageKind, text: str) -> Notice:
    rater = Membership(pk=1, campaign=campaign, pseudonym="rater-7f3a")
    thread = Thread(pk=12, rater=rater)
    author = rater if kind == MessageKind.FLAG else Membership(pk=2, name="oak")
    message = Message(thread=thread, author=author, kind=kind, text=text)
    return Notice(message=message, thread=thread, member=Membership(pk=3, campaign=campaign))
