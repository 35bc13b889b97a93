"""A chart as SVG: the same bytes for the same chart, on every machine."""

from xml.sax.saxutils import escape, quoteattr

from exporters.paper.chart import FONT_SIZE, HEIGHT, INK, WIDTH, Box, Shape, StackedBars
from exporters.paper.words import plain


def svg_chart(chart: StackedBars) -> str:
    lines = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}"'
            f' viewBox="0 0 {WIDTH} {HEIGHT}" role="img" font-family="Helvetica, Arial, sans-serif"'
            f' font-size="{FONT_SIZE}" fill="{INK}">'
        ),
        f"<title>{escape(plain(chart.title))}</title>",
        *map(_element, chart.shapes()),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _element(shape: Shape) -> str:
    if isinstance(shape, Box):
        return (
            f'<rect x="{_number(shape.x)}" y="{_number(shape.y)}" width="{_number(shape.width)}"'
            f' height="{_number(shape.height)}" fill={quoteattr(shape.colour)}/>'
        )
    x, y = _number(shape.x), _number(shape.y)
    turn = f' transform="rotate(-90 {x} {y})"' if shape.is_upright else ""
    text = escape(plain(shape.text))
    return f'<text x="{x}" y="{y}" text-anchor="{shape.anchor}"{turn}>{text}</text>'


def _number(value: float) -> str:
    """At most two decimals: a hundredth of a unit is less than anybody sees."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
