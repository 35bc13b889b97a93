"""The inbox of a person, over all their campaigns, and the part of it for mails."""

from datetime import datetime, time, timedelta
from typing import Any, TypeVar

from django.core import signing
from django.db.models import Count, Exists, IntegerField, Model, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from tasks.models import Campaign, Delivery, MessageMails, Notice, User
from tasks.talk.queries.threads import visible_notices

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
    """How many different values of `of` a subquery finds, whose rows all have the same `by`."""
    counted = rows.order_by().values(by).annotate(n=Count(of, distinct=True)).values("n")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


def having_unread(rows: QuerySet[Row], wanted: bool) -> QuerySet[Row]:
    """Of rows annotated with `unread`: those that have something unread, or those that have not."""
    condition: dict[str, Any] = {"unread__gt": 0} if wanted else {"unread": 0}
    return rows.filter(**condition)


def unread_of(user: User, campaign: Campaign | None = None) -> QuerySet[Notice]:
    """Messages in the person's inbox that they have not read."""
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
