"""Which backups stay: the newest of each of some days and weeks that have one.

No clock decides, only the moments of the backups themselves: a clock that is set a year ahead and
back takes none away but those that newer ones replace.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TypeVar

_Name = TypeVar("_Name")


def kept(moments: Mapping[_Name, datetime], *, days: int, weeks: int) -> set[_Name]:
    """The names of those to keep; the newest is always one of them."""
    newest_first = sorted(moments, key=lambda name: moments[name], reverse=True)
    by_day = _first_of_each(newest_first, [moments[name].date() for name in newest_first])
    by_week = _first_of_each(newest_first, [moments[n].isocalendar()[:2] for n in newest_first])
    return {*by_day[:days], *by_week[:weeks]}


def _first_of_each(names: Sequence[_Name], groups: Sequence[object]) -> list[_Name]:
    first: dict[object, _Name] = {}
    for name, group in zip(names, groups, strict=True):
        first.setdefault(group, name)
    return list(first.values())
