"""Charts with one row of the page for each row of the table: points and bars."""

from collections.abc import Iterator
from dataclasses import dataclass

from tomahto.figures.drawing.axis import Axis, Range
from tomahto.figures.drawing.marks import legend, mark, swatch
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
    Shape,
    Text,
    shortened,
    text_width,
)
from tomahto.figures.table import UNDEFINED

_NAMES = 170  # units; a longer name is cut
_RIGHT, _BOTTOM = 24, 48
_LANE, _GAP = 11.0, 9.0  # of a series within a row, and between rows
_BAR = 9.0


@dataclass(frozen=True)
class LyingChart(Page):
    """Names on the left, values from left to right."""

    @property
    def height(self) -> int:
        pitch = len(self.data.series) * _LANE + _GAP
        return max(HEIGHT, 2 * round((self._top + len(self.data.names) * pitch + _BOTTOM) / 2))

    @property
    def _is_bars(self) -> bool:
        return self.chart.kind == "bars"

    @property
    def _top(self) -> float:
        return legend(self.data.series, mark).bottom

    @property
    def _left(self) -> float:
        names = max(map(text_width, self.data.names), default=0.0)
        return (28 if self.chart.up else 8) + min(names, _NAMES) + 8

    def shapes(self) -> tuple[Shape, ...]:
        data, left, top, floor = self.data, self._left, self._top, self.height - _BOTTOM
        zero = (0.0,) if self._is_bars else ()
        held = Range.of((*data.ends(), *zero), low=data.low, high=data.high, unit=data.unit)
        axis = held.axis(left, WIDTH - _RIGHT)
        return (
            Box(0, 0, WIDTH, self.height, PAPER),
            *legend(data.series, swatch if self._is_bars else mark).shapes,
            *_grid(axis, top, floor),
            *self._rows(axis, top, floor),
            Box(left, floor, WIDTH - _RIGHT - left, 1, INK),
            *self.titles((left + WIDTH - _RIGHT) / 2, (top + floor) / 2, self.height),
        )

    def _rows(self, axis: Axis, top: float, floor: float) -> Iterator[Shape]:
        pitch = (floor - top) / max(1, len(self.data.names))
        lane = min(_LANE, pitch / (len(self.data.series) + 0.5))
        for place, name in enumerate(self.data.names):
            middle = top + (place + 0.5) * pitch
            if place:
                yield Box(axis.start, top + place * pitch, axis.end - axis.start, 0.5, GRID)
            yield Text(axis.start - 8, middle + 4, shortened(name, _NAMES), "end")
            for series in self.data.series:
                y = middle + (series.place - (len(self.data.series) - 1) / 2) * lane
                draw = self._bar if self._is_bars else self._point
                yield from draw(series, series.values[place], axis, y)

    def _point(self, series: Series, value: Value, axis: Axis, y: float) -> Iterator[Shape]:
        if value.value is None:
            yield Text(axis.start + 5, y + 4, UNDEFINED)
            return
        if value.interval:
            low, high = map(axis.place, value.interval)
            yield Line(low, y, high, y, series.colour)
        yield mark(series, axis.place(value.value), y)

    def _bar(self, series: Series, value: Value, axis: Axis, y: float) -> Iterator[Shape]:
        zero = axis.place(0.0)
        if value.value is None:
            yield Text(zero + 5, y + 4, UNDEFINED)
            return
        left, right = sorted((zero, axis.place(value.value)))
        yield Box(left, y - _BAR / 2, right - left, _BAR, series.colour)
        if value.interval:
            low, high = map(axis.place, value.interval)
            yield Line(low, y, high, y, INK, 1.0)


def _grid(axis: Axis, top: float, floor: float) -> Iterator[Shape]:
    for tick in axis.ticks():
        x = axis.place(tick)
        yield Box(x - 0.5, top, 1, floor - top, INK if tick == 0 else GRID)
        yield Text(x, floor + 16, axis.shown(tick), "middle")
