"""How far raters agree, as pictures: intervals, pairs of raters or labels, time, people."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from typing import NamedTuple

from tomahto.estimates.estimate import Estimate
from tomahto.figures.picture import (
    HEATS,
    TEXT,
    WIDTH,
    Area,
    Dot,
    Heat,
    Judged,
    Line,
    Mark,
    Picture,
    Shape,
    Spot,
    Words,
    box,
    fitted,
    hatching,
    round_steps,
    text_width,
    widest,
)
from tomahto.figures.table import MINUS, UNDEFINED

_ROW = 24.0  # of an interval
_CELL = 34.0  # of a pair, at most
_READABLE = 24.0  # a cell that has room for its number
_PLOT = 170.0  # height of what has two axes
_GAP = 8.0
_BASE = 4.0  # from the middle of words down to their base line
_SHAPES: dict[Judged, Shape] = {"good": "circle", "plain": "diamond", "bad": "square"}


def _plain_number(value: float, places: int = 2) -> str:
    return f"{value:.{places}f}".replace("-", MINUS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """The words of a picture, in the language of its reader. `number` writes a number with so many
    decimals, `day` a date; `goal` stands at the line of the goal, `across` and `up` along the axes.
    """

    title: str
    description: str
    goal: str = "goal"
    across: str = ""
    up: str = ""
    number: Callable[[float, int], str] = _plain_number
    day: Callable[[date], str] = date.isoformat


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate by its name. `says` is all of it in words; `is_whole` stands out, as of the whole
    of which the others are parts."""

    name: str
    estimate: Estimate
    says: str
    is_whole: bool = False
    address: str = ""


@dataclass(frozen=True, slots=True)
class PairCell:
    """Two of the names by their places, the later one first. `shade` is from 0 to 1, `text` what
    has room in the cell; `is_small` rests on too little to be read."""

    later: int
    earlier: int
    shade: float
    text: str
    says: str
    is_small: bool = False
    address: str = ""


@dataclass(frozen=True, slots=True)
class Moment:
    """An estimate of the period that begins on a day."""

    start: date
    estimate: Estimate
    says: str


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody at two numbers, the second with an interval; `stands_out` from the others."""

    name: str
    across: float
    up: Estimate
    says: str
    stands_out: bool = False
    address: str = ""


def verdict(estimate: Estimate, goal: float | None) -> Judged:
    """`bad` if the whole interval lies below the goal, `good` if it lies above or ends there, else
    `plain`."""
    if goal is None or estimate.low is None or estimate.high is None:
        return "plain"
    if estimate.high < goal:
        return "bad"
    return "good" if estimate.low >= goal else "plain"


def interval_chart(
    rows: Sequence[Interval], wording: Wording, goal: float | None = None
) -> Picture:
    """Estimates of one kind one below the other, with their intervals and the goal.

    Values are at most 1, as agreement beyond chance is. The scale begins below the lowest end.
    """
    names = widest([row.name for row in rows], 0.36 * WIDTH)
    left, right = names + _GAP, WIDTH - text_width("0.00") - _GAP
    ends = [
        end for row in rows for end in (row.estimate.low, row.estimate.value) if end is not None
    ]
    ends += [] if goal is None else [goal]
    ticks = round_steps(min([*ends, 0.8]) - 0.02, 1.0, 5)
    scale = _Scale(min([*ends, ticks[0]]), 1.0, left, right)
    bottom = _ROW * len(rows) + _GAP
    marks = list(_upright(scale, ticks, bottom, wording))
    if goal is not None:
        x = scale.at(goal)
        marks += [Line(((x, 0), (x, bottom)), "goal")]
        marks += [Words(x, bottom + 2 * TEXT + 6, wording.goal, "soft", "middle")]
    spots = []
    for number, row in enumerate(rows):
        middle = _ROW * (number + 0.5)
        look = verdict(row.estimate, goal)
        name = fitted(row.name, names)
        marks += [Words(0, middle + _BASE, name, is_bold=row.is_whole)]
        marks += _interval(scale, middle, row.estimate, look, wording, is_whole=row.is_whole)
        spots += [Spot(0, middle - _ROW / 2 + 1, WIDTH, _ROW - 2, row.says, row.address)]
    height = bottom + (2 * TEXT + 12 if goal is not None else TEXT + 8)
    return _picture(wording, height, marks, spots)


def pair_chart(names: Sequence[str], cells: Sequence[PairCell], wording: Wording) -> Picture:
    """A number for every two names, the deeper the greater; cells that rest on little are hatched.

    Each name stands at the end of its row and at the head of its column.
    """
    room = widest(names, 0.4 * WIDTH)
    size = min(_CELL, (WIDTH - room - _GAP) / max(1, len(names) - 1))
    step = max(size, TEXT + 1) if size >= TEXT - 2 else size
    marks: list[Mark] = []
    for number, name in enumerate(names):
        middle = step * (number + 0.5)
        if step >= TEXT - 1:
            marks += [Words(size * number + 4, middle + _BASE, fitted(name, room))]
    spots = []
    for cell in cells:
        x, y = size * cell.earlier, step * cell.later
        marks += [box(x + 1, y + 1, size - 2, step - 2, _heat(cell.shade))]
        if cell.is_small:
            marks += hatching(x + 1, y + 1, min(size, step) - 2)
        elif size >= _READABLE:
            marks += [Words(x + size / 2, y + step / 2 + _BASE, cell.text, "ink", "middle")]
        spots += [Spot(x + 1, y + 1, size - 2, step - 2, cell.says, cell.address)]
    return _picture(wording, step * len(names) + 2, marks, spots)


def course_chart(
    moments: Sequence[Moment],
    events: Sequence[tuple[date, str]],
    wording: Wording,
    goal: float | None = None,
) -> Picture:
    """Estimates over time with a band for their intervals, and days on which something changed.

    What is undefined breaks the line. Values are at most 1.
    """
    shown = [moment for moment in moments if moment.estimate.value is not None]
    ends = [
        end for each in shown for end in (each.estimate.low, each.estimate.value) if end is not None
    ]
    ends += [] if goal is None else [goal]
    ticks = round_steps(min([*ends, 0.8]) - 0.02, 1.0, 6)
    left = widest([wording.number(tick, 1) for tick in ticks], 60) + _GAP
    up = _Scale(min([*ends, ticks[0]]), 1.0, _PLOT + _GAP, _GAP)
    days = [moment.start for moment in moments]
    first, last = min(days).toordinal(), max(days).toordinal()
    across = _Scale(first, max(last, first + 1), left + 4, WIDTH - 6)
    marks = list(_level(up, ticks, left, wording))
    if goal is not None:
        y = up.at(goal)
        marks += [Line(((left, y), (WIDTH, y)), "goal")]
        marks += [Words(left + 2, y - 3, wording.goal, "soft")]
    marks += _course(moments, across, up)
    for number, (day, name) in enumerate(events):
        x = min(max(across.at(day.toordinal()), left), WIDTH - 1)
        marks += [Line(((x, _GAP), (x, _PLOT + _GAP)), "event")]
        is_late = x > 0.7 * WIDTH
        y = _GAP + TEXT * (1 + number % 2)
        marks += [
            Words(x - 3 if is_late else x + 3, y, name, "soft", "end" if is_late else "start")
        ]
    marks += _days(days, across, wording)
    spots = [
        Spot(across.at(each.start.toordinal()) - 4, _GAP, 8, _PLOT, each.says) for each in moments
    ]
    return _picture(wording, _PLOT + _GAP + TEXT + 10, marks, spots)


def people_chart(people: Sequence[Person], wording: Wording, *, is_share: bool = True) -> Picture:
    """People by two numbers, that along the vertical axis a share or at most 1.

    Those who stand out are squares with bold names. A name that has no room is left out.
    """
    ends = [end for each in people for end in (each.up.low, each.up.high, each.up.value)]
    held = [end for end in ends if end is not None]
    low, high = min([*held, 1.0]), max([*held, 0.0])
    margin = max(0.02, 0.05 * (high - low))
    unit = 100 if is_share else 1
    lowest, highest = max(0.0 if is_share else -1.0, low - margin), min(1.0, high + margin)
    if lowest >= highest:
        lowest, highest = 0.0, 1.0
    ticks = [tick / unit for tick in round_steps(unit * lowest, unit * highest, 6)]
    texts = [wording.number(unit * tick, 0 if is_share else 2) for tick in ticks]
    left = widest(texts, 60) + _GAP
    up = _Scale(lowest, highest, _PLOT + _GAP, _GAP)
    marks: list[Mark] = []
    for tick, text in zip(ticks, texts, strict=True):
        y = up.at(tick)
        marks += [
            Line(((left, y), (WIDTH, y)), "grid"),
            Words(left - 5, y + _BASE, text, "soft", "end"),
        ]
    numbers = [each.across for each in people] or [0.0]
    beside = 0.1 * (max(numbers) - min(numbers)) or 0.1 * max(numbers) or 1.0
    across = _Scale(max(0.0, min(numbers) - beside), max(numbers) + beside, left + 4, WIDTH - 4)
    for tick in round_steps(across.low, across.high, 6):
        text = wording.number(tick, 0 if tick == int(tick) else 1)
        x = across.at(tick)
        marks += [Words(x, _PLOT + _GAP + TEXT + 4, text, "soft", "middle")]
    places = [(across.at(each.across), up.at(each.up.value or 0.0)) for each in people]
    whiskers = []
    for (x, y), each in zip(places, people, strict=True):
        look: Judged = "bad" if each.stands_out else "plain"
        if each.up.low is not None and each.up.high is not None:
            bottom, top = up.at(each.up.low), up.at(each.up.high)
            marks += [Line(((x, bottom), (x, top)), look)]
            whiskers.append(_Room(x - 2, top, x + 2, bottom))
        marks += [Dot(x, y, look, _SHAPES[look] if each.stands_out else "circle")]
    marks += _names(people, places, whiskers, left)
    marks += [
        Words(WIDTH, _PLOT + _GAP + 2 * TEXT + 10, fitted(wording.across, WIDTH), "soft", "end")
    ]
    spots = [
        Spot(x - 7, y - 7, 14, 14, each.says, each.address)
        for (x, y), each in zip(places, people, strict=True)
    ]
    return _picture(wording, _PLOT + _GAP + 2 * TEXT + 16, marks, spots)


class _Room(NamedTuple):
    """What words or a mark cover."""

    left: float
    top: float
    right: float
    bottom: float

    def covers(self, other: "_Room") -> bool:
        is_beside = self.right <= other.left or other.right <= self.left
        return not (is_beside or self.bottom <= other.top or other.bottom <= self.top)


@dataclass(frozen=True, slots=True)
class _Scale:
    """Numbers from `low` to `high` along an axis from `begin` to `end`."""

    low: float
    high: float
    begin: float
    end: float

    def at(self, number: float) -> float:
        inside = min(max(number, self.low), self.high)
        return self.begin + (self.end - self.begin) * (inside - self.low) / (self.high - self.low)


def _picture(
    wording: Wording, height: float, marks: Sequence[Mark], spots: Sequence[Spot]
) -> Picture:
    return Picture(
        title=wording.title,
        description=wording.description,
        height=height,
        marks=tuple(marks),
        spots=tuple(spots),
    )


def _upright(
    scale: _Scale, ticks: Sequence[float], bottom: float, wording: Wording
) -> Iterator[Mark]:
    for tick in ticks:
        x = scale.at(tick)
        yield Line(((x, 0), (x, bottom)), "grid")
        yield Words(x, bottom + TEXT + 2, wording.number(tick, 1), "soft", "middle")


def _level(scale: _Scale, ticks: Sequence[float], left: float, wording: Wording) -> Iterator[Mark]:
    for tick in ticks:
        y = scale.at(tick)
        yield Line(((left, y), (WIDTH, y)), "grid")
        yield Words(left - 5, y + _BASE, wording.number(tick, 1), "soft", "end")


def _interval(
    scale: _Scale, y: float, estimate: Estimate, look: Judged, wording: Wording, *, is_whole: bool
) -> Iterator[Mark]:
    if estimate.value is None:
        yield Words(WIDTH, y + _BASE, UNDEFINED, "soft", "end")
        return
    if estimate.low is not None and estimate.high is not None:
        yield Line(((scale.at(estimate.low), y), (scale.at(estimate.high), y)), look)
    yield Dot(scale.at(estimate.value), y, look, _SHAPES[look], 5.0 if is_whole else 4.0)
    text = wording.number(estimate.value, 2)
    yield Words(WIDTH, y + _BASE, text, anchor="end", is_bold=is_whole)


def _heat(shade: float) -> Heat:
    return HEATS[min(len(HEATS) - 1, max(0, round(shade * (len(HEATS) - 1))))]


def _course(moments: Sequence[Moment], across: _Scale, up: _Scale) -> Iterator[Mark]:
    """Bands, lines and dots of the stretches in which everything is defined."""
    for is_defined, stretch in groupby(moments, lambda each: each.estimate.value is not None):
        if not is_defined:
            continue
        points = [(across.at(each.start.toordinal()), each.estimate) for each in stretch]
        bounded = [(x, each) for x, each in points if each.low is not None]
        if len(bounded) > 1:
            high = [(x, up.at(each.high or 0.0)) for x, each in bounded]
            low = [(x, up.at(each.low or 0.0)) for x, each in reversed(bounded)]
            yield Area((*high, *low), "band")
        else:
            for x, each in bounded:
                yield Line(((x, up.at(each.low or 0.0)), (x, up.at(each.high or 0.0))), "plain")
        line = tuple((x, up.at(each.value or 0.0)) for x, each in points)
        yield Line(line, "course")
        for x, y in line if len(moments) < 25 else ():
            yield Dot(x, y, "course", size=3.0)


def _days(days: Sequence[date], across: _Scale, wording: Wording) -> Iterator[Words]:
    """The first day, the last one, and one between them where there is room."""
    first, last = min(days), max(days)
    y = _PLOT + _GAP + TEXT + 6
    yield Words(across.begin, y, wording.day(first), "soft")
    if last > first:
        yield Words(across.end, y, wording.day(last), "soft", "end")
    middle = date.fromordinal((first.toordinal() + last.toordinal()) // 2)
    if (last - first).days > 5:
        yield Words((across.begin + across.end) / 2, y, wording.day(middle), "soft", "middle")


def _names(
    people: Sequence[Person],
    places: Sequence[tuple[float, float]],
    whiskers: Sequence[_Room],
    left: float,
) -> Iterator[Words]:
    """Names beside their marks where they cover no mark and no other name, the striking first."""
    taken = [*(_Room(x - 6, y - 6, x + 6, y + 6) for x, y in places), *whiskers]
    order = sorted(range(len(people)), key=lambda place: not people[place].stands_out)
    for place in order:
        (x, y), person = places[place], people[place]
        width = text_width(person.name)
        for begin, base in (
            (x + 8, y + 4),
            (x - 8 - width, y + 4),
            (x + 6, y - 8),
            (x + 6, y + 16),
        ):
            room = _Room(begin, base - TEXT + 2, begin + width, base + 2)
            inside = left <= begin and begin + width <= WIDTH and base < _PLOT + _GAP
            if inside and not any(room.covers(other) for other in taken):
                taken.append(room)
                yield Words(begin, base, person.name, is_bold=person.stands_out)
                break
