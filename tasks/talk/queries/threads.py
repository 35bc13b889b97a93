"""Which threads a member may see, who takes part in one, and whom a message names."""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property

from django.db.models import Exists, F, OuterRef, Prefetch, Q, QuerySet
from django.db.models.functions import Now

from tasks.models import (
    Assignment,
    AssignmentState,
    Item,
    Membership,
    Message,
    Rating,
    Role,
    SharedAnswer,
    Slot,
    Thread,
)

SHOWN = 100  # messages of a thread on a page, the latest


def open_to(member: Membership) -> Q:
    """Of rows that name an item and a rater: those whose words the member may read.

    Everybody may read their own. Admins may read those of others, except on an item that they are
    to rate themselves.
    """
    is_own = Q(rater=member)
    return is_own | ~is_to_rate(OuterRef("item"), member) if member.is_admin else is_own


def visible_notices() -> Q:
    """Of notices: those whose thread is open to their member, as `open_to` says, in campaigns that
    are not deleted."""
    is_own = Q(thread__rater=F("member"))
    may_read = ~is_to_rate(OuterRef("thread__item"), OuterRef("member"))
    there = Q(member__is_active=True, member__campaign__deleted_at=None)
    return there & (is_own | Q(member__role=Role.ADMIN) & may_read)


def is_to_rate(item: OuterRef, member: OuterRef | Membership) -> Q:
    """That the member holds the item, or it was assigned to them."""
    held = Assignment.objects.filter(item=item, rater=member, state=AssignmentState.ACTIVE)
    assigned = Slot.objects.filter(
        item=item, given_to=member, is_filled=False, given_until__gt=Now()
    )
    return Q(Exists(held)) | Q(Exists(assigned))


def threads_seen_by(member: Membership) -> QuerySet[Thread]:
    """With item and rater."""
    threads = Thread.objects.filter(open_to(member), item__campaign=member.campaign)
    return threads.select_related("item__question", "item__campaign", "rater")


def with_messages(threads: QuerySet[Thread]) -> QuerySet[Thread]:
    """The same, each with its latest messages under `latest_messages`, the newest first."""
    latest = messages_with_authors().order_by("-pk")[:SHOWN]
    return threads.prefetch_related(Prefetch("messages", latest, to_attr="latest_messages"))


def messages_with_authors() -> QuerySet[Message]:
    return Message.objects.select_related("author", "shared").prefetch_related("shared__opened")


def admins_of(campaign_id: int) -> QuerySet[Membership]:
    """The admins of a campaign who can look at their inbox."""
    return Membership.objects.filter(
        campaign=campaign_id, role=Role.ADMIN, is_active=True, user__is_active=True
    ).order_by("name")


def raters_to_write_to(item: Item, admin: Membership) -> QuerySet[Membership]:
    """Members who have rated the item and can read what the admin writes, by pseudonym."""
    rated = Rating.objects.filter(item=item, rater=OuterRef("pk"))
    people = Membership.objects.filter(Exists(rated), campaign=item.campaign_id, is_active=True)
    return people.filter(user__is_active=True).exclude(pk=admin.pk).order_by("pseudonym")


def answers_about(item_id: int) -> QuerySet[SharedAnswer]:
    """Messages that admins show to everybody who rates the item."""
    answers = SharedAnswer.objects.filter(message__thread__item=item_id)
    return answers.select_related("message")


class Handles:
    """The names of people in a thread after an `@`: of admins their names, of the rater the
    pseudonym."""

    def __init__(self, thread: Thread, admins: Iterable[Membership]) -> None:
        names = {admin.name: admin.pk for admin in admins}
        self.members = {**names, thread.rater.pseudonym: thread.rater_id}

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """`@` and a name that is not part of a longer word, longer names before shorter ones."""
        names = sorted(self.members, key=len, reverse=True)
        return re.compile(rf"(?<![\w@.])@({'|'.join(map(re.escape, names))})(?![\w-])")

    def named_in(self, text: str) -> Iterator[int]:
        """The members that a text names."""
        return (self.members[match[1]] for match in self.pattern.finditer(text))

    def offered_to(self, member: Membership) -> list[str]:
        """Whom the member may name: everybody in the thread but themselves."""
        return [name for name, pk in self.members.items() if pk != member.pk]
