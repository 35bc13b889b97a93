"""Writing messages: once, durably, and into the inboxes of those whom they are for."""

from datetime import timedelta
from typing import NamedTuple

from django.db import IntegrityError, transaction
from django.db.models.functions import Now

from tasks.events.workflow.events import NewEvent, note_events
from tasks.models import (
    AuditAction,
    EventKind,
    Flag,
    Item,
    Membership,
    Message,
    MessageKind,
    Notice,
    Thread,
)
from tasks.storing.acts import record
from tasks.storing.refusals import Refusal
from tasks.talk.queries.threads import Handles, admins_of, raters_to_write_to
from tasks.votes.workflow.seen_votes import lock_member

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
