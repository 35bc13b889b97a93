"""Counts of items in bins, stacked by label."""

from typing import TYPE_CHECKING

import numpy as np

from tomahto.figures.chart import StackedBars
from tomahto.figures.drawing.marks import Mark
from tomahto.figures.drawing.sheet import GAP, WIDTH, new_axes, put_legend, put_scale, text_width

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_HEIGHT = 1.9
_TICKS = 0.6  # beside the axes


def histogram(chart: StackedBars) -> "Figure":
    """The first layer is the lowest."""
    names, edges = list(chart.layers), chart.edges
    figure, axes = new_axes(WIDTH - _TICKS, _HEIGHT, across=chart.across, up=chart.up, series=names)
    below = np.zeros(len(edges) - 1)
    handles = []
    for place, counts in enumerate(chart.layers.values()):
        handles.append(
            axes.bar(
                edges[:-1],
                counts,
                width=np.diff(edges),
                bottom=below,
                align="edge",
                **Mark(place).filling,
            )
        )
        below = below + counts
    put_scale(axes, "y", room=_HEIGHT, low=0, is_whole=True)
    labels = [f"{edge:g}" for edge in edges]
    widest, bins = max(map(text_width, labels)) + GAP, len(edges) - 1
    least = len(labels) * widest / (WIDTH - _TICKS)
    step = next(step for step in range(1, bins + 1) if step >= least and bins % step == 0)
    axes.set_xlim(edges[0], edges[-1])
    axes.set_xticks(edges[::step], labels[::step])
    put_legend(figure, handles, names)
    return figure
