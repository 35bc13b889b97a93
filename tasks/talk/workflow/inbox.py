"""Marks of messages as read, which are for their reader alone."""

from django.db.models.functions import Now

from tasks.models import Campaign, Membership, Notice, Thread, User
from tasks.talk.queries.inbox import unread_of


def mark_thread_read(*, thread: Thread, member: Membership) -> None:
    """The member has read the thread."""
    Notice.objects.filter(thread=thread, member=member, read_at=None).update(read_at=Now())


def mark_all_read(*, user: User, campaign: Campaign | None = None) -> int:
    """Everything that the person sees in their inbox, of one campaign or of all; how many."""
    return unread_of(user, campaign).update(read_at=Now())
