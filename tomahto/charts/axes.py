"""Scales with round numbers along the edges of a chart, and lines with bands between them."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from tomahto.charts.chart_data import NumberText, Value, number_text
from tomahto.charts.picture import (
    BASE,
    TEXT,
    WIDTH,
    Area,
    Band,
    Dot,
    Line,
    Look,
    Mark,
    Shape,
    Stroke,
    Words,
    round_steps,
    text_width,
)
from tomahto.estimates.estimate import Estimate

GAP = 8.0
PLOT = 170.0  # height of what has two axes
FOOT = TEXT + 4  # from the plot down to the base line of the numbers below it
_MOST = 7  # numbers along an axis
_TINY = 1e-290  # what lies closer together has no round numbers between


@dataclass(frozen=True, slots=True)
class Scale:
    """Numbers from `low` to `high` along an axis from `begin` to `end`."""

    low: float
    high: float
    begin: float
    end: float

    def at(self, number: float) -> float:
        """The place of a number; what lies beyond the scale is at its end."""
        inside = min(max(number, self.low), self.high)
        return self.begin + (self.end - self.begin) * (inside - self.low) / (self.high - self.low)


@dataclass(frozen=True, slots=True)
class Axis:
    """A scale and the numbers that are written along it."""

    scale: Scale
    ticks: Sequence[float]
    texts: Sequence[str]

    @property
    def width(self) -> float:
        """Of the widest number."""
        return max(map(text_width, self.texts), default=0.0)

    def across(self, top: float, bottom: float) -> Iterator[Mark]:
        """Upright lines, with the numbers below them. A number that would touch the one before it
        is left out."""
        taken = -math.inf
        for tick, text in zip(self.ticks, self.texts, strict=True):
            x, half = self.scale.at(tick), text_width(text) / 2
            yield Line(((x, top), (x, bottom)), "grid")
            middle = min(max(x, half), WIDTH - half)
            if middle - half >= taken:
                taken = middle + half + 2
                yield Words(middle, bottom + FOOT, text, "soft", "middle")

    def up(self, left: float, right: float = WIDTH) -> Iterator[Mark]:
        """Level lines, with the numbers at their left."""
        for tick, text in zip(self.ticks, self.texts, strict=True):
            y = self.scale.at(tick)
            yield Line(((left, y), (right, y)), "grid")
            yield Words(left - 5, y + BASE, text, "soft", "end")


def axis_between(
    numbers: Iterable[float | None],
    begin: float,
    end: float,
    *,
    unit: str = "",
    low: float | None = None,
    high: float | None = None,
    most: int = _MOST,
    least: float = 0.0,
    number: NumberText = number_text,
) -> Axis:
    """An axis around these numbers with at most so many along it, `least` apart. `low` and `high`
    are its ends unless a number lies beyond them; others are round."""
    finite = [each for each in (*numbers, low, high) if each is not None and math.isfinite(each)]
    first, last = min(finite, default=0.0), max(finite, default=1.0)
    if last - first < _TINY:
        around = abs(first) / 2
        first, last = (first - around, first + around) if around > _TINY else (0.0, 1.0)
    ticks = round_steps(first, last, most, is_beyond=True, least=least)
    first = first if first == low else ticks[0]
    last = last if last == high else ticks[-1]
    slack = 1e-9 * (last - first)
    kept = [tick for tick in ticks if first - slack <= tick <= last + slack]
    return Axis(Scale(first, last, begin, end), kept, [number(tick, unit) for tick in kept])


def axis_across(
    numbers: Sequence[float | None],
    left: float,
    *,
    unit: str = "",
    low: float | None = None,
    high: float | None = None,
    least: float = 0.0,
    number: NumberText = number_text,
) -> Axis:
    """A level axis to the right of `left`, with as many numbers as have room."""
    for most in range(_MOST, 2, -1):
        axis = axis_between(
            numbers,
            left,
            WIDTH,
            unit=unit,
            low=low,
            high=high,
            most=most,
            least=least,
            number=number,
        )
        half = axis.width / 2
        axis = replace(axis, scale=replace(axis.scale, begin=max(left, half), end=WIDTH - half))
        places = map(axis.scale.at, axis.ticks)
        if all(after - before >= axis.width + GAP for before, after in pairwise(places)):
            break
    return axis


def axis_of_names(numbers: Sequence[float], names: Sequence[str], left: float) -> Axis:
    """A level axis to the right of `left` with names at their numbers, of which there is one or
    more. The first and the last are written, and those between that have room."""
    ordered = sorted(zip(numbers, names, strict=True))
    (low, first), (high, last) = ordered[0], ordered[-1]
    around = 0.0 if low < high else 1.0
    begin, end = max(left, text_width(first) / 2), WIDTH - text_width(last) / 2
    scale = Scale(low - around, high + around, begin, end)
    kept = ordered[:1]
    taken, until = scale.at(low) + text_width(first) / 2, WIDTH - text_width(last)
    for number, name in ordered[1:]:
        x, half = scale.at(number), text_width(name) / 2
        if x - half >= taken + GAP and (x + half + GAP <= until or number == high):
            kept += [(number, name)]
            taken = x + half
    return Axis(scale, [number for number, _ in kept], [name for _, name in kept])


def course(
    points: Sequence[tuple[float, Value | Estimate]],
    up: Scale,
    *,
    look: Look,
    band: Band,
    stroke: Stroke = "solid",
    shape: Shape | None = None,
) -> Iterator[Mark]:
    """A line through values at their x, with a band for their intervals, and dots of a shape.

    An undefined value breaks the line; an interval that has no neighbour is an upright stroke.
    """
    for is_defined, stretch in groupby(points, lambda point: point[1].value is not None):
        if not is_defined:
            continue
        defined = list(stretch)
        for is_bounded, part in groupby(defined, lambda point: point[1].low is not None):
            if is_bounded:
                bounds = [(x, up.at(each.low or 0.0), up.at(each.high or 0.0)) for x, each in part]
                lower, upper = [(x, low) for x, low, _ in bounds], [(x, y) for x, _, y in bounds]
                if len(bounds) > 1:
                    yield Area((*upper, *reversed(lower)), band)
                else:
                    yield Line((*lower, *upper), look)
        line = tuple((x, up.at(each.value or 0.0)) for x, each in defined)
        yield Line(line, look, stroke)
        for x, y in line if shape else ():
            yield Dot(x, y, look, shape or "circle", 3.0)
