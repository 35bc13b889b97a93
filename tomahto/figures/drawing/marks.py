"""Marks that tell series apart also in black and white, and the legend that names them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from tomahto.figures.drawing.series import Series
from tomahto.figures.shapes import WIDTH, Box, Circle, Polygon, Shape, Text, shortened, text_width

_RADIUS = 3.6
_LINE, _SWATCH, _GAP = 18, 10, 16
_MARGIN = 12
_TOP = 14  # where a page without a legend begins


def mark(series: Series, x: float, y: float) -> Shape:
    """A circle, square, diamond or triangle round (x, y), in turn."""
    r, colour = _RADIUS, series.colour
    match series.place % 4:
        case 0:
            return Circle(x, y, r, colour)
        case 1:
            return Box(x - 0.9 * r, y - 0.9 * r, 1.8 * r, 1.8 * r, colour)
        case 2:
            d = 1.35 * r
            return Polygon(((x, y - d), (x + d, y), (x, y + d), (x - d, y)), colour)
        case _:
            d = 1.2 * r
            return Polygon(((x, y - d), (x + d, y + 0.8 * d), (x - d, y + 0.8 * d)), colour)


def swatch(series: Series, x: float, y: float) -> Shape:
    """A square round (x, y)."""
    return Box(x - _SWATCH / 2, y - _SWATCH / 2, _SWATCH, _SWATCH, series.colour)


@dataclass(frozen=True, slots=True)
class Legend:
    """Names beside their marks in as many lines as they take, and where they end; empty for one
    series, which the axis names."""

    shapes: tuple[Shape, ...]
    bottom: float


def legend(series: Sequence[Series], sign: Callable[[Series, float, float], Shape]) -> Legend:
    if len(series) < 2:
        return Legend((), _TOP)
    placed = list(_placed(series))
    shapes = [
        shape
        for each, name, x, y in placed
        for shape in (sign(each, x + _SWATCH / 2, y - 4), Text(x + _SWATCH + 5, y, name))
    ]
    return Legend(tuple(shapes), placed[-1][3] + _LINE - 6)


def _placed(series: Iterable[Series]) -> Iterator[tuple[Series, str, float, float]]:
    x, y = float(_MARGIN), 18.0
    for each in series:
        name = shortened(each.name, WIDTH - 2 * _MARGIN - _SWATCH - 5)
        width = _SWATCH + 5 + text_width(name)
        if x > _MARGIN and x + width > WIDTH - _MARGIN:
            x, y = _MARGIN, y + _LINE
        yield each, name, x, y
        x += width + _GAP
