"""The sheet of a chart: a column of a paper wide, with room for the texts around its axes."""

import math
import re
import textwrap
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

from tomahto.figures.table import MINUS
from tomahto.figures.words import plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 3.3  # inches, as all lengths here
POINTS = 8.0  # of the font
INK, GRID, PAPER = "#1a1a1a", "#d9d9d9", "#ffffff"
LINE = 0.16  # of text
GAP = 0.05  # between texts
_TICKS = 6  # intervals along an axis, at most
_KEY = 0.32  # what a legend has before a name
_ELLIPSIS = "…"
_LETTERS = 80  # that may have room in a line
_LAST_BREAK = re.compile(r".+[\W_](?<![(\[{])")  # of a line


def text_width(text: str) -> float:
    """Of the widest line."""
    return max(map(_line_width, text.split("\n")))


@lru_cache(1024)
def _line_width(line: str) -> float:
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(size=POINTS)
    width, _, _ = text_to_path.get_text_width_height_descent(line, font, ismath=False)
    return float(width) / 72


def shortened(text: str, width: float, *, lines: int = 1) -> str:
    """The text in at most so many lines, or as much of its beginning and its end as has room:
    names that begin alike often differ there."""
    text = plain(text)
    if text_width(text) <= width:
        return text
    if lines > 1:
        ends = range(min(len(text), _LETTERS), 0, -1)
        kept = next((end for end in ends if text_width(text[:end]) <= width), 1)
        broken = _LAST_BREAK.match(text[:kept])
        kept = broken.end() if broken else kept
        return f"{text[:kept].rstrip()}\n{shortened(text[kept:], width, lines=lines - 1)}"
    shorter = (_cut(text, kept) for kept in range(min(len(text) - 1, _LETTERS), -1, -1))
    return next((each for each in shorter if text_width(each) <= width), _ELLIPSIS)


def _cut(text: str, kept: int) -> str:
    end = len(text) - kept // 2
    return f"{text[: kept - kept // 2].rstrip()}{_ELLIPSIS}{text[end:].lstrip()}"


def new_axes(
    width: float, height: float, *, across: str, up: str, series: Sequence[str]
) -> tuple["Figure", "Axes"]:
    """Empty axes, about `width` by `height`, of a new figure with room for a legend."""
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    across, up = _wrapped(across, WIDTH - 4 * LINE), _wrapped(up, height)
    above, below = _legend_height(series), LINE * (2 + across.count("\n")) + 3 * GAP
    layout = ConstrainedLayoutEngine(w_pad=GAP / 2, h_pad=GAP)
    figure = Figure(figsize=(WIDTH, above + height + below), layout=layout)
    axes = figure.add_subplot()
    axes.set_xlabel(across, loc="center" if text_width(across) <= width else "right")
    axes.set_ylabel(up)
    axes.tick_params(length=0)
    return figure, axes


def _wrapped(text: str, width: float) -> str:
    """The text in as many lines as it needs."""
    letters = len(text) * width / max(text_width(text), GAP)
    return textwrap.fill(plain(text), max(1, int(letters)))


def put_scale(
    axes: "Axes",
    along: Literal["x", "y"],
    *,
    room: float,
    unit: str = "",
    low: float | None = None,
    high: float | None = None,
    is_whole: bool = False,
) -> None:
    """Round numbers along an axis about `room` long. Ends that are given are kept unless a value
    lies beyond them; others are round numbers."""
    from matplotlib.ticker import FixedLocator, MaxNLocator

    def label(value: float, _: object = None) -> str:
        return f"{value:,.10g} {unit}".strip().replace("-", MINUS)

    axis = axes.xaxis if along == "x" else axes.yaxis
    ends = [end for end in (low, high, *axis.get_data_interval()) if end is not None]
    first, last = _span([end for end in ends if math.isfinite(end)])
    for intervals in range(_TICKS, 0, -1):
        locator = MaxNLocator(intervals, steps=(1, 2, 5, 10), integer=is_whole, min_n_ticks=1)
        ticks = locator.tick_values(first, last)
        length = LINE if along == "y" else max(text_width(label(tick)) for tick in ticks)
        if (length + GAP) * len(ticks) <= room + length / 2:
            break
    first = first if first == low else ticks[0]
    last = last if last == high else ticks[-1]
    slack = 1e-9 * (last - first)
    kept = [tick for tick in ticks if first - slack <= tick <= last + slack]
    axis.set_major_locator(FixedLocator(kept))
    axis.set_major_formatter(label)
    axes.set(**{f"{along}lim": (first, last)})
    axes.grid(axis=along, color=GRID)


def _span(ends: Sequence[float]) -> tuple[float, float]:
    """The least and the greatest, apart from each other."""
    first, last = min(ends, default=0.0), max(ends, default=1.0)
    if first < last:
        return first, last
    return (first - abs(first) / 2, first + abs(first) / 2) if first else (0.0, 1.0)


def put_legend(figure: "Figure", handles: Sequence[Any], series: Sequence[str]) -> None:
    """Names of the series above the axes; none for one series, which the axis names."""
    if len(series) < 2:
        return
    names, columns = _legend_names(series), _legend_columns(series)
    figure.legend(handles, names, loc="outside upper left", ncols=columns)


def _legend_names(series: Sequence[str]) -> list[str]:
    return [shortened(name, WIDTH - _KEY - 2 * GAP) for name in series]


def _legend_columns(series: Sequence[str]) -> int:
    widest = max(map(text_width, _legend_names(series))) + _KEY + 2 * GAP
    return max(1, min(len(series), int(WIDTH / widest)))


def _legend_height(series: Sequence[str]) -> float:
    return -(-len(series) // _legend_columns(series)) * LINE + GAP if len(series) > 1 else 0.0
