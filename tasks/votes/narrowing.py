"""Figures of a part of the ratings: what can be asked for, and the ratings that are left."""

from collections.abc import Iterable, Mapping
from copy import copy
from datetime import date, datetime, time, timedelta
from typing import Final

from django.db.models import OuterRef, QuerySet
from django.utils import timezone

from tasks.models import Campaign, ItemSystem, Narrowing, Rating
from tasks.storing.lookups import there_is

PARAMETERS: Final[Mapping[str, str]] = {
    "system": "Ratings of this system's items.",
    "since": "Ratings given on this day (YYYY-MM-DD, in the site's time zone) or later.",
    "until": "Ratings given on this day or earlier.",
    "guideline": "Ratings given under this version of the guidelines; 0: under none, as imported"
    " ones are.",
    "source": "Ratings given here (rated) or read from files (imported).",
}
"""The names of the conditions in addresses and commands, and what they leave."""

SOURCES: Final = ("rated", "imported")
# databases and time zones have room around these
_FIRST_DAY, _LAST_DAY = date(1900, 1, 1), date(2999, 12, 31)


class NarrowingError(ValueError):
    """A condition that cannot be met: `parameter` is its name, `reason` what is wrong with it."""

    def __init__(self, parameter: str, reason: str) -> None:
        super().__init__(f"{parameter}: {reason}")
        self.parameter = parameter
        self.reason = reason


def narrowing_of(campaign: Campaign, asked: Mapping[str, str]) -> Narrowing:
    """The part that texts by the names of PARAMETERS ask for, as in an address; "" asks nothing.

    Other names are left alone. Raises NarrowingError for a system or version of the guidelines that
    the campaign does not have, for what is no day, and for days in the wrong order.
    """
    system, since, until, guideline, source = (asked.get(name, "") for name in PARAMETERS)
    if system:
        _require_one_of("system", system, campaign.systems.values_list("name", flat=True))
    versions: dict[str, int] = {}
    if guideline:
        versions = {str(n): n for n in (0, *campaign.guidelines.values_list("version", flat=True))}
        _require_one_of("guideline", guideline, versions)
    if source:
        _require_one_of("source", source, SOURCES)
    first, last = _day("since", since), _day("until", until)
    if first and last and first > last:
        raise NarrowingError("since", f"{first} is later than until, {last}")
    return Narrowing(
        system=system,
        since=first,
        until=last,
        guideline=versions.get(guideline),
        source="rated" if source == "rated" else "imported" if source else "",
    )


def narrow(campaign: Campaign, narrowing: Narrowing | None) -> Campaign:
    """The campaign as one whose figures are of these ratings; None: of all."""
    part = copy(campaign)
    part.narrowed_to = narrowing
    return part


def for_narrowing(rows: "QuerySet[Rating]", campaign: Campaign) -> "QuerySet[Rating]":
    """Those of the ratings that the campaign is narrowed to."""
    asked = campaign.narrowed_to or Narrowing()
    if asked.system:
        of_system = ItemSystem.objects.filter(
            item=OuterRef("item"), system__campaign=campaign, system__name=asked.system
        )
        rows = rows.filter(there_is(of_system))
    if asked.since:
        rows = rows.filter(rated_at__gte=_midnight(asked.since))
    if asked.until:
        rows = rows.filter(rated_at__lt=_midnight(asked.until + timedelta(days=1)))
    if asked.guideline:
        rows = rows.filter(guideline__version=asked.guideline)
    elif asked.guideline == 0:
        rows = rows.filter(guideline=None)
    if asked.source:
        rows = rows.filter(assignment__isnull=asked.source == "imported")
    return rows


def _require_one_of(parameter: str, value: str, known: Iterable[str]) -> None:
    there_are = list(known)
    if value not in there_are:
        listed = ", ".join(there_are) or "none"
        raise NarrowingError(parameter, f"there is no {value!r}; known: {listed}")


def _day(parameter: str, text: str) -> date | None:
    if not text:
        return None
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = date.min
    if day.isoformat() != text or not _FIRST_DAY <= day <= _LAST_DAY:
        raise NarrowingError(
            parameter, f"{text!r} is not a day from {_FIRST_DAY} to {_LAST_DAY}, written like these"
        )
    return day


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time.min, tzinfo=timezone.get_default_timezone())
