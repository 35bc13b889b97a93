"""Days put together to days, weeks or months, so that there are neither few periods nor many."""

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Literal

Period = Literal["day", "week", "month"]

_WEEKS_FROM = timedelta(weeks=3)
_MONTHS_FROM = timedelta(days=366)


def fitting_period(days: Iterable[date]) -> Period:
    """Days if the first and the last are less than three weeks apart, weeks up to a year."""
    known = list(days)
    span = max(known) - min(known) if known else timedelta()
    if span < _WEEKS_FROM:
        return "day"
    return "week" if span < _MONTHS_FROM else "month"


def start_of(period: Period, day: date) -> date:
    """The first day of the period that the day belongs to; weeks begin on Monday."""
    if period == "week":
        return day - timedelta(days=day.weekday())
    return day.replace(day=1) if period == "month" else day
