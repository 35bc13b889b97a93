"""Charts with named rows: points and bars from left to right, columns from bottom to top."""

from typing import TYPE_CHECKING, Any

import numpy as np

from tomahto.figures.chart_data import ChartData, Series
from tomahto.figures.drawing.marks import Mark
from tomahto.figures.drawing.sheet import (
    GAP,
    GRID,
    INK,
    LINE,
    WIDTH,
    new_axes,
    put_legend,
    put_scale,
    shortened,
    text_width,
)
from tomahto.figures.table import UNDEFINED

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LANE, _BETWEEN = 0.11, 0.08  # inches of a series within a row, and between rows
_NARROW = 0.065  # the least a series takes
_LOWEST, _HIGHEST, _STANDING = 0.8, 8.0, 1.9  # heights of axes
_NAMES = 1.4  # a longer name is broken
_FEW = 20  # rows, whose names may take two lines
_BESIDE = 0.4  # the axes, without names
_FILLED = 0.8  # of a row, by its series
_ALONE: dict[str, Any] = {"linestyle": "", "clip_on": False, "zorder": 4}  # a marker without a line


def categories(data: ChartData) -> "Figure":
    """The rows of the table below each other, or beside each other in `columns` whose names have
    room."""
    chart, series = data.chart, [series.name for series in data.series]
    count = max(1, len(data.names))
    names = [shortened(name, _NAMES, lines=2 if count <= _FEW else 1) for name in data.names]
    stands = chart.kind == "columns" and _have_room(names)
    turned = chart.kind == "columns" and not stands
    across, up = (chart.up, chart.across) if turned else (chart.across, chart.up)
    height = _STANDING if stands else max(_LOWEST, count * _row_height(names, len(series)))
    width = WIDTH - _BESIDE - (0.0 if stands else max(map(text_width, names), default=0.0))
    figure, axes = new_axes(width, height, across=across, up=up, series=series)
    lane = min(_FILLED / max(1, len(series)), _LANE * count / height if not stands else 0.4)
    middle = (len(series) - 1) / 2
    handles = [
        _series(axes, each, Mark(place), (place - middle) * lane, lane, chart.kind, stands=stands)
        for place, each in enumerate(data.series)
    ]
    _name(axes, names, has_rules=len(series) > 1, stands=stands)
    put_scale(
        axes,
        "y" if stands else "x",
        room=height if stands else width,
        unit=data.unit,
        low=data.low,
        high=data.high,
    )
    if chart.kind != "points":
        (axes.axhline if stands else axes.axvline)(0, color=INK, linewidth=0.6)
    put_legend(figure, handles, series)
    return figure


def _row_height(names: list[str], series: int) -> float:
    """Lower where many rows would be higher than a page, as long as marks keep apart."""
    wanted = series * _LANE + _BETWEEN
    lowest = max(series * _NARROW + _BETWEEN / 2, min(wanted, _HIGHEST / max(1, len(names))))
    return max(lowest, LINE * (1 + max((name.count("\n") for name in names), default=0)))


def _have_room(names: list[str]) -> bool:
    """Whether all names fit beside each other."""
    widest = max(map(text_width, names), default=0.0)
    return (widest + 2 * GAP) * len(names) <= WIDTH - _BESIDE


def _name(axes: "Axes", names: list[str], *, has_rules: bool, stands: bool) -> None:
    ends, rows = (-0.5, max(1, len(names)) - 0.5), range(len(names))
    axes.spines["left"].set_visible(False)
    if stands:
        axes.set_xlim(ends)
        axes.set_xticks(rows, names)
        return
    axes.set_ylim(ends[::-1])
    axes.set_yticks(rows, names)
    for row in rows[1:] if has_rules else ():
        axes.axhline(row - 0.5, color=GRID, linewidth=0.4)


def _series(
    axes: "Axes", series: Series, mark: Mark, shift: float, lane: float, kind: str, *, stands: bool
) -> Any:
    """Values and intervals of one series, `shift` beside the middles of the rows; what stands for
    it in the legend."""
    values, lows, highs = series.numbers()
    places, held = np.arange(len(values)) + shift, ~np.isnan(lows)
    colour = mark.colour if kind == "points" else INK
    whiskers = axes.vlines if stands else axes.hlines
    whiskers(places[held], lows[held], highs[held], colour, linewidth=1.0, zorder=3)
    transform = axes.get_xaxis_transform() if stands else axes.get_yaxis_transform()
    for place in places[np.isnan(values)]:
        at = (place, 0.04) if stands else (0.02, place)
        axes.text(at[0], at[1], UNDEFINED, transform=transform, ha="center", va="center")
    if kind == "points":
        return axes.plot(values, places, color=colour, marker=mark.marker, **_ALONE)[0]
    draw = axes.bar if stands else axes.barh
    return draw(places, values, 0.94 * lane, **mark.filling)
