"""On which day a stored time is in a time zone: what Django has Python work out for each row.

Nearly all hours lie within one day of the zone, so that this is worked out once for an hour and not
for each of a million times in it. The times of the others are looked at one by one, as Django does.
"""

from functools import lru_cache

from django.db.backends.sqlite3 import _functions  # type: ignore[attr-defined]  # not in the stubs

CAST_DATE = "django_datetime_cast_date"  # what TruncDate and __date call in SQLite
_HOUR, _WHOLE = len("2026-03-01 12"), len("2026-03-01 12:00:00")


def local_day(time: str | None, zone: str | None, stored: str | None) -> str | None:
    """The day, such as 2026-03-01, of a time stored in the zone `stored`; None for what is none."""
    if time is None or len(time) < _WHOLE:
        return _exactly(time, zone, stored)
    return _day_of_hour(time[:_HOUR], zone, stored) or _exactly(time, zone, stored)


@lru_cache(maxsize=20_000)
def _day_of_hour(hour: str, zone: str | None, stored: str | None) -> str | None:
    """The day that the whole hour is in, None if there are two."""
    first, last = (_exactly(hour + rest, zone, stored) for rest in (":00:00", ":59:59.999999"))
    return first if first == last else None


def _exactly(time: str | None, zone: str | None, stored: str | None) -> str | None:
    day: str | None = _functions._sqlite_datetime_cast_date(time, zone, stored)
    return day
