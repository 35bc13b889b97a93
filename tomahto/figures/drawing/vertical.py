"""Charts whose values go from bottom to top: lines and columns."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, pairwise
from operator import itemgetter

from tomahto.figures.drawing.axis import Axis, Range
from tomahto.figures.drawing.marks import Legend, legend, mark, swatch
from tomahto.figures.drawing.page import Page
from tomahto.figures.drawing.series import Series, Value
from tomahto.figures.shapes import (
    GRID,
    HEIGHT,
    INK,
    PAPER,
    WIDTH,
    Box,
    Line,
    Polygon,
    Shape,
    Text,
    shortened,
    text_width,
)
from tomahto.figures.table import UNDEFINED

_RIGHT, _BOTTOM = 20, 48
_UPRIGHT = 124  # units of a name that stands upright; a longer one is cut
_NARROWEST = 15.0  # place that an upright name takes
_MARKED = 40  # points of a line at most that are marked
_BAND = 0.18  # opacity
_FILLED, _WIDEST = 0.78, 44.0  # of the place of a row, by its columns; units of a column


@dataclass(frozen=True)
class _StandingChart(Page, ABC):
    @property
    def height(self) -> int:
        return HEIGHT

    @property
    @abstractmethod
    def _legend(self) -> Legend: ...

    @property
    def _bottom(self) -> float:
        return _BOTTOM

    @abstractmethod
    def _range(self) -> Range: ...

    @abstractmethod
    def _drawn(self, axis: Axis, left: float) -> Iterator[Shape]: ...

    def shapes(self) -> tuple[Shape, ...]:
        top, floor = self._legend.bottom, self.height - self._bottom
        axis = self._range().axis(floor, top)
        left = 34 + max(text_width(axis.shown(tick)) for tick in axis.ticks())
        return (
            Box(0, 0, WIDTH, self.height, PAPER),
            *self._legend.shapes,
            *_grid(axis, left),
            *self._drawn(axis, left),
            *self.titles((left + WIDTH - _RIGHT) / 2, (top + floor) / 2, self.height),
        )


@dataclass(frozen=True)
class ColumnChart(_StandingChart):
    """A group of columns for each row of the table, their names below."""

    @property
    def _legend(self) -> Legend:
        return legend(self.data.series, swatch)

    @property
    def _is_upright(self) -> bool:
        """Whether a name is wider than the narrowest place that a row may have."""
        place = (WIDTH - _RIGHT - 80) / max(1, len(self.data.names))
        return any(text_width(name) > place - 4 for name in self.data.names)

    @property
    def _bottom(self) -> float:
        if not self._is_upright:
            return _BOTTOM
        return 38 + min(_UPRIGHT, max(map(text_width, self.data.names)))

    def _range(self) -> Range:
        data = self.data
        return Range.of((0.0, *data.ends()), low=data.low, high=data.high, unit=data.unit)

    def _drawn(self, axis: Axis, left: float) -> Iterator[Shape]:
        place = (WIDTH - _RIGHT - left) / max(1, len(self.data.names))
        for number in range(len(self.data.names)):
            middle = left + (number + 0.5) * place
            yield from self._named(number, middle, axis.start, place)
            for series in self.data.series:
                width = min(_WIDEST, place * _FILLED / len(self.data.series))
                x = middle + (series.place - (len(self.data.series) - 1) / 2) * width
                yield from _column(series, series.values[number], axis, x, width)
        yield Box(left, axis.place(0.0), WIDTH - _RIGHT - left, 1, INK)

    def _named(self, number: int, middle: float, floor: float, place: float) -> Iterator[Text]:
        if not self._is_upright:
            yield Text(middle, floor + 16, self.data.names[number], "middle")
        elif number % max(1, round(_NARROWEST / place)) == 0:
            name = shortened(self.data.names[number], _UPRIGHT)
            yield Text(middle + 4, floor + 8, name, "end", is_upright=True)


@dataclass(frozen=True)
class LineChart(_StandingChart):
    """Numbers from left to right, a line with a band for each series. A value that is undefined
    breaks its line."""

    @property
    def _legend(self) -> Legend:
        return legend(self.data.series, mark)

    @cached_property
    def _numbers(self) -> tuple[float, ...]:
        numbers = [label for label in self.data.labels if isinstance(label, int | float)]
        if len(numbers) < len(self.data.labels):
            raise ValueError(f"chart of {self.chart.table}: a line needs numbers along its axis")
        factor = 100.0 if self.data.label.kind == "percent" else 1.0
        return tuple(factor * number for number in numbers)

    def _range(self) -> Range:
        data = self.data
        return Range.of(data.ends(), low=data.low, high=data.high, unit=data.unit)

    def _drawn(self, axis: Axis, left: float) -> Iterator[Shape]:
        unit = "%" if self.data.label.kind == "percent" else ""
        across = Range.of(self._numbers, unit=unit).axis(left, WIDTH - _RIGHT)
        floor = axis.start
        for tick in across.ticks():
            x = across.place(tick)
            yield Box(x - 0.5, floor, 1, 4, INK)
            yield Text(x, floor + 16, across.shown(tick), "middle")
        yield Box(left, floor, WIDTH - _RIGHT - left, 1, INK)
        for series in self.data.series:
            yield from self._banded(series, across, axis)
        for series in self.data.series:
            yield from self._lined(series, across, axis)

    def _points(self, series: Series, across: Axis) -> list[tuple[float, Value]]:
        """The values from left to right with their places."""
        pairs = zip(self._numbers, series.values, strict=True)
        return [(across.place(number), value) for number, value in sorted(pairs, key=itemgetter(0))]

    def _banded(self, series: Series, across: Axis, axis: Axis) -> Iterator[Shape]:
        points = self._points(series, across)
        for has_band, group in groupby(points, lambda point: point[1].interval is not None):
            held = list(group)
            if not has_band:
                continue
            ends = [(x, *map(axis.place, value.interval or ())) for x, value in held]
            if len(ends) == 1:
                ((x, low, high),) = ends
                yield Line(x, low, x, high, series.colour)
            else:
                lower = [(x, low) for x, low, _ in ends]
                upper = [(x, high) for x, _, high in reversed(ends)]
                yield Polygon((*lower, *upper), series.colour, _BAND)

    def _lined(self, series: Series, across: Axis, axis: Axis) -> Iterator[Shape]:
        points = [
            (x, None if value.value is None else axis.place(value.value))
            for x, value in self._points(series, across)
        ]
        for (x, y), (to_x, to_y) in pairwise(points):
            if y is not None and to_y is not None:
                yield Line(x, y, to_x, to_y, series.colour)
        if len(points) <= _MARKED:
            yield from (mark(series, x, y) for x, y in points if y is not None)


def _column(series: Series, value: Value, axis: Axis, x: float, width: float) -> Iterator[Shape]:
    zero = axis.place(0.0)
    if value.value is None:
        yield Text(x, zero - 4, UNDEFINED, "middle")
        return
    top, bottom = sorted((zero, axis.place(value.value)))
    yield Box(x - width / 2 + 0.5, top, max(width - 1, 0.5), bottom - top, series.colour)
    if value.interval:
        low, high = map(axis.place, value.interval)
        yield Line(x, low, x, high, INK, 1.0)


def _grid(axis: Axis, left: float) -> Iterator[Shape]:
    for tick in axis.ticks():
        y = axis.place(tick)
        yield Box(left, y - 0.5, WIDTH - _RIGHT - left, 1, GRID)
        yield Text(left - 6, y + 4, axis.shown(tick), "end")
