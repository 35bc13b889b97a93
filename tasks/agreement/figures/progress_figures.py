"""A campaign's progress, its speed, and the day of its end.

Days are those of the site's time zone. A rating belongs to the day on which it was first given;
ratings that an import brought without a time belong to none, and no forecast rests on them.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from django.db import connection
from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.functions import TruncDate
from django.utils import timezone

from tasks.models import Campaign, CampaignState, ItemPurpose, Rating, Slot
from tasks.votes.ratings import counted_ratings, is_counted
from tomahto.estimates.forecast import MAX_DAYS, Forecast, forecast
from tomahto.types import JsonObject

DAYS_SHOWN = 90
DAY = timedelta(days=1)


def progress_figures(campaign: Campaign) -> JsonObject:
    """Ratings done and wanted, by day and by item, who is at it, and the forecast of the end."""
    today = timezone.localdate(timezone=timezone.get_default_timezone())
    items = _items_by_ratings(campaign)
    done = sum(filled * number for (filled, _wanted), number in items.items())
    wanted = sum(slots * number for (_filled, slots), number in items.items())
    given = _given_by_day(campaign)
    by_day = {day: sum(raters.values()) for day, raters in given.items()}
    return {
        "done": done,
        "wanted": wanted,
        "undated": done - sum(by_day.values()),
        "items": sum(items.values()),
        "open_items": sum(number for (filled, slots), number in items.items() if filled < slots),
        "items_by_ratings": _totals(items),
        "days": _days(by_day, today),
        "raters": _active_raters(given, today),
        "seconds": _seconds(campaign),
        "forecast": _forecast(campaign, by_day, today, missing=wanted - done),
    }


def _items_by_ratings(campaign: Campaign) -> dict[tuple[int, int], int]:
    per_item = (
        Slot.objects.filter(campaign=campaign, order_key__isnull=False)
        .values("item")
        .annotate(filled=Count("id", filter=Q(is_filled=True)), wanted=Count("id"))
        .order_by()
    )
    rows = group_counts(per_item, ["filled", "wanted"])
    return {(filled, wanted): number for filled, wanted, number in rows}


def _totals(items: Mapping[tuple[int, int], int]) -> dict[str, int]:
    totals: Counter[int] = Counter()
    for (filled, _wanted), number in items.items():
        totals[filled] += number
    return {str(filled): totals[filled] for filled in sorted(totals)}


def _given_by_day(campaign: Campaign) -> dict[date, dict[int, int]]:
    """The number of ratings by rater and day; every figure about days follows from it."""
    zone = timezone.get_default_timezone()
    rows = (
        Rating.objects.filter(
            is_counted(),
            item__campaign=campaign,
            item__purpose=ItemPurpose.LIVE,
            supersedes=None,  # what was first given for a filled slot, revised since or not
            rated_at__isnull=False,
        )
        .values_list(TruncDate("rated_at", tzinfo=zone), "rater")
        .annotate(ratings=Count("id"))
        .order_by()
    )
    given: dict[date, dict[int, int]] = {}
    for day, rater, ratings in rows:
        given.setdefault(day, {})[rater] = ratings
    return given


def _days(by_day: Mapping[date, int], today: date) -> list[JsonObject]:
    """The last days up to today, those without a rating included, with the running total."""
    if not by_day:
        return []
    first = max(min(by_day), today - (DAYS_SHOWN - 1) * DAY)
    total = sum(ratings for day, ratings in by_day.items() if day < first)
    shown = []
    for place in range((today - first).days + 1):
        day = first + place * DAY
        total += by_day.get(day, 0)
        shown.append({"day": day.isoformat(), "ratings": by_day.get(day, 0), "total": total})
    return shown


def _active_raters(given: Mapping[date, Mapping[int, int]], today: date) -> JsonObject:
    """The number of people who gave a rating today, and this week: it begins on Monday. Those who
    only revise, or give surplus ratings, are not counted, as they are not in the days."""
    monday = today - today.weekday() * DAY
    this_week = {rater for day, raters in given.items() if day >= monday for rater in raters}
    return {"today": len(given.get(today, {})), "this_week": len(this_week)}


def _seconds(campaign: Campaign) -> JsonObject:
    """The median of the active seconds of a counted rating, where they are known; and the sum."""
    timed = counted_ratings(campaign).filter(seconds__isnull=False)
    known = timed.aggregate(n=Count("id"), total=Sum("seconds"))
    n = known["n"]
    if not n:
        return {"median": None, "n": 0, "total": 0.0, "reason": "no rating has a known time"}
    ordered = timed.order_by("seconds").values_list("seconds", flat=True)
    middle = [seconds or 0.0 for seconds in ordered[(n - 1) // 2 : n // 2 + 1]]
    return {"median": sum(middle) / len(middle), "n": n, "total": known["total"]}


def _forecast(
    campaign: Campaign, by_day: Mapping[date, int], today: date, *, missing: int
) -> JsonObject:
    """From the whole days up to yesterday: today is the first day of what is to come."""
    found = _from_days(campaign, by_day, today, missing)
    dates = {"date": found.days, "earliest": found.low, "latest": found.high}
    return {
        **found.as_json(),
        **{
            name: None if days is None else (today + (days - 1) * DAY).isoformat()
            for name, days in dates.items()
        },
    }


def _from_days(
    campaign: Campaign, by_day: Mapping[date, int], today: date, missing: int
) -> Forecast:
    if missing and campaign.state != CampaignState.OPEN:
        return Forecast(remaining=missing, n=0, reason="the campaign is paused")
    if not missing:
        return forecast([], 0)
    past = [day for day in by_day if day < today]
    whole_days = (today - min(past)).days if past else 0
    counts = [by_day.get(today - ago * DAY, 0) for ago in range(min(whole_days, MAX_DAYS), 0, -1)]
    return forecast(counts, missing + by_day.get(today, 0))


def group_counts(query: QuerySet[Any, Any], columns: Sequence[str]) -> list[tuple[Any, ...]]:
    """The different values of these columns of the query, each followed by their number of rows.

    `columns` are names that the code gives, never a user. They come as the database has them: a
    day is a date with PostgreSQL and a text that begins with it in SQLite.
    """
    inner, parameters = query.query.sql_with_params()
    names = ", ".join(columns)
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {names}, COUNT(*) FROM ({inner}) AS grouped GROUP BY {names}",  # noqa: S608 - our names
            parameters,
        )
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows
