"""The mail about messages."""

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tasks.models import Delivery, MessageKind, Notice
from tasks.talk.queries.inbox import notices_to_tell, stop_token
from tasks.talk.shown.threads import name_of
from tasks.web.mail import Mail, Part, compose
from tasks.web.public_address import public_address

SHOWN = 50  # messages in one mail; the inbox has the others


def send_mail(mail: Delivery) -> None:
    """Send it, unless everything in it was read meanwhile. Raises OSError."""
    if notices := list(notices_to_tell(mail)):
        mail_of(mail, notices).send()


def mail_of(mail: Delivery, notices: list[Notice]) -> EmailMultiAlternatives:
    """The mail with the words of messages, without any text of an item."""
    assert mail.user is not None  # noqa: S101 - only those to users tell of messages
    stop = public_address(reverse("inbox-stop-mails", args=[stop_token(mail.user)]))
    headers = {}
    if settings.SITE_URL:  # a path alone leads nowhere
        headers["List-Unsubscribe"] = f"<{stop}>"
        headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    campaigns = {notice.member.campaign for notice in notices}
    with translation.override(mail.user.language or settings.LANGUAGE_CODE):
        return compose(
            messages_mail(notices, stop),
            to=[mail.user.email],
            campaign=campaigns.pop() if len(campaigns) == 1 else None,
            name=f"messages-{mail.pk}",
            headers=headers,
        )


def messages_mail(notices: list[Notice], stop: str) -> Mail:
    """The mail to a person about messages; `stop` is the address that ends such mails."""
    body = [part for notice in notices[:SHOWN] for part in _parts(notice)]
    if (more := len(notices) - SHOWN) > 0:
        text = ngettext(
            "%(count)s more message is in your inbox.",
            "%(count)s more messages are in your inbox.",
            more,
        )
        body.append(Part(text % {"count": more}))
    why = _("You receive this because you chose e-mail about messages on your account page.")
    return Mail(_subject(notices), body, [Part(why), Part(_("Stop these e-mails"), stop)])


def _parts(notice: Notice) -> list[Part]:
    message, campaign = notice.message, notice.member.campaign
    if message.kind == MessageKind.SETTLED:
        event = _("%(author)s settled the flag.")
    elif message.kind == MessageKind.FLAG:
        event = _("%(author)s flagged an item:")
    else:
        event = _("%(author)s wrote:")
    event %= {"author": name_of(message, notice.thread)}
    words = [Part(message.text, is_quoted=True)] if message.text else []
    address = public_address(reverse("thread", args=[campaign.slug, notice.thread_id]))
    return [Part(f"{campaign.title}\n{event}"), *words, Part(_("Open the conversation"), address)]


def _subject(notices: list[Notice]) -> str:
    titles = {notice.member.campaign.title for notice in notices}
    count = len(notices)
    news = ngettext("%(count)d new message", "%(count)d new messages", count) % {"count": count}
    if len(titles) > 1:
        return _("%(messages)s in your campaigns") % {"messages": news}
    return f"{titles.pop()}: {news}"
