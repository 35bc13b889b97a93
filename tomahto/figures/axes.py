"""Scales with round numbers along the edges of a chart, and lines with bands between them."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Protocol

from tomahto.figures.picture import (
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
from tomahto.figures.table import MINUS

GAP = 8.0
PLOT = 170.0  # height of what has two axes
_MOST = 7  # numbers along an axis


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
                yield Words(middle, bottom + TEXT + 2, text, "soft", "middle")

    def up(self, left: float, right: float = WIDTH) -> Iterator[Mark]:
        """Level lines, with the numbers at their left."""
        for tick, text in zip(self.ticks, self.texts, strict=True):
            y = self.scale.at(tick)
            yield Line(((left, y), (right, y)), "grid")
            yield Words(left - 5, y + BASE, text, "soft", "end")


def number_text(number: float, unit: str = "") -> str:
    """With its thousands apart and no more decimals than it needs."""
    return f"{number:,.10g} {unit}".strip().replace("-", MINUS)


def axis_across(
    ends: Iterable[float | None],
    left: float,
    *,
    unit: str = "",
    low: float | None = None,
    high: float | None = None,
) -> Axis:
    """A level axis around these numbers, from `left` on, with as many numbers as have room. `low`
    and `high` are its ends unless a number lies beyond them; others are round."""
    numbers = [*ends, low, high]
    for most in range(_MOST, 2, -1):
        axis = _axis(numbers, unit, low, high, most)
        right = WIDTH - axis.width / 2
        scale = Scale(axis.scale.low, axis.scale.high, max(left, axis.width / 2), right)
        axis = Axis(scale, axis.ticks, axis.texts)
        places = map(scale.at, axis.ticks)
        if all(after - before >= axis.width + GAP for before, after in pairwise(places)):
            break
    return axis


def axis_up(
    ends: Iterable[float | None],
    top: float,
    *,
    unit: str = "",
    low: float | None = None,
    high: float | None = None,
    is_whole: bool = False,
) -> Axis:
    """An upright axis around these numbers, PLOT high. Its ends are as those of a level one."""
    axis = _axis([*ends, low, high], unit, low, high, _MOST, least=1.0 if is_whole else 0.0)
    scale = Scale(axis.scale.low, axis.scale.high, top + PLOT, top)
    return Axis(scale, axis.ticks, axis.texts)


def _axis(
    numbers: Sequence[float | None],
    unit: str,
    low: float | None,
    high: float | None,
    most: int,
    least: float = 0.0,
) -> Axis:
    """Of any length."""
    finite = [number for number in numbers if number is not None and math.isfinite(number)]
    first, last = min(finite, default=0.0), max(finite, default=1.0)
    if first == last:
        first, last = (first - abs(first) / 2, first + abs(first) / 2) if first else (0.0, 1.0)
    ticks = round_steps(first, last, most, is_beyond=True, least=least)
    first = first if first == low else ticks[0]
    last = last if last == high else ticks[-1]
    slack = 1e-9 * (last - first)
    kept = [tick for tick in ticks if first - slack <= tick <= last + slack]
    return Axis(Scale(first, last, 0.0, 1.0), kept, [number_text(tick, unit) for tick in kept])


class Bounded(Protocol):
    """A value with the ends of its interval, where there are any."""

    @property
    def value(self) -> float | None: ...
    @property
    def low(self) -> float | None: ...
    @property
    def high(self) -> float | None: ...


def course(
    points: Sequence[tuple[float, Bounded]],
    up: Scale,
    *,
    look: Look,
    band: Band,
    stroke: Stroke = "solid",
    shape: Shape | None = None,
) -> Iterator[Mark]:
    """A line through values at their x, with a band for their intervals, and dots of a shape.

    What is undefined breaks the line; an interval that has no neighbour is an upright stroke.
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
