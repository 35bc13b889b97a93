"""A chart as SVG: the same bytes for the same chart, on every machine."""

from xml.sax.saxutils import escape, quoteattr  # nosec B406 - writes XML, reads none

from tomahto.figures.shapes import (
    FONT_SIZE,
    INK,
    Box,
    Chart,
    Circle,
    Line,
    Polygon,
    Shape,
    Text,
)
from tomahto.figures.words import plain


def svg_chart(chart: Chart) -> str:
    lines = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{chart.width}"'
            f' height="{chart.height}" viewBox="0 0 {chart.width} {chart.height}" role="img"'
            ' font-family="Helvetica, Arial, sans-serif"'
            f' font-size="{FONT_SIZE}" fill="{INK}">'
        ),
        f"<title>{escape(plain(chart.title))}</title>",
        *map(_element, chart.shapes()),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _element(shape: Shape) -> str:
    match shape:
        case Box():
            return (
                f'<rect x="{_number(shape.x)}" y="{_number(shape.y)}"'
                f' width="{_number(shape.width)}" height="{_number(shape.height)}"'
                f" fill={quoteattr(shape.colour)}/>"
            )
        case Line():
            return (
                f'<line x1="{_number(shape.x)}" y1="{_number(shape.y)}"'
                f' x2="{_number(shape.to_x)}" y2="{_number(shape.to_y)}"'
                f" stroke={quoteattr(shape.colour)}"
                f' stroke-width="{_number(shape.width)}" stroke-linecap="round"/>'
            )
        case Circle():
            return (
                f'<circle cx="{_number(shape.x)}" cy="{_number(shape.y)}"'
                f' r="{_number(shape.radius)}" fill={quoteattr(shape.colour)}/>'
            )
        case Polygon():
            return _polygon(shape)
        case Text():
            return _text(shape)


def _polygon(polygon: Polygon) -> str:
    points = " ".join(f"{_number(x)},{_number(y)}" for x, y in polygon.corners)
    see_through = f' fill-opacity="{_number(polygon.opacity)}"' if polygon.opacity < 1 else ""
    return f'<polygon points="{points}" fill={quoteattr(polygon.colour)}{see_through}/>'


def _text(text: Text) -> str:
    x, y, words = _number(text.x), _number(text.y), escape(plain(text.text))
    turn = f' transform="rotate(-90 {x} {y})"' if text.is_upright else ""
    return f'<text x="{x}" y="{y}" text-anchor="{text.anchor}"{turn}>{words}</text>'


def _number(value: float) -> str:
    """At most two decimals: a hundredth of a unit is less than anybody sees."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
