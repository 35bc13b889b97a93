"""How much time a rater has spent, for their own eyes."""

from dataclasses import dataclass
from datetime import datetime, time, timedelta
from statistics import median

from django.db.models import Sum
from django.utils import timezone

from tasks.models import Membership, Rating


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
    """What the member's ratings took; weeks begin on Monday, in the site's time zone."""
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
