"""A rater's own work: counts, time, suggestions they have seen or are to see, and flags."""

from dataclasses import dataclass
from datetime import datetime, time, timedelta
from statistics import median
from typing import NamedTuple

from django.db.models import F, OuterRef, QuerySet, Subquery, Sum
from django.utils import timezone

from tasks.models import (
    Assignment,
    AssignmentState,
    Campaign,
    Flag,
    Membership,
    Rating,
    SuggestionArm,
    SuggestionPolicy,
    SuggestionView,
    Thread,
)
from tasks.talk.queries import is_to_rate, number_of, unread_threads_of_member


def was_submitted(assignment: Assignment, key: str | None) -> bool:
    """Whether the form with this key has been rated: no draft of it is kept then."""
    rated = Rating.objects.filter(rater=assignment.rater, idempotency_key=key)
    return assignment.state == AssignmentState.SUBMITTED and bool(key) and rated.exists()


class OwnCounts(NamedTuple):
    """Items that the member has rated, as `ratings_by` counts them, and their conversations in the
    campaign with something unread."""

    rated: int
    unread: int


def own_counts(membership: Membership) -> OwnCounts:
    """One statement: it is made with every item that is handed out."""
    rated = Rating.objects.filter(rater=OuterRef("pk"), supersedes=None)
    members = Membership.objects.filter(pk=membership.pk)
    counts = members.values_list(number_of(rated, by="rater"), unread_threads_of_member())
    return OwnCounts(*counts.get())


@dataclass(frozen=True, slots=True)
class TimeSpent:
    """Active seconds, revisions included.

    `pace` is the median over the items of the seconds spent on each, None before the first.
    `items` counts those whose time is known: imported ratings may come without one.
    """

    total: float
    this_week: float
    pace: float | None
    items: int


def time_spent_by(membership: Membership) -> TimeSpent:
    """The time that the member's ratings took; weeks begin on Monday, in the site's time zone."""
    timed = Rating.objects.filter(rater=membership, seconds__isnull=False)
    this_week = timed.filter(rated_at__gte=_monday(timezone.localtime()))
    per_item = list(
        timed.values("item")
        .annotate(spent=Sum("seconds"))
        .order_by()
        .values_list("spent", flat=True)
    )
    return TimeSpent(
        total=sum(per_item),
        this_week=this_week.aggregate(spent=Sum("seconds"))["spent"] or 0,
        pace=median(per_item) if per_item else None,
        items=len(per_item),
    )


def _monday(moment: datetime) -> datetime:
    day = moment.date() - timedelta(days=moment.weekday())
    return timezone.make_aware(datetime.combine(day, time.min))


def view_to_close(membership: Membership) -> SuggestionView | None:
    """The suggestion that comes before the rater's next item: after an answer, not gone on from."""
    if membership.campaign.suggestions != SuggestionPolicy.AFTER:
        return None
    return (
        SuggestionView.objects.filter(
            assignment__rater=membership, arm=SuggestionArm.AFTER, closed_at=None
        )
        .select_related("suggestion", "assignment__item__question")
        .order_by("pk")
        .first()
    )


def view_after(assignment_id: int | None) -> SuggestionView | None:
    """The suggestion that follows the answer to an assignment; None where there is none."""
    return (
        SuggestionView.objects.filter(assignment=assignment_id, arm=SuggestionArm.AFTER)
        .select_related("suggestion")
        .first()
    )


def flags_seen_by(member: Membership) -> QuerySet[Flag]:
    """The flags of their campaign with their items: open ones first, the latest on top.

    Not those on an item that the member is to rate: how they were settled may say how others have
    rated it. Each is annotated with
    `thread`, the conversation that it is part of; None if the code of before has stored it.
    """
    threads = Thread.objects.filter(item=OuterRef("item"), rater=OuterRef("rater"))
    return (
        Flag.objects.filter(~is_to_rate(OuterRef("item"), member), item__campaign=member.campaign)
        .annotate(thread=Subquery(threads.values("pk")))
        .select_related("item__question", "rater", "settled_by")
        .order_by(F("settled_at").desc(nulls_first=True), "-pk")
    )


def open_flags(campaign: Campaign) -> int:
    return Flag.objects.filter(item__campaign=campaign, settled_at=None).count()


def open_flag_on(item_id: int, rater_id: int) -> Flag | None:
    """The rater's own flag on an item while nobody has settled it."""
    return Flag.objects.filter(item=item_id, rater=rater_id, settled_at=None).first()
