"""Charts of tables, and the histogram of a release, as pictures.

Series differ in colours that the colour-blind can tell apart, and in marks, strokes and hatches for
print in black and white.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from tomahto.charts.axes import (
    FOOT,
    GAP,
    PLOT,
    Axis,
    Scale,
    axis_across,
    axis_between,
    axis_of_names,
    course,
)
from tomahto.charts.chart_data import ChartData, ChartKind, StackedBars, Value, number_text
from tomahto.charts.picture import (
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
from tomahto.charts.table import UNDEFINED

_LANE, _NARROW, _BETWEEN = 12.0, 7.0, 8.0  # of a series within a row, at least, and between rows
_LOWEST, _HIGHEST = 84.0, 850.0  # heights of all rows
_NAMES = 0.42 * WIDTH  # a longer name is broken
_FEW = 20  # rows, whose names may take two lines
_MANY = 60  # spots: with more of them nobody gets through
_MARKED = 20  # points of a line at most that are marked
_KEY = 22.0  # what a legend has before a name


class _Sign(NamedTuple):
    """The look of a series. No two of its cycles are equally long, but those of the colours, so
    that their pairs come back late. A line without a shape has no marks."""

    look: Look
    band: Band
    shape: Shape | None
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


def _signs(data: ChartData) -> Iterator[_Sign]:
    for place, series in enumerate(data.series):
        sign = _sign(place)
        if series.look:
            number = SERIES.index(series.look) if series.look in SERIES else place
            sign = sign._replace(look=series.look, band=BANDS[number % len(BANDS)])
        if series.stroke:
            sign = sign._replace(stroke=series.stroke, shape=None)
        yield sign


def series_chart(data: ChartData) -> Picture:
    """Points with intervals and bars, a row for each name; columns, which lie where their names
    have no room beside each other, unless they are a sequence; or lines over numbers."""
    if data.kind == "line":
        return _lines(data)
    count = max(1, len(data.names))
    names = [in_lines(name, _NAMES, 2 if count <= _FEW else 1) for name in data.names]
    widest = max((text_width(line) for name in names for line in name), default=0.0)
    if data.kind == "columns":
        left = _axis_up(data, 0.0).width + GAP
        if data.is_sequence or (widest + GAP) * count <= WIDTH - left:
            return _columns(data, names, left)
    return _rows(data, names, widest + GAP)


def stacked_chart(chart: StackedBars) -> Picture:
    """Counts by bin, a bar for each; the first layer is the lowest."""
    signs = list(map(_sign, range(len(chart.layers))))
    marks, top = _head(list(chart.layers), signs, chart.up, _patch)
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
        for sign, counts in zip(signs, chart.layers.values(), strict=True):
            low, high = up.scale.at(below), up.scale.at(below + counts[number])
            marks += _filled((first, low), (last, high), sign) if counts[number] else ()
            below += counts[number]
        counted = [f"{name}: {counts[number]:,}" for name, counts in chart.layers.items()]
        says = "\n".join([f"{texts[number]}–{texts[number + 1]}", *counted])
        spots += [Spot(first, top, last - first, PLOT, says)]
    marks += Axis(scale, chart.edges[::step], texts[::step]).across(bottom, bottom + 2)
    return _picture(chart, marks, spots, chart.across, bottom)


def _rows(data: ChartData, names: Sequence[Sequence[str]], left: float) -> Picture:
    """Values from left to right. Rows are lower where many would be higher than a page, as long as
    marks keep apart."""
    lanes, count = _lanes(data), max(1, len(names))
    across, up = (data.up, data.across) if data.kind == "columns" else (data.across, data.up)
    key = _point if data.kind == "points" else _patch
    signs = list(_signs(data))
    marks, top = _head([each.name for each in data.series], signs, up, key)
    row = max(
        len(lanes) * _NARROW + _BETWEEN / 2,
        min(len(lanes) * _LANE + _BETWEEN, _HIGHEST / count),
        LINE * max(map(len, names), default=1) + 1,
        _LOWEST / count,
    )
    lane, bottom = min(0.8 * row / max(1, len(lanes)), _LANE), top + row * count
    axis = axis_across(
        _numbers(data),
        left,
        unit=data.unit,
        low=data.low,
        high=data.high,
        least=_least(data),
        number=data.number,
    )
    scale, left = axis.scale, axis.scale.begin
    marks += axis.across(top, bottom)
    spots = []
    for number, name in enumerate(names):
        middle = top + row * (number + 0.5)
        if number and len(lanes) > 1:
            marks += [Line(((left, middle - row / 2), (WIDTH, middle - row / 2)), "grid")]
        for line, text in enumerate(name):
            base = middle + BASE + LINE * (line - (len(name) - 1) / 2)
            marks += [Words(left - 5, base, text, anchor="end")]
        for place, series in enumerate(lanes):
            y = middle + (place - (len(lanes) - 1) / 2) * lane
            marks += _in_lane(data, number, series, signs, scale, y, lane)
            says = _says(data, series, number)
            spots += [Spot(left, y - lane / 2, scale.end - left, lane, says)]
    if data.kind != "points":
        marks += [Line(((scale.at(0), top), (scale.at(0), bottom)), "ink")]
    return _picture(data, marks, spots, across, bottom)


def _columns(data: ChartData, names: Sequence[Sequence[str]], left: float) -> Picture:
    """Values from bottom to top."""
    lanes, signs = _lanes(data), list(_signs(data))
    marks, top = _head([each.name for each in data.series], signs, data.up, _patch)
    axis, bottom = _axis_up(data, top), top + PLOT
    scale = axis.scale
    marks += axis.up(left)
    slot, taken = (WIDTH - left) / max(1, len(names)), 0.0
    lane, spots = slot * min(0.8 / max(1, len(lanes)), 0.8 if data.is_sequence else 0.4), []
    for number, name in enumerate(names):
        middle = left + slot * (number + 0.5)
        half = max(map(text_width, name)) / 2
        if not data.is_sequence or (middle - half >= taken and middle + half <= WIDTH):
            taken = middle + half + GAP
            for line, text in enumerate(name):
                base = bottom + FOOT + LINE * line
                marks += [Words(middle, base, text, anchor="middle")]
        for place, series in enumerate(lanes):
            x = middle + (place - (len(lanes) - 1) / 2) * lane
            marks += _in_lane(data, number, series, signs, scale, x, lane, stands=True)
            spots += [Spot(x - lane / 2, top, lane, PLOT, _says(data, series, number))]
    marks += [Line(((left, scale.at(0)), (WIDTH, scale.at(0))), "ink")]
    deepest = LINE * (max(map(len, names), default=1) - 1)
    return _picture(data, marks, spots, data.across, bottom + deepest)


def _lanes(data: ChartData) -> list[range]:
    """The places of the series that lie in each lane of a row."""
    count = len(data.series)
    if data.is_stacked:
        return [range(count)]
    return [range(place, place + 1) for place in range(count)]


def _in_lane(
    data: ChartData,
    number: int,
    series: range,
    signs: Sequence[_Sign],
    scale: Scale,
    middle: float,
    lane: float,
    *,
    stands: bool = False,
) -> Iterator[Mark]:
    """A value of a row, or a bar of several."""
    if not data.is_stacked:
        for place in series:
            value = data.series[place].values[number]
            yield from _value(value, data.kind, signs[place], scale, middle, lane, stands=stands)
        return
    below, reach = 0.0, 0.47 * lane
    for place in series:
        above = below + (data.series[place].values[number].value or 0.0)
        if above > below:
            low, high = scale.at(below), scale.at(above)
            first, last = (low, middle - reach), (high, middle + reach)
            yield from (
                _filled(first[::-1], last[::-1], signs[place])
                if stands
                else _filled(first, last, signs[place])
            )
        below = above


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
        yield Dot(*at(scale.at(value.value)), look, sign.shape or "circle", 3.0)


def _lines(data: ChartData) -> Picture:
    """Numbers from left to right, with a band for each series that is drawn whole."""
    signs = list(_signs(data))
    marks, top = _head([each.name for each in data.series], signs, data.up, _stroke)
    up, bottom = _axis_up(data, top), top + PLOT
    left, numbers = up.width + GAP, data.numbers
    if data.spacing == "logs":
        numbers = tuple(map(math.log10, numbers))
    if data.spacing == "numbers" or not numbers:
        least = 1.0 if all(number.is_integer() for number in map(float, numbers)) else 0.0
        across = axis_across(numbers, left, unit=data.number_unit, least=least, number=data.number)
    else:
        across = axis_of_names(numbers, data.names, left)
    marks += [*up.up(across.scale.begin, across.scale.end), *across.across(top, bottom)]
    order = sorted(range(len(numbers)), key=lambda number: numbers[number])
    spots = []
    for each, sign in zip(data.series, signs, strict=True):
        points = [(across.scale.at(numbers[number]), each.values[number]) for number in order]
        if each.stroke not in (None, "solid"):
            points = [(x, Value(value.value)) for x, value in points]
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
                says = f"{data.names[number]}\n{each.heading}: {each.shown[number]}"
                spots += [Spot(x - 5, y - 5, 10, 10, says)]
    return _picture(data, marks, spots, data.across, bottom)


def _numbers(data: ChartData) -> list[float | None]:
    """All that are drawn; bars begin at 0."""
    if data.is_stacked:
        rows = zip(*(series.values for series in data.series), strict=True)
        return [0.0, *(sum(value.value or 0.0 for value in row) for row in rows)]
    drawn = [end for series in data.series for value in series.values for end in value]
    return drawn if data.kind in ("points", "line") else [*drawn, 0.0]


def _least(data: ChartData) -> float:
    return 1.0 if data.is_counted else 0.0


def _axis_up(data: ChartData, top: float) -> Axis:
    return axis_between(
        _numbers(data),
        top + PLOT,
        top,
        unit=data.unit,
        low=data.low,
        high=data.high,
        least=_least(data),
        number=data.number,
    )


def _filled(corner: Point, other: Point, sign: _Sign) -> Iterator[Mark]:
    """A bar between two corners with its hatches, apart from its neighbours."""
    (left, right), (top, bottom) = (sorted(ends) for ends in zip(corner, other, strict=True))
    area = box(left, top, right - left, bottom - top, sign.look)
    yield area
    if sign.hatch:
        yield hatching(left, top, right - left, bottom - top, sign.hatch, "paper")
    yield Line((*area.points, area.points[0]), "paper")


def _says(data: ChartData, places: range, row: int) -> str:
    """The row and its series in a lane; of several, those that are part of its bar."""
    lane = [data.series[place] for place in places]
    shown = [each for each in lane if not data.is_stacked or each.values[row].value]
    return "\n".join([data.names[row], *(f"{each.heading}: {each.shown[row]}" for each in shown)])


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
    series: Sequence[str],
    signs: Sequence[_Sign],
    up: str,
    key: Callable[[_Sign, float, float], Iterator[Mark]],
) -> tuple[list[Mark], float]:
    """The names of the series, unless there is one alone, and what lies along the upright axis;
    where the plot begins."""
    marks: list[Mark] = []
    y = 0.0
    if len(series) > 1:
        names = [fitted(name, WIDTH - _KEY) for name in series]
        room = max(map(text_width, names)) + _KEY + GAP
        columns = max(1, min(len(names), int((WIDTH + GAP) / room)))
        for place, (name, sign) in enumerate(zip(names, signs, strict=True)):
            x, middle = room * (place % columns), LINE * (place // columns + 0.5)
            marks += key(sign, x, middle)
            marks += [Words(x + _KEY, middle + BASE, name)]
        y = LINE * -(-len(names) // columns) + 3
    for text in in_lines(up, WIDTH, _FEW) if up.strip() else ():
        marks += [Words(0, y + TEXT, text, "soft")]
        y += LINE
    return marks, y + GAP


def _point(sign: _Sign, x: float, y: float) -> Iterator[Mark]:
    yield Dot(x + _KEY / 2, y, sign.look, sign.shape or "circle", 3.0)


def _patch(sign: _Sign, x: float, y: float) -> Iterator[Mark]:
    yield from _filled((x, y - 4), (x + _KEY - 5, y + 4), sign)


def _stroke(sign: _Sign, x: float, y: float) -> Iterator[Mark]:
    yield Line(((x, y), (x + _KEY - 5, y)), sign.look, sign.stroke)
    if sign.shape:
        yield Dot(x + (_KEY - 5) / 2, y, sign.look, sign.shape, 3.0)
