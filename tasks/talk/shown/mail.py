"""The mail that tells of messages."""

from email.utils import parseaddr

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tasks.models import Delivery, Notice
from tasks.talk.queries.inbox import notices_to_tell, stop_token
from tasks.talk.shown.threads import name_of
from tasks.web.public_address import public_address

SHOWN = 50  # messages in one mail; the inbox has the others


def send_mail(mail: Delivery) -> None:
    """Send it, unless nothing of it is left to be told. Raises OSError."""
    if notices := list(notices_to_tell(mail)):
        mail_of(mail, notices).send()


def mail_of(mail: Delivery, notices: list[Notice]) -> EmailMessage:
    """The mail with the words of messages, without any text of an item."""
    assert mail.user is not None  # noqa: S101 - only those to users tell of messages
    stop = public_address(reverse("inbox-stop-mails", args=[stop_token(mail.user)]))
    parts = [
        (notice, name_of(notice.message, notice.thread), _quoted(notice), _address(notice))
        for notice in notices[:SHOWN]
    ]
    with translation.override(settings.LANGUAGE_CODE):
        subject = _subject(notices)
        body = render_to_string(
            "talk/mail.txt", {"parts": parts, "more": len(notices) - len(parts), "stop": stop}
        )
    # of the sender, as their mail server may check it
    domain = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2] or "localhost"
    headers = {
        "Message-ID": f"<messages-{mail.pk}@{domain}>",
        "Auto-Submitted": "auto-generated",
    }
    if settings.SITE_URL:  # a path alone leads nowhere
        headers["List-Unsubscribe"] = f"<{stop}>"
        headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    return EmailMessage(" ".join(subject.split()), body, to=[mail.user.email], headers=headers)


def _quoted(notice: Notice) -> str:
    """The words, so that none of them looks like the mail's own."""
    return "\n".join(f"> {line}" for line in notice.message.text.splitlines())


def _address(notice: Notice) -> str:
    return public_address(reverse("thread", args=[notice.member.campaign.slug, notice.thread_id]))


def _subject(notices: list[Notice]) -> str:
    titles = {notice.member.campaign.title for notice in notices}
    count = len(notices)
    news = ngettext("%(count)d new message", "%(count)d new messages", count) % {"count": count}
    if len(titles) > 1:
        return _("%(messages)s in your campaigns") % {"messages": news}
    return f"{titles.pop()}: {news}"
