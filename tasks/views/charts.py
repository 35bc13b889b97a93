"""Bar charts worked out on the server: lengths and places, for an SVG drawn by a template."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

WIDTH = 640
LABEL_WIDTH = 190
_VALUE_WIDTH = 60
_ROW = 46
_BAR = 16


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: its place, its length, and what stands after it."""

    y: int
    width: float
    value: int
    series: int

    @property
    def text_x(self) -> float:
        return LABEL_WIDTH + self.width + 6

    @property
    def text_y(self) -> int:
        return self.y + _BAR - 3


@dataclass(frozen=True, slots=True)
class Group:
    """The bars of one label."""

    title: str
    y: int
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class BarChart:
    groups: tuple[Group, ...]
    height: int
    width: int = WIDTH
    label_width: int = LABEL_WIDTH
    thickness: int = _BAR


def bar_chart(titles: Mapping[str, str], series: Sequence[Mapping[str, int]]) -> BarChart:
    """Horizontal bars: for each label one bar per series, all on one scale from zero."""
    longest = max((value for values in series for value in values.values()), default=0)
    scale = (WIDTH - LABEL_WIDTH - _VALUE_WIDTH) / longest if longest else 0
    groups = tuple(
        Group(
            title,
            row * _ROW,
            tuple(
                Bar(
                    row * _ROW + 4 + place * (_BAR + 2), values[label] * scale, values[label], place
                )
                for place, values in enumerate(series)
            ),
        )
        for row, (label, title) in enumerate(titles.items())
    )
    return BarChart(groups, len(groups) * _ROW)
