"""Threads: which a member may see, who takes part in one, whom a message names; and the inbox of a
person, over all their campaigns, with the part of it for mails."""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime, time, timedelta
from functools import cached_property
from typing import Any, TypeVar

from django.core import signing
from django.db.models import (
    Count,
    Exists,
    F,
    IntegerField,
    Model,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
)
from django.db.models.functions import Coalesce, Now
from django.utils import timezone

from tasks.models import (
    Assignment,
    AssignmentState,
    Campaign,
    Delivery,
    Item,
    Membership,
    Message,
    MessageMails,
    Notice,
    Rating,
    Role,
    SharedAnswer,
    Slot,
    Thread,
    User,
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
        return (self.members[match[1]] for match in self.pattern.finditer(text))

    def offered_to(self, member: Membership) -> list[str]:
        """Whom the member may name: everybody in the thread but themselves."""
        return [name for name, pk in self.members.items() if pk != member.pk]


DIGEST_AT = time(6)  # by the site's clock
Row = TypeVar("Row", bound=Model)
_SIGNER = signing.Signer(salt="tasks.talk.stop-mails")


def entries_of(user: User, campaign: Campaign | None = None) -> QuerySet[Notice]:
    """One entry for each thread with a message for the person: the latest one.

    Each is annotated with `unread`, how many messages of its thread they have not read.
    """
    same = Notice.objects.filter(member=OuterRef("member"), thread=OuterRef("thread"))
    entries = _seen_by(user, campaign).filter(~Exists(same.filter(pk__gt=OuterRef("pk"))))
    return entries.select_related(
        "message__author", "thread__item__question", "thread__rater", "member__campaign"
    ).annotate(unread=number_of(same.filter(read_at=None), by="thread"))


def number_of(rows: QuerySet[Row], *, by: str, of: str = "pk") -> Coalesce:
    """The number of different values of `of` in a subquery whose rows all have the same `by`."""
    counted = rows.order_by().values(by).annotate(n=Count(of, distinct=True)).values("n")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


def having_unread(rows: QuerySet[Row], wanted: bool) -> QuerySet[Row]:
    """Of rows annotated with `unread`: those that have something unread, or those that have not."""
    condition: dict[str, Any] = {"unread__gt": 0} if wanted else {"unread": 0}
    return rows.filter(**condition)


def unread_of(user: User, campaign: Campaign | None = None) -> QuerySet[Notice]:
    return _seen_by(user, campaign).filter(read_at=None)


def unread_threads(user: User) -> int:
    """In how many threads something waits to be read."""
    return unread_of(user).values("thread").distinct().count()


def unread_threads_of_member() -> Coalesce:
    """Of memberships: in how many threads something waits for them."""
    waiting = Notice.objects.filter(visible_notices(), member=OuterRef("pk"), read_at=None)
    return number_of(waiting, by="member", of="thread")


def _seen_by(user: User, campaign: Campaign | None) -> QuerySet[Notice]:
    notices = Notice.objects.filter(visible_notices(), member__user=user)
    return notices.filter(member__campaign=campaign) if campaign else notices


def untold_notices() -> QuerySet[Notice]:
    """Unread messages that no mail tells of yet, of people who want mails and whose time it is."""
    choice = "member__user__message_mails"
    is_due = Q(message__created_at__lt=last_digest_time(timezone.localtime()))
    return Notice.objects.filter(
        visible_notices(),
        Q(**{choice: MessageMails.AT_ONCE}) | Q(**{choice: MessageMails.DAILY}) & is_due,
        ~Q(member__user__email=""),
        member__user__is_active=True,
        read_at=None,
        mail=None,
    )


def last_digest_time(now: datetime) -> datetime:
    """The latest moment at which daily mails were to leave."""
    today = datetime.combine(now.date(), DIGEST_AT, now.tzinfo)
    return today if today <= now else today - timedelta(days=1)


def notices_to_tell(mail: Delivery) -> QuerySet[Notice]:
    """The notices of a mail that the person may still see, wants and has not read."""
    wants = ~Q(member__user__message_mails=MessageMails.NONE) & ~Q(member__user__email="")
    return (
        Notice.objects.filter(
            visible_notices(), wants, mail=mail, read_at=None, member__user__is_active=True
        )
        .select_related("message__author", "thread__rater", "thread__item", "member__campaign")
        .order_by("member__campaign__title", "thread", "pk")
    )


def stop_token(user: User) -> str:
    """The token of a link that ends mails about messages: signed, good for that alone."""
    return _SIGNER.sign_object(user.pk)


def user_of_stop_token(token: str) -> User:
    """Raises BadSignature, and User.DoesNotExist."""
    return User.objects.get(pk=_SIGNER.unsign_object(token), is_active=True)
