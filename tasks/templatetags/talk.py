"""What templates ask about threads and inboxes."""

from typing import NamedTuple

from django import template
from django.template.context import RequestContext

from tasks.models import Flag, Item, Membership, Thread, User
from tasks.talk.queries.inbox import unread_threads
from tasks.talk.queries.threads import raters_to_write_to
from tasks.talk.shown.threads import ShownThread, threads_on
from tasks.votes.blindness import withheld_from

register = template.Library()
_KNOWN = "_unread_threads"  # read once for each request


@register.simple_tag(takes_context=True)
def unread_in_inbox(context: RequestContext) -> int:
    """In how many threads something waits for the person; nothing is asked where nobody is
    signed in."""
    request = context.get("request")
    user = getattr(request, "user", None)
    if not getattr(user, "is_authenticated", False):
        return 0
    if not hasattr(request, _KNOWN):
        assert isinstance(user, User)  # noqa: S101 - the only kind there is
        setattr(request, _KNOWN, unread_threads(user))
    found: int = getattr(request, _KNOWN)
    return found


class Conversations(NamedTuple):
    """What a member may see and do about the threads of an item."""

    threads: list[ShownThread]
    can_write: bool


@register.simple_tag
def conversations_about(item: Item, membership: Membership) -> Conversations:
    """The threads on an item that the member may see, as far as its votes are not withheld from
    them, and whether somebody has rated it to whom they may write."""
    if not membership.is_admin:
        return Conversations(list(threads_on(item, membership)), can_write=False)
    if withheld_from(membership, item):
        own = [each for each in threads_on(item, membership) if each.is_own]
        return Conversations(own, can_write=False)
    can_write = raters_to_write_to(item, membership).exists()
    return Conversations(list(threads_on(item, membership)), can_write)


@register.simple_tag
def thread_of(flag: Flag | None) -> int | None:
    """The thread that a flag is in; None where there is no flag, which costs nothing."""
    if not flag:  # a template has "" for what is not there
        return None
    threads = Thread.objects.filter(item=flag.item_id, rater=flag.rater_id)
    return threads.values_list("pk", flat=True).first()
