"""A thread as one of its people sees it, raters see admins by name, admins raters by pseudonym; and
the mail about messages."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.urls import reverse
from django.utils import translation
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tasks.models import (
    Assignment,
    AssignmentState,
    Delivery,
    Flag,
    Item,
    Membership,
    Message,
    MessageKind,
    Notice,
    Thread,
)
from tasks.talk.queries import (
    SHOWN,
    Handles,
    admins_of,
    notices_to_tell,
    stop_token,
    threads_seen_by,
    with_messages,
)
from tasks.talk.workflow import may_share
from tasks.web.outgoing import Mail, Part, compose, public_address

_ADDRESS = re.compile(r"https?://[^\s<>\"'`\\]+", re.IGNORECASE)
_NOT_AT_THE_END = ".,;:!?…)]}*_~|"


def name_of(message: Message, thread: Thread) -> str:
    """The author as others in the thread know them; researchers, who decide too, are not named."""
    if message.author_id == thread.rater_id:
        return thread.rater.pseudonym
    return message.author.name if message.text else _("Admins")


@dataclass(frozen=True, slots=True)
class ShownMessage:
    """A message before the eyes of a member; `opened_by` counts raters where all may open it."""

    message: Message
    author: str
    is_own: bool
    is_by_admin: bool
    html: SafeString
    can_be_shared: bool
    opened_by: int | None


@dataclass(frozen=True)
class ShownThread:
    """A thread before the eyes of a member, and the admins who may be named in it."""

    thread: Thread
    viewer: Membership
    admins: Sequence[Membership]

    @cached_property
    def handles(self) -> Handles:
        return Handles(self.thread, self.admins)

    @cached_property
    def messages(self) -> list[ShownMessage]:
        """The latest ones, in the order in which they were written."""
        latest: list[Message] = getattr(self.thread, "latest_messages", [])
        return [self._shown(message) for message in reversed(latest)]

    def _shown(self, message: Message) -> ShownMessage:
        answer = getattr(message, "shared", None)
        is_own = message.author_id == self.viewer.pk
        return ShownMessage(
            message=message,
            author=_("You") if is_own else name_of(message, self.thread),
            is_own=is_own,
            is_by_admin=message.author_id != self.thread.rater_id,
            html=as_html(message.text, self.handles.pattern),
            can_be_shared=answer is None and may_share(message, self.viewer),
            opened_by=answer and len(answer.opened.all()),
        )

    @property
    def is_cut(self) -> bool:
        return len(self.messages) >= SHOWN

    @property
    def is_own(self) -> bool:
        return self.thread.rater_id == self.viewer.pk

    @property
    def offered(self) -> list[str]:
        """Whom the viewer may name."""
        return self.handles.offered_to(self.viewer)

    @cached_property
    def open_flag(self) -> Flag | None:
        """The rater's flag on the item, for an admin to settle."""
        if not self.viewer.is_admin:
            return None
        flags = Flag.objects.filter(item=self.thread.item_id, rater=self.thread.rater_id)
        return flags.filter(settled_at=None).first()

    @cached_property
    def assignment(self) -> int | None:
        """The assignment by which the viewer rates the item or may revise their rating of it."""
        own = Assignment.objects.filter(item=self.thread.item_id, rater=self.viewer)
        return own.exclude(state=AssignmentState.SKIPPED).values_list("pk", flat=True).first()


def threads_on(item: Item, viewer: Membership) -> list[ShownThread]:
    """All threads on an item that the viewer may see, the latest first."""
    seen = list(with_messages(threads_seen_by(viewer).filter(item=item)).order_by("-pk"))
    admins = list(admins_of(item.campaign_id)) if seen else []
    return [ShownThread(thread, viewer, admins) for thread in seen]


def as_html(text: str, names: re.Pattern[str] | None = None) -> SafeString:
    """The text escaped; a web address leads where it says, whoever is named stands out."""

    def name_html(match: re.Match[str]) -> str:
        return format_html('<b class="named">{}</b>', match[0])

    def plain(part: str) -> str:
        return _replaced(names, part, name_html, escape) if names else escape(part)

    return mark_safe(_replaced(_ADDRESS, text, _link, plain))  # noqa: S308 - all parts are escaped


def _link(match: re.Match[str]) -> str:
    """Signs that are more likely to end the sentence than the address stay outside."""
    address = match[0].rstrip(_NOT_AT_THE_END)
    if match[0].startswith(f"{address})") and "(" in address:
        address += ")"
    link = format_html(
        '<a href="{0}" rel="nofollow noopener noreferrer ugc" target="_blank">{0}</a>', address
    )
    return link + escape(match[0][len(address) :])


def _replaced(
    pattern: re.Pattern[str],
    text: str,
    inside: Callable[[re.Match[str]], str],
    outside: Callable[[str], str],
) -> str:
    """The text as HTML: of what matches, and of what stands between."""
    parts, end = [], 0
    for match in pattern.finditer(text):
        parts += [outside(text[end : match.start()]), inside(match)]
        end = match.end()
    return "".join([*parts, outside(text[end:])])


MESSAGES_SHOWN = 50  # messages in one mail; the inbox has the others


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
    body = [part for notice in notices[:MESSAGES_SHOWN] for part in _parts(notice)]
    if (more := len(notices) - MESSAGES_SHOWN) > 0:
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
