"""Lines over numbers, with a band for each series."""

from typing import TYPE_CHECKING, Any

import numpy as np

from tomahto.figures.chart_data import ChartData
from tomahto.figures.drawing.marks import Mark
from tomahto.figures.drawing.sheet import WIDTH, new_axes, put_legend, put_scale

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_HEIGHT = 1.9
_TICKS = 0.5  # beside the axes
_MARKED = 20  # points of a line at most that are marked
_BAND = 0.18  # opacity


def lines(data: ChartData) -> "Figure":
    """Numbers from left to right. A value that is undefined breaks its line.

    Raises ValueError if the rows are not named by numbers.
    """
    chart, names = data.chart, [series.name for series in data.series]
    figure, axes = new_axes(WIDTH - _TICKS, _HEIGHT, across=chart.across, up=chart.up, series=names)
    numbers = np.array(data.numbers, float)
    order, handles = np.argsort(numbers, kind="stable"), []
    for place, series in enumerate(data.series):
        mark, (values, lows, highs) = Mark(place), series.numbers()[:, order]
        style: dict[str, Any] = {"color": mark.colour, "linewidth": 1.2}
        axes.fill_between(numbers[order], lows, highs, alpha=_BAND, **style)
        handles += axes.plot(
            numbers[order],
            values,
            linestyle=mark.stroke,
            marker=mark.marker if len(numbers) <= _MARKED else "",
            clip_on=False,
            zorder=3,
            **style,
        )
    put_scale(axes, "x", room=WIDTH - _TICKS, unit=data.number_unit)
    put_scale(axes, "y", room=_HEIGHT, unit=data.unit, low=data.low, high=data.high)
    put_legend(figure, handles, names)
    return figure
