"""Charts of tables, and the histogram of a release, as pictures.

Series differ in colours that the colour-blind can tell apart, and in marks, strokes and hatches for
print in black and white.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from tomahto.figures.axes import (
    FOOT,
    GAP,
    PLOT,
    Axis,
    Scale,
    axis_across,
    axis_between,
    course,
    number_text,
)
from tomahto.figures.chart import StackedBars
from tomahto.figures.chart_data import ChartData, Series, Value
from tomahto.figures.picture import (
    BANDS,
    BASE,
    HATCHES,
    LINE,
    SERIES,
    SHAPES,
    STROKES,
    TEXT,
    WIDTH,
    Band,
    Dot,
    Hatch,
    Line,
    Look,
    Mark,
    Picture,
    Point,
    Shape,
    Spot,
    Stroke,
    Words,
    box,
    fitted,
    hatching,
    in_lines,
    text_width,
)
from tomahto.figures.table import UNDEFINED
from tomahto.figures.table_chart import ChartKind

_LANE, _NARROW, _BETWEEN = 12.0, 7.0, 8.0  # of a series within a row, at least, and between rows
_LOWEST, _HIGHEST = 84.0, 850.0  # heights of all rows
_NAMES = 0.42 * WIDTH  # a longer name is broken
_FEW = 20  # rows, whose names may take two lines
_MANY = 60  # spots: with more of them nobody gets through
_MARKED = 20  # points of a line at most that are marked
_KEY = 22.0  # what a legend has before a name


class _Sign(NamedTuple):
    """How a series looks. No two of its cycles are equally long, but those of the colours, so that
    their pairs come back late."""

    look: Look
    band: Band
    shape: Shape
    stroke: Stroke
    hatch: Hatch


def _sign(place: int) -> _Sign:
    return _Sign(
        look=SERIES[place % len(SERIES)],
        band=BANDS[place % len(BANDS)],
        shape=SHAPES[place % len(SHAPES)],
        stroke=tuple(STROKES)[place % len(STROKES)],
        hatch=HATCHES[place % len(HATCHES)],
    )


def series_chart(data: ChartData) -> Picture:
    """Points with intervals and bars, a row for each name; columns, which lie where their names
    have no room beside each other; or lines over numbers.

    Raises ValueError if the rows of a chart of lines are not named by numbers.
    """
    if data.chart.kind == "line":
        return _lines(data)
    count = max(1, len(data.names))
    names = [in_lines(name, _NAMES, 2 if count <= _FEW else 1) for name in data.names]
    widest = max((text_width(line) for name in names for line in name), default=0.0)
    if data.chart.kind == "columns":
        left = _axis_up(data, 0.0).width + GAP
        if (widest + GAP) * count <= WIDTH - left:
            return _columns(data, names, left)
    return _rows(data, names, widest + GAP)


def stacked_chart(chart: StackedBars) -> Picture:
    """Counts by bin, a bar for each; the first layer is the lowest."""
    marks, top = _head(list(chart.layers), chart.up, _patch)
    bottom = top + PLOT
    up = axis_between([0, chart.highest], bottom, top, least=1.0)
    texts = [number_text(edge) for edge in chart.edges]
    room, bins = max(map(text_width, texts)), len(texts) - 1
    left = max(up.width + GAP, room / 2)
    least = len(texts) * (room + 5) / (WIDTH - left)
    step = next(step for step in range(1, bins + 1) if step >= least and bins % step == 0)
    scale = Scale(chart.edges[0], chart.edges[-1], left, WIDTH - room / 2)
    marks += up.up(left, scale.end)
    spots = []
    for number, (first, last) in enumerate(pairwise(map(scale.at, chart.edges))):
        below = 0
        for place, counts in enumerate(chart.layers.values()):
            low, high = up.scale.at(below), up.scale.at(below + counts[number])
            marks += _filled((first, low), (last, high), _sign(place)) if counts[number] else ()
            below += counts[number]
        counted = [f"{name}: {counts[number]:,}" for name, counts in chart.layers.items()]
        says = "\n".join([f"{texts[number]}–{texts[number + 1]}", *counted])
        spots += [Spot(first, top, last - first, PLOT, says)]
    marks += Axis(scale, chart.edges[::step], texts[::step]).across(bottom, bottom + 2)
    return _picture(chart, marks, spots, chart.across, bottom)


def _rows(data: ChartData, names: Sequence[Sequence[str]], left: float) -> Picture:
    """Values from left to right. Rows are lower where many would be higher than a page, as long as
    marks keep apart."""
    chart, series, count = data.chart, data.series, max(1, len(names))
    turned = chart.kind == "columns"
    across, up = (chart.up, chart.across) if turned else (chart.across, chart.up)
    key = _point if chart.kind == "points" else _patch
    marks, top = _head([each.name for each in series], up, key)
    row = max(
        len(series) * _NARROW + _BETWEEN / 2,
        min(len(series) * _LANE + _BETWEEN, _HIGHEST / count),
        LINE * max(map(len, names), default=1) + 1,
        _LOWEST / count,
    )
    lane, bottom = min(0.8 * row / max(1, len(series)), _LANE), top + row * count
    axis = axis_across(_numbers(data), left, unit=data.unit, low=data.low, high=data.high)
    scale, left = axis.scale, axis.scale.begin
    marks += axis.across(top, bottom)
    spots = []
    for number, name in enumerate(names):
        middle = top + row * (number + 0.5)
        if number and len(series) > 1:
            marks += [Line(((left, middle - row / 2), (WIDTH, middle - row / 2)), "grid")]
        for line, text in enumerate(name):
            base = middle + BASE + LINE * (line - (len(name) - 1) / 2)
            marks += [Words(left - 5, base, text, anchor="end")]
        for place, each in enumerate(series):
            y = middle + (place - (len(series) - 1) / 2) * lane
            marks += _value(each.values[number], chart.kind, _sign(place), scale, y, lane)
            says = _says(data, each, number)
            spots += [Spot(left, y - lane / 2, scale.end - left, lane, says)]
    if chart.kind != "points":
        marks += [Line(((scale.at(0), top), (scale.at(0), bottom)), "ink")]
    return _picture(data, marks, spots, across, bottom)


def _columns(data: ChartData, names: Sequence[Sequence[str]], left: float) -> Picture:
    """Values from bottom to top."""
    chart, series = data.chart, data.series
    marks, top = _head([each.name for each in series], chart.up, _patch)
    axis, bottom = _axis_up(data, top), top + PLOT
    scale = axis.scale
    marks += axis.up(left)
    slot = (WIDTH - left) / max(1, len(names))
    lane, spots = slot * min(0.8 / max(1, len(series)), 0.4), []
    for number, name in enumerate(names):
        middle = left + slot * (number + 0.5)
        for line, text in enumerate(name):
            marks += [Words(middle, bottom + FOOT + LINE * line, text, anchor="middle")]
        for place, each in enumerate(series):
            x = middle + (place - (len(series) - 1) / 2) * lane
            value = each.values[number]
            marks += _value(value, chart.kind, _sign(place), scale, x, lane, stands=True)
            spots += [Spot(x - lane / 2, top, lane, PLOT, _says(data, each, number))]
    marks += [Line(((left, scale.at(0)), (WIDTH, scale.at(0))), "ink")]
    deepest = LINE * (max(map(len, names), default=1) - 1)
    return _picture(data, marks, spots, chart.across, bottom + deepest)


def _value(
    value: Value,
    kind: ChartKind,
    sign: _Sign,
    scale: Scale,
    place: float,
    lane: float,
    *,
    stands: bool = False,
) -> Iterator[Mark]:
    """A point or a bar with its interval along the scale, in its lane around a place."""

    def at(along: float, beside: float = 0.0) -> Point:
        return (place + beside, along) if stands else (along, place + beside)

    if value.value is None:
        x, y = at(scale.begin + (-6 if stands else 6))
        yield Words(x, y + BASE, UNDEFINED, "soft", "middle")
        return
    if kind != "points":
        reach = 0.47 * lane
        yield from _filled(at(scale.at(0), -reach), at(scale.at(value.value), reach), sign)
    look = sign.look if kind == "points" else "ink"
    if value.low is not None and value.high is not None:
        yield Line((at(scale.at(value.low)), at(scale.at(value.high))), look)
    if kind == "points":
        yield Dot(*at(scale.at(value.value)), look, sign.shape, 3.0)


def _lines(data: ChartData) -> Picture:
    """Numbers from left to right, with a band for each series."""
    series, numbers = data.series, data.numbers
    marks, top = _head([each.name for each in series], data.chart.up, _stroke)
    up, bottom = _axis_up(data, top), top + PLOT
    across = axis_across(numbers, up.width + GAP, unit=data.number_unit)
    marks += [*up.up(across.scale.begin, across.scale.end), *across.across(top, bottom)]
    order = sorted(range(len(numbers)), key=lambda number: numbers[number])
    spots = []
    for place, each in enumerate(series):
        sign = _sign(place)
        points = [(across.scale.at(numbers[number]), each.values[number]) for number in order]
        marks += course(
            points,
            up.scale,
            look=sign.look,
            band=sign.band,
            stroke=sign.stroke,
            shape=sign.shape if len(numbers) <= _MARKED else None,
        )
        for number, (x, value) in zip(order, points, strict=True):
            if value.value is not None:
                y = up.scale.at(value.value)
                spots += [Spot(x - 5, y - 5, 10, 10, _says(data, each, number))]
    return _picture(data, marks, spots, data.chart.across, bottom)


def _numbers(data: ChartData) -> list[float | None]:
    """All that are drawn; bars begin at 0."""
    drawn = [end for series in data.series for value in series.values for end in value]
    return drawn if data.chart.kind in ("points", "line") else [*drawn, 0.0]


def _axis_up(data: ChartData, top: float) -> Axis:
    numbers, bottom = _numbers(data), top + PLOT
    return axis_between(numbers, bottom, top, unit=data.unit, low=data.low, high=data.high)


def _filled(corner: Point, other: Point, sign: _Sign) -> Iterator[Mark]:
    """A bar between two corners with its hatches, apart from its neighbours."""
    (left, right), (top, bottom) = (sorted(ends) for ends in zip(corner, other, strict=True))
    area = box(left, top, right - left, bottom - top, sign.look)
    yield area
    if sign.hatch:
        yield hatching(left, top, right - left, bottom - top, sign.hatch, "paper")
    yield Line((*area.points, area.points[0]), "paper")


def _says(data: ChartData, series: Series, row: int) -> str:
    return f"{data.names[row]}\n{series.heading}: {series.shown[row]}"


def _picture(
    chart: ChartData | StackedBars,
    marks: Sequence[Mark],
    spots: Sequence[Spot],
    across: str,
    bottom: float,
) -> Picture:
    """With what lies along the level axis, below its numbers."""
    lines = in_lines(across, WIDTH, _FEW) if across.strip() else []
    words = [
        Words(WIDTH, bottom + FOOT + LINE * (number + 1), line, "soft", "end")
        for number, line in enumerate(lines)
    ]
    return Picture(
        title=chart.title,
        description=chart.description,
        height=bottom + FOOT + 4 + LINE * len(lines),
        marks=(*marks, *words),
        spots=tuple(spots) if len(spots) <= _MANY else (),
    )


def _head(
    series: Sequence[str], up: str, key: Callable[[_Sign, float, float], Iterator[Mark]]
) -> tuple[list[Mark], float]:
    """The names of the series, unless there is one alone, and what lies along the upright axis;
    where the plot begins."""
    marks: list[Mark] = []
    y = 0.0
    if len(series) > 1:
        names = [fitted(name, WIDTH - _KEY) for name in series]
        room = max(map(text_width, names)) + _KEY + GAP
        columns = max(1, min(len(names), int((WIDTH + GAP) / room)))
        for place, name in enumerate(names):
            x, middle = room * (place % columns), LINE * (place // columns + 0.5)
            marks += key(_sign(place), x, middle)
            marks += [Words(x + _KEY, middle + BASE, name)]
        y = LINE * -(-len(names) // columns) + 3
    for text in in_lines(up, WIDTH, _FEW) if up.strip() else ():
        marks += [Words(0, y + TEXT, text, "soft")]
        y += LINE
    return marks, y + GAP


def _point(sign: _Sign, x: float, y: float) -> Iterator[Mark]:
    yield Dot(x + _KEY / 2, y, sign.look, sign.shape, 3.0)


def _patch(sign: _Sign, x: float, y: float) -> Iterator[Mark]:
    yield from _filled((x, y - 4), (x + _KEY - 5, y + 4), sign)


def _stroke(sign: _Sign, x: float, y: float) -> Iterator[Mark]:
    yield Line(((x, y), (x + _KEY - 5, y)), sign.look, sign.stroke)
    yield Dot(x + (_KEY - 5) / 2, y, sign.look, sign.shape, 3.0)
