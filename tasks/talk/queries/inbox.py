"""What is in a person's inbox, over all their campaigns."""

from typing import Any, TypeVar

from django.db.models import Count, Exists, IntegerField, Model, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from tasks.models import Campaign, Notice, User
from tasks.talk.queries.threads import is_rating_it, visible_notices

Row = TypeVar("Row", bound=Model)


def entries_of(user: User, campaign: Campaign | None = None) -> QuerySet[Notice]:
    """One entry for each thread with a message for the person: the latest one.

    Each is annotated with `unread`, how many messages of its thread they have not read, and with
    `is_held`: they are rating the item, so that what others say of it is not shown to them.
    """
    same = Notice.objects.filter(member=OuterRef("member"), thread=OuterRef("thread"))
    unread = same.filter(read_at=None).order_by().values("thread").annotate(n=Count("pk"))
    entries = Notice.objects.filter(
        visible_notices(), ~Exists(same.filter(pk__gt=OuterRef("pk"))), member__user=user
    )
    if campaign is not None:
        entries = entries.filter(member__campaign=campaign)
    return entries.select_related(
        "message__author", "thread__item__question", "thread__rater", "member__campaign"
    ).annotate(
        unread=Coalesce(Subquery(unread.values("n"), output_field=IntegerField()), 0),
        is_held=is_rating_it(),
    )


def entries_by_urgency(user: User) -> QuerySet[Notice]:
    """As `entries_of`: the threads with something unread first, then the latest."""
    return entries_of(user).annotate(is_unread=Q(unread__gt=0)).order_by("-is_unread", "-pk")


def having_unread(rows: QuerySet[Row], wanted: bool) -> QuerySet[Row]:
    """Of rows annotated with `unread`: those that have something unread, or those that have not."""
    condition: dict[str, Any] = {"unread__gt": 0} if wanted else {"unread": 0}
    return rows.filter(**condition)


def unread_threads(user: User) -> int:
    """In how many threads something waits to be read."""
    waiting = Notice.objects.filter(visible_notices(), member__user=user, read_at=None)
    return waiting.values("thread").distinct().count()
