"""What a person has read of their inbox. Marks are theirs alone, and say nothing to others."""

from django.db import transaction
from django.db.models.functions import Now

from tasks.models import Campaign, Membership, Notice, Thread, User
from tasks.talk.queries.threads import visible_notices


def mark_thread_read(*, thread: Thread, member: Membership) -> int:
    """The member has read the thread; how many messages of it they had not."""
    unread = Notice.objects.filter(thread=thread, member=member, read_at=None)
    return unread.update(read_at=Now())


@transaction.atomic
def mark_unread(*, entry: Notice) -> None:
    """The thread of an entry waits to be read again, with its latest message."""
    Notice.objects.filter(pk=entry.pk).update(read_at=None)


def mark_all_read(*, user: User, campaign: Campaign | None = None) -> int:
    """Everything that the person sees in their inbox, of one campaign or of all; how many."""
    unread = Notice.objects.filter(visible_notices(), member__user=user, read_at=None)
    if campaign is not None:
        unread = unread.filter(member__campaign=campaign)
    return unread.update(read_at=Now())
