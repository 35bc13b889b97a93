"""A picture as SVG inside a page: it takes the page's colours, prints, and needs no script.

The classes of the marks are their looks; the style sheet of the page says how these look. Whatever
says more lies above the drawing: a link, or a part that takes the focus, each with a name for
screen readers and a note that is seen while it is pointed at or has the focus.
"""

from collections.abc import Iterable, Iterator
from html import escape

from tomahto.charts.picture import (
    STROKES,
    TEXT,
    WIDTH,
    Area,
    Dot,
    Line,
    Mark,
    Picture,
    Spot,
    Strokes,
    Words,
    corners,
    in_lines,
)
from tomahto.charts.picture import text_width as width_of
from tomahto.charts.table import plain

_LINES = 4  # of one line of a note, at most
_PAD = 5.0  # around a note


def svg_of(picture: Picture) -> str:
    """The picture as an element `svg` of a page. Texts may hold anything."""
    size, name = f"{_n(WIDTH)} {_n(picture.height)}", _safe(picture.title)
    parts = [
        f'<svg class="picture" viewBox="0 0 {size}" role="group" aria-label="{name}">',
        '<g aria-hidden="true">',
        *map(_mark, picture.marks),
        "</g>",
        *(_spot(spot, picture.height) for spot in picture.spots),
        "</svg>",
    ]
    return "".join(parts)


def _mark(mark: Mark) -> str:
    match mark:
        case Line(points, look, stroke):
            dashes = " ".join(map(_n, STROKES[stroke]))
            dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
            return f'<path class="line {look}"{dashed} d="{_path(points)}"/>'
        case Strokes(ends, look):
            return f'<path class="line {look}" d="{"".join(map(_path, ends))}"/>'
        case Area(points, look):
            return f'<path class="{look}" d="{_path(points)}Z"/>'
        case Dot():
            return _dot(mark)
        case Words():
            return _words(mark)


def _path(points: Iterable[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in points)


def _dot(dot: Dot) -> str:
    x, y, size = dot.x, dot.y, dot.size
    if dot.shape == "circle":
        return f'<circle class="{dot.look}" cx="{_n(x)}" cy="{_n(y)}" r="{_n(size)}"/>'
    return f'<path class="{dot.look}" d="{_path(corners(dot))}Z"/>'


def _words(words: Words) -> str:
    looks = [*([] if words.look == "ink" else [words.look]), *(["bold"] if words.is_bold else [])]
    named = f' class="{" ".join(looks)}"' if looks else ""
    anchor = "" if words.anchor == "start" else f' text-anchor="{words.anchor}"'
    place = f'x="{_n(words.x)}" y="{_n(words.y)}"'
    return f"<text{named} {place}{anchor}>{_safe(words.text)}</text>"


def _spot(spot: Spot, height: float) -> str:
    text = "\n".join(map(_safe, spot.text.split("\n")))
    inner = (
        f'<rect class="spot" x="{_n(spot.x)}" y="{_n(spot.y)}" width="{_n(spot.width)}"'
        f' height="{_n(spot.height)}"/>{"".join(_note(spot, height))}'
    )
    if spot.address:
        return f'<a href="{escape(spot.address)}" aria-label="{text}">{inner}</a>'
    return f'<g tabindex="0" role="img" aria-label="{text}">{inner}</g>'


def _note(spot: Spot, height: float) -> Iterator[str]:
    """Below the spot, or above it where there is no room; in as many lines as it has."""
    # broken, as a shortened number would be another one
    lines = [
        line for part in spot.text.split("\n") for line in in_lines(part, WIDTH - 2 * _PAD, _LINES)
    ]
    width = max(map(width_of, lines)) + 2 * _PAD
    tall = len(lines) * (TEXT + 3) + _PAD
    x = min(max(0.0, spot.x + spot.width / 2 - width / 2), WIDTH - width)
    below = spot.y + spot.height + 2
    y = below if below + tall <= height else max(0.0, spot.y - tall - 2)
    yield f'<g class="note-box" aria-hidden="true"><rect x="{_n(x)}" y="{_n(y)}"'
    yield f' width="{_n(width)}" height="{_n(tall)}" rx="4"/>'
    for number, line in enumerate(lines):
        base = y + (number + 1) * (TEXT + 3) - 1
        yield f'<text x="{_n(x + _PAD)}" y="{_n(base)}">{_safe(line)}</text>'
    yield "</g>"


def _safe(text: str) -> str:
    """Words as a part of XML, without the characters that it cannot hold."""
    return escape(plain(text))


def _n(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")
