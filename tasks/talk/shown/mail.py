"""The mail that tells of messages."""

from email.utils import parseaddr

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tasks.models import InboxMail, Notice
from tasks.talk.queries.mails import notices_to_tell, wants_mail
from tasks.talk.queries.unsubscribing import token_of
from tasks.talk.shown.threads import name_of


def send_mail(mail: InboxMail) -> None:
    """Send it, unless nothing of it is left to be told. Raises OSError."""
    notices = list(notices_to_tell(mail)) if wants_mail(mail.user) else []
    if notices:
        mail_of(mail, notices).send()


def mail_of(mail: InboxMail, notices: list[Notice]) -> EmailMessage:
    """What is sent. The words of messages, no text of an item; of what the person is rating, only
    that there is something."""
    stop = settings.SITE_URL + reverse("inbox-stop-mails", args=[token_of(mail.user)])
    context = {
        "notices": [(each, name_of(each.message.author, each.thread)) for each in notices],
        "site": settings.SITE_URL,
        "stop": stop,
    }
    with translation.override(settings.LANGUAGE_CODE):
        subject = _subject(notices)
        body = render_to_string("talk/mail.txt", context)
    headers = {"Message-ID": f"<{mail.uid}@{_domain()}>", "Auto-Submitted": "auto-generated"}
    if settings.SITE_URL:  # a path alone leads nowhere
        headers["List-Unsubscribe"] = f"<{stop}>"
        headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    return EmailMessage(" ".join(subject.split()), body, to=[mail.user.email], headers=headers)


def _subject(notices: list[Notice]) -> str:
    titles = {each.member.campaign.title for each in notices}
    count = len(notices)
    told = ngettext("%(count)d new message", "%(count)d new messages", count) % {"count": count}
    if len(titles) > 1:
        return _("%(messages)s in your campaigns") % {"messages": told}
    return f"{titles.pop()}: {told}"


def _domain() -> str:
    """Of the sender, as their mail server may check it."""
    return parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2] or "localhost"
