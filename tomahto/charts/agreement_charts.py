"""Pictures of the raters' agreement: intervals, pairs of raters or labels, time, people."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TypeAlias

from tomahto.charts.axes import GAP, PLOT, Axis, Scale, axis_across, course
from tomahto.charts.picture import (
    BASE,
    HEATS,
    LINE,
    TEXT,
    WIDTH,
    Anchor,
    Dot,
    Heat,
    Judged,
    Line,
    Look,
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
from tomahto.charts.table import MINUS, UNDEFINED, plain
from tomahto.estimates.estimate import Estimate

_ROW = 24.0  # of an interval
_CELL = 38.0  # of a pair, at most
_Place: TypeAlias = tuple[float, float, Anchor]
_Room: TypeAlias = tuple[float, float, float, float]  # left, top, right and bottom
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
    has room in the cell; `is_small` rests on too little to be read. `says` is empty where there is
    nothing to say."""

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
    names = max(
        (widest([row.name], 0.36 * WIDTH, is_bold=row.is_whole) for row in rows), default=0.0
    )
    texts = [
        UNDEFINED if row.estimate.value is None else wording.number(row.estimate.value, 2)
        for row in rows
    ]
    ends = [end for row in rows for end in _ends(row.estimate)] + _known(goal)
    ticks = round_steps(min([*ends, 0.8]) - 0.02, 1.0, 5)
    right = WIDTH - widest(texts, is_bold=True) - GAP
    scale = Scale(min([*ends, ticks[0]]), 1.0, names + GAP, right)
    bottom = _ROW * len(rows) + GAP
    marks = list(_axis(scale, ticks, wording, 1).across(0, bottom))
    if goal is not None:
        name = fitted(wording.goal, WIDTH)
        x, half = scale.at(goal), text_width(name) / 2
        marks += [Line(((x, 0), (x, bottom)), "goal")]
        middle = min(max(x, half), WIDTH - half)
        marks += [Words(middle, bottom + 2 * TEXT + 6, name, "soft", "middle")]
    spots = []
    for number, (row, text) in enumerate(zip(rows, texts, strict=True)):
        y, value, look = _ROW * (number + 0.5), row.estimate, verdict(row.estimate, goal)
        name = fitted(row.name, names, is_bold=row.is_whole)
        marks += [Words(0, y + BASE, name, is_bold=row.is_whole)]
        if value.low is not None and value.high is not None:
            marks += [Line(((scale.at(value.low), y), (scale.at(value.high), y)), look)]
        if value.value is not None:
            size = 5.0 if row.is_whole else 4.0
            marks += [Dot(scale.at(value.value), y, look, _SHAPES[look], size)]
        marks += [Words(WIDTH, y + BASE, text, anchor="end", is_bold=row.is_whole)]
        spots += [Spot(0, y - _ROW / 2 + 1, WIDTH, _ROW - 2, row.says, row.address)]
    height = bottom + (2 * TEXT + 12 if goal is not None else TEXT + 8)
    return _picture(wording, height, marks, spots)


def pair_chart(names: Sequence[str], cells: Sequence[PairCell], wording: Wording) -> Picture:
    """A number for every two names, the deeper the greater; cells that rest on little are hatched.

    Each name stands at the end of its row and at the head of its column.
    """
    room = widest(names, 0.4 * WIDTH)
    size = min(_CELL, (WIDTH - room - GAP) / max(1, len(names) - 1))
    step = max(size, TEXT + 3) if size >= TEXT - 2 else size
    marks: list[Mark] = []
    for number, name in enumerate(names):
        middle = step * (number + 0.5)
        if step >= TEXT - 1:
            marks += [Words(size * number + 4, middle + BASE, fitted(name, room))]
    spots = []
    for cell in cells:
        x, y = size * cell.earlier, step * cell.later
        marks += [box(x + 1, y + 1, size - 2, step - 2, _heat(cell.shade))]
        if cell.is_small:
            marks += [hatching(x + 1, y + 1, size - 2, step - 2)]
        elif text_width(cell.text) <= size:
            marks += [Words(x + size / 2, y + step / 2 + BASE, cell.text, "ink", "middle")]
        if cell.says:
            spots += [Spot(x + 1, y + 1, size - 2, step - 2, cell.says, cell.address)]
    return _picture(wording, step * len(names) + 2, marks, spots)


def course_chart(
    moments: Sequence[Moment],
    events: Sequence[tuple[date, str]],
    wording: Wording,
    goal: float | None = None,
) -> Picture:
    """Estimates over time with a band for their intervals, and days on which something changed.

    An undefined value breaks the line. Values are at most 1. The name of a day that has no room is
    left out.
    """
    ends = [end for moment in moments for end in _ends(moment.estimate)] + _known(goal)
    ticks = round_steps(min([*ends, 0.8]) - 0.02, 1.0, 6)
    up = Scale(min([*ends, ticks[0]]), 1.0, PLOT + GAP, GAP)
    axis = _axis(up, ticks, wording, 1)
    left = axis.width + GAP
    days = [moment.start for moment in moments]
    first = min(days, default=date.min).toordinal()
    last = max(days, default=date.min).toordinal()
    across = Scale(first, max(last, first + 1), left + 4, WIDTH - 6)
    marks = list(axis.up(left))
    points = [(across.at(moment.start.toordinal()), moment.estimate) for moment in moments]
    at = [(x, up.at(each.value)) for x, each in points if each.value is not None]
    taken: list[_Room] = [(x - 4, y - 4, x + 4, y + 4) for x, y in at]
    if goal is not None:
        y = up.at(goal)
        marks += [Line(((left, y), (WIDTH, y)), "goal")]
        ends_of_line: list[tuple[float, Anchor]] = [(WIDTH, "end"), (left + 2, "start")]
        bases = [y - 3 if y > GAP + TEXT else y + TEXT, y + TEXT]
        beside: list[_Place] = [(x, base, anchor) for base in bases for x, anchor in ends_of_line]
        marks += _placed(fitted(wording.goal, WIDTH - left), beside, left, taken)
    shape: Shape | None = "circle" if len(moments) < 25 else None
    marks += course(points, up, look="course", band="band", shape=shape)
    for number, (day, name) in enumerate(events):
        x = min(max(across.at(day.toordinal()), left), WIDTH - 1)
        marks += [Line(((x, GAP), (x, PLOT + GAP)), "event")]
        rows = [GAP + LINE * row - 3 for row in range(1, int(PLOT / LINE))]
        right_of: list[_Place] = [(x + 3, y, "start") for y in rows[number % 2 :]]
        left_of: list[_Place] = [(x - 3, y, "end") for y in rows[number % 2 :]]
        places = left_of + right_of if x > 0.7 * WIDTH else right_of + left_of
        marks += _placed(fitted(name, WIDTH / 2), places, left, taken)
    marks += _days(days, across, wording)
    spots = [
        Spot(x - 4, GAP, 8, PLOT, each.says) for (x, _), each in zip(points, moments, strict=True)
    ]
    return _picture(wording, PLOT + GAP + TEXT + 10, marks, spots)


def people_chart(people: Sequence[Person], wording: Wording, *, is_share: bool = True) -> Picture:
    """People by two numbers, that along the vertical axis a share or at most 1.

    Those who stand out are squares with bold names. A name that has no room is left out;
    a person without the second number is a dash at the bottom.
    """
    ends = [end for each in people for end in _ends(each.up)]
    low, high = min([*ends, 1.0]), max([*ends, 0.0])
    margin = max(0.02, 0.05 * (high - low))
    unit, least, lowest = (100, 1.0, 0.0) if is_share else (1, 0.01, -1.0)
    low, high = max(lowest, low - margin), min(1.0, high + margin)
    if low >= high:
        low, high = 0.0, 1.0
    up = Scale(unit * low, unit * high, PLOT + GAP, GAP)
    ticks = round_steps(up.low, up.high, 6, least=least)
    upright = _axis(up, ticks, wording, 0 if is_share else 2)
    left = upright.width + GAP
    level = axis_across([each.across for each in people], left + 4)
    across = level.scale
    bottom = PLOT + GAP
    marks = list(upright.up(left))
    marks += _axis(across, level.ticks, wording, 0).across(bottom, bottom + 2)
    places = [
        (across.at(each.across), bottom - 6 if value is None else up.at(unit * value))
        for each, value in ((each, each.up.value) for each in people)
    ]
    taken: list[_Room] = [(x - 6, y - 6, x + 6, y + 6) for x, y in places]
    for (x, y), each in zip(places, people, strict=True):
        if each.up.value is None:
            marks += [Words(x, y + BASE, UNDEFINED, "soft", "middle")]
            continue
        look: Judged = "bad" if each.stands_out else "plain"
        if each.up.low is not None and each.up.high is not None:
            low, high = up.at(unit * each.up.low), up.at(unit * each.up.high)
            marks += [Line(((x, low), (x, high)), look)]
            taken += [(x - 2, high, x + 2, low)]
        marks += [Dot(x, y, look, _SHAPES[look] if each.stands_out else "circle")]
    marks += _names(people, places, left, taken)
    marks += [
        Words(WIDTH, PLOT + GAP + 2 * TEXT + 10, fitted(wording.across, WIDTH), "soft", "end")
    ]
    spots = [
        Spot(x - 7, y - 7, 14, 14, each.says, each.address)
        for (x, y), each in zip(places, people, strict=True)
    ]
    return _picture(wording, PLOT + GAP + 2 * TEXT + 16, marks, spots)


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


def _known(goal: float | None) -> list[float]:
    return [] if goal is None else [goal]


def _ends(estimate: Estimate) -> list[float]:
    """The numbers that are to lie on the scale: the value and its interval, as far as defined."""
    ends = (estimate.low, estimate.value, estimate.high)
    return [end for end in ends if end is not None and estimate.value is not None]


def _axis(scale: Scale, ticks: Sequence[float], wording: Wording, places: int) -> Axis:
    """Its numbers have so many decimals, or more where they would not differ."""
    while any(abs(round(tick, places) - tick) > 1e-9 * abs(tick) for tick in ticks):
        places += 1
    return Axis(scale, ticks, [wording.number(tick, places) for tick in ticks])


def _heat(shade: float) -> Heat:
    return HEATS[min(len(HEATS) - 1, max(0, round(shade * (len(HEATS) - 1))))]


def _days(days: Sequence[date], across: Scale, wording: Wording) -> Iterator[Words]:
    """The first day, the last one, and one between them, where there is room."""
    if not days:
        return
    first, last = min(days), max(days)
    middle = date.fromordinal((first.toordinal() + last.toordinal()) // 2)
    y, taken = PLOT + GAP + TEXT + 6, list[_Room]()
    wanted: list[tuple[date, float, Anchor]] = [
        (first, across.begin, "start"),
        (last, across.end, "end"),
        (middle, (across.begin + across.end) / 2, "middle"),
    ]
    for day, x, anchor in wanted[: min(3, (last - first).days + 1)]:
        yield from _placed(wording.day(day), [(x, y, anchor)], 0.0, taken)


def _names(
    people: Sequence[Person],
    places: Sequence[tuple[float, float]],
    left: float,
    taken: list[_Room],
) -> Iterator[Words]:
    """Names beside their marks where they cover no mark and no other name, the striking first."""
    order = sorted(range(len(people)), key=lambda place: not people[place].stands_out)
    for place in order:
        (x, y), person = places[place], people[place]
        beside: list[_Place] = [(x + 8, y + 4, "start"), (x - 8, y + 4, "end")]
        beside += [(x + 6, y - 11, "start"), (x + 6, y + 19, "start")]
        beside += [(x - 6, y - 11, "end"), (x - 6, y + 19, "end")]
        inside = [place for place in beside if place[1] < PLOT + GAP - 4]
        name = plain(person.name)
        yield from _placed(name, inside, left, taken, "ink", is_bold=person.stands_out)


def _placed(
    text: str,
    places: Sequence[_Place],
    left: float,
    taken: list[_Room],
    look: Look = "soft",
    *,
    is_bold: bool = False,
) -> Iterator[Words]:
    """The words at the first of the places at which they are inside and touch no others, if there
    is one, which they take."""
    width = text_width(text, is_bold=is_bold)
    for x, base, anchor in places:
        begin = x - {"start": 0.0, "middle": width / 2, "end": width}[anchor]
        top, end, bottom = base - TEXT, begin + width, base + 4
        is_inside = left <= begin and end <= WIDTH and top >= 0
        if is_inside and not any(
            begin < right and before < end and top < below and above < bottom
            for before, above, right, below in taken
        ):
            taken.append((begin, top, end, bottom))
            yield Words(x, base, text, look, anchor, is_bold)
            return
