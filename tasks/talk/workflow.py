"""Writing messages: once, durably, into the inboxes of those whom they are for; answers for all who
rate an item, shown for good, opened by choice; and mails about messages.

Each notice is in one mail at most, each mail sent again until it is taken. Which notices a mail
tells is stored before it is sent, so no worker that dies loses one or puts it into another mail.
One that dies between sending and noting so sends the same mail again, under the same Message-ID,
by which mail programs know it.
"""

from collections import defaultdict
from collections.abc import Sequence
from datetime import timedelta
from typing import NamedTuple

from django.db import IntegrityError, transaction
from django.db.models.functions import Now

from tasks.events.workflow.events import NewEvent, note_events
from tasks.models import (
    AuditAction,
    Campaign,
    Channel,
    Delivery,
    EventKind,
    Flag,
    Item,
    Membership,
    Message,
    MessageKind,
    Notice,
    OpenedAnswer,
    SharedAnswer,
    Thread,
    User,
)
from tasks.storing.acts import record
from tasks.storing.refusals import Refusal
from tasks.talk.queries import Handles, admins_of, raters_to_write_to, unread_of, untold_notices
from tasks.votes.workflow import lock_member

MOST_PER_HOUR = 60
"""Messages of one member: each is told to several people, by mail to some."""


class KeyReused(Refusal):
    """The idempotency key has been used for another message."""


class NotARaterOfIt(Refusal):
    """The member has not rated the item, or cannot read messages any more."""


class TooManyMessages(Refusal):
    """The member has written as many messages as anybody may in an hour."""

    status = 429

    def headers(self) -> dict[str, str]:
        return {"Retry-After": "600"}


class Written(NamedTuple):
    """A message that is stored; `is_replay` says that it was before."""

    message: Message
    is_replay: bool


@transaction.atomic
def write_message(
    *, thread: Thread, author: Membership, text: str, idempotency_key: str
) -> Written:
    """Add a message to a thread that its author may see.

    Raises KeyReused and TooManyMessages.
    """
    if earlier := _earlier(thread, author, text, idempotency_key):
        return Written(earlier, is_replay=True)
    _require_patience(author)
    try:
        with transaction.atomic():
            message = Message.objects.create(
                thread=thread,
                author=author,
                kind=MessageKind.WORDS,
                text=text,
                idempotency_key=idempotency_key,
            )
    except IntegrityError:  # sent twice at the same moment
        if stored := _earlier(thread, author, text, idempotency_key):
            return Written(stored, is_replay=True)
        raise
    _tell(message)
    return Written(message, is_replay=False)


@transaction.atomic
def start_thread(
    *, item: Item, rater: Membership, author: Membership, text: str, idempotency_key: str
) -> Written:
    """An admin writes to somebody who has rated the item; if they have a thread, it goes on there.

    Raises NotARaterOfIt, KeyReused and TooManyMessages.
    """
    if not raters_to_write_to(item, author).filter(pk=rater.pk).exists():
        raise NotARaterOfIt("this member has not rated the item, or has left the campaign")
    thread, is_new = Thread.objects.get_or_create(item=item, rater=rater)
    written = write_message(
        thread=thread, author=author, text=text, idempotency_key=idempotency_key
    )
    if is_new:
        record(
            AuditAction.THREAD_STARTED,
            campaign=author.campaign,
            subject=("item", item.key),
            details={"rater": rater.pseudonym},
            by=author,
        )
    return written


def note_flag(*, flag: Flag) -> None:
    """A flag is raised, or says something else now: it is the next message of its thread.

    Raises TooManyMessages.
    """
    thread = _thread_of(flag)
    flags = thread.messages.filter(kind__in=(MessageKind.FLAG, MessageKind.SETTLED))
    last = flags.order_by("-pk").first()
    if last is None or (last.kind, last.text) != (MessageKind.FLAG, flag.reason):
        _require_patience(flag.rater)
        _add(thread, flag.rater, MessageKind.FLAG, flag.reason)


def note_settlement(*, flag: Flag, by: Membership, text: str) -> None:
    """A flag is settled. The text is for its rater; "" where they are not to know it."""
    _add(_thread_of(flag), by, MessageKind.SETTLED, text)


def _thread_of(flag: Flag) -> Thread:
    thread, _is_new = Thread.objects.get_or_create(item_id=flag.item_id, rater_id=flag.rater_id)
    return thread


def _add(thread: Thread, author: Membership, kind: MessageKind, text: str) -> None:
    _tell(Message.objects.create(thread=thread, author=author, kind=kind, text=text))


def _earlier(thread: Thread, author: Membership, text: str, key: str) -> Message | None:
    """The message stored under this key, if there is one. Raises KeyReused if it was another."""
    earlier = Message.objects.filter(author=author, idempotency_key=key).first()
    if earlier and (earlier.thread_id, earlier.text) != (thread.pk, text):
        raise KeyReused("this idempotency key was used for another message")
    return earlier


def _require_patience(author: Membership) -> None:
    lock_member(author)  # or several at once would each find room for one more
    recent = Message.objects.filter(author=author, created_at__gt=Now() - timedelta(hours=1))
    if recent.count() >= MOST_PER_HOUR:
        raise TooManyMessages(f"at most {MOST_PER_HOUR} messages per hour: wait a little")


def _tell(message: Message) -> None:
    """Put it into inboxes, and note it for webhooks."""
    Notice.objects.bulk_create(
        Notice(message=message, thread=message.thread, member_id=member, is_mention=is_mention)
        for member, is_mention in sorted(_recipients(message).items())
    )
    data = {
        "message": message.pk,
        "thread": message.thread_id,
        "kind": message.kind,
        "item": message.thread.item.key,
        "rater": message.thread.rater.pseudonym,
        "author": message.author.pseudonym,
    }
    note_events(message.thread.item.campaign_id, NewEvent(EventKind.MESSAGE_WRITTEN, data))


def _recipients(message: Message) -> dict[int, bool]:
    """Members by whether the message names them: of a rater's all admins; of an admin's the rater,
    and the admins who have written in the thread or are named."""
    thread = message.thread
    admins = list(admins_of(thread.item.campaign_id))
    concerned = {admin.pk for admin in admins}
    named = set(Handles(thread, admins).named_in(message.text))
    if message.author_id != thread.rater_id:
        taking_part = Message.objects.filter(thread=thread).values_list("author", flat=True)
        concerned &= {*taking_part, *named}
        rater = Membership.objects.filter(pk=thread.rater_id, is_active=True, user__is_active=True)
        concerned |= set(rater.values_list("pk", flat=True))
    return {member: member in named for member in concerned - {message.author_id}}


class NotToBeShared(Refusal):
    """Only admins show messages to others, and only their own."""


def may_share(message: Message, member: Membership) -> bool:
    """Whether the member may show the message to everybody who rates the item, from whom it is to
    keep the rater it was written to."""
    rater = message.thread.rater
    is_own = message.author_id == member.pk != rater.pk
    return member.is_admin and is_own and bool(message.text) and rater.pseudonym not in message.text


@transaction.atomic
def share_answer(*, message: Message, by: Membership) -> bool:
    """Show the message to everybody who rates its item, for good; false if it was before.

    Raises NotToBeShared.
    """
    if not may_share(message, by):
        raise NotToBeShared(
            "only an answer of your own that does not name its rater can be shown to all"
        )
    _answer, is_new = SharedAnswer.objects.get_or_create(message=message)
    if is_new:
        record(
            AuditAction.ANSWER_SHARED,
            campaign=by.campaign,
            subject=("item", message.thread.item.key),
            details={"message": message.pk},
            by=by,
        )
    return is_new


def note_opened(*, answers: Sequence[SharedAnswer], rater: Membership) -> None:
    """That the rater has opened these answers. A second look changes nothing."""
    for answer in answers:
        OpenedAnswer.objects.get_or_create(answer=answer, rater=rater)


def mark_thread_read(*, thread: Thread, member: Membership) -> None:
    Notice.objects.filter(thread=thread, member=member, read_at=None).update(read_at=Now())


def mark_all_read(*, user: User, campaign: Campaign | None = None) -> int:
    """Everything that the person sees in their inbox, of one campaign or of all; how many."""
    return unread_of(user, campaign).update(read_at=Now())


AT_ONCE = 5000  # notices


def make_mails() -> None:
    """Put what is to be told into mails, one for each person."""
    untold: dict[int, list[int]] = defaultdict(list)
    rows = untold_notices().order_by("pk").values_list("member__user", "pk")
    for user, notice in rows[:AT_ONCE]:
        untold[user].append(notice)
    for user, notices in untold.items():
        with transaction.atomic():
            mail = Delivery.objects.create(user_id=user, channel=Channel.MAIL)
            if not Notice.objects.filter(pk__in=notices, mail=None).update(mail=mail):
                mail.delete()  # another worker was faster
