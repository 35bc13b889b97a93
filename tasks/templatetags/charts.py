"""Charts drawn from the tables of a page: what a chart shows is what its table says.

`<figure class="chart" data-chart="bars" data-table="ID" data-title="…">` gets a picture of the
table with that id. Its first column names the rows, every other column is a series; a cell's number
is in data-value, its interval in data-low and data-high, and a cell without data-value is not
drawn. More on the figure:

- data-chart: bars (lying), columns (standing), points (lying, with intervals) or line
- data-unit: percent (of shares), count (whole numbers) or number
- data-min, data-max: the ends of the axis of values
- data-x: of a line: number, log or time; the number is in data-x of the cell that names the row
- data-x-title, data-y-title: what lies along the axes
- data-series: the columns to draw, separated by spaces, where not all are; the first column, which
  names the rows, is 0
- data-stacked: bars and columns on top of each other

On a column's th, data-colour is a number of tokens.css's series, "soft" or one of its steps, and
data-line "whole", "dashed" or "dotted" draws a line so and without marks. `<th data-undrawn>` and
`<tr data-undrawn>` stay out.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from html import unescape
from html.parser import HTMLParser
from typing import Final

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from tasks.templatetags.tables import in_tag
from tasks.web.number_texts import from_to, full
from tomahto.charts.chart_data import CHART_KINDS, ChartData, Series, Spacing, Value
from tomahto.charts.picture import SERIES, STEPS, Look, Stroke
from tomahto.charts.series_charts import series_chart
from tomahto.charts.svg import svg_of
from tomahto.charts.table import UNDEFINED

_FIGURE: Final = re.compile(
    r'<figure\s+class="chart"((?:\s+data-[a-z-]+(?:="[^"]*")?)+)\s*>\s*</figure>'
)
_ATTRIBUTE: Final = re.compile(r'([a-z-]+)(?:="([^"]*)")?')
_CELL: Final = re.compile(r'<t[hd]\b((?:[^>"]|"[^"]*")*)>(.*?)</t[hd]>', re.DOTALL)
_LOOKS: Final[Mapping[str, Look]] = {
    **{str(number): look for number, look in enumerate(SERIES, 1)},
    **{step: step for step in STEPS},
    "soft": "soft",
}
_STROKES: Final[Mapping[str, Stroke]] = {"whole": "solid", "dashed": "dashed", "dotted": "dotted"}
_SPACINGS: Final[Mapping[str, Spacing]] = {"number": "numbers", "time": "names", "log": "logs"}
_ASIDE: Final = {"unseen", "term", "explained"}  # classes of what is no part of a name
_PARTS: Final = {"interval", "n", "badge", "remark"}  # classes of what stands apart below or beside

Attributes = Mapping[str, str]


def with_charts(html: str) -> str:
    """A part of a page with pictures in its figures; one that has nothing to draw is left out.

    Raises ValueError if there is no table for a figure, or a table cannot be drawn so.
    """

    def drawn(figure: re.Match[str]) -> str:
        chart = chart_of(_attributes(figure[1]), html)
        return f'<figure class="chart">{svg_of(series_chart(chart))}</figure>' if chart else ""

    return _FIGURE.sub(drawn, html)


def _attributes(tag: str) -> Attributes:
    return {name: unescape(text) for name, text in _ATTRIBUTE.findall(tag)}


class _Cell:
    """A cell of a table; what it says is read where it is asked for, as most is never drawn."""

    def __init__(self, tag: str, content: str) -> None:
        self.attributes = _attributes(tag)
        self.content = content

    @cached_property
    def text(self) -> str:
        text = _Text()
        text.feed(self.content)
        text.close()
        return " ".join("".join(text.parts).split()).replace(" ,", ",")

    def number(self, name: str, factor: float = 1.0) -> float | None:
        text = self.attributes.get(name)
        return None if text is None else factor * float(text)


class _Text(HTMLParser):
    """The words of a cell: without what is beside a name, and with a comma before what stands below
    a number."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self._aside = 0  # elements around, from the one on that is no part of a name

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        classes = {*(dict(attrs).get("class") or "").split()}
        if tag == "br":
            self.handle_data(" ")
        elif self._aside or classes & _ASIDE:
            self._aside += 1
        elif classes & _PARTS:
            self.handle_data(", ")

    def handle_endtag(self, _tag: str) -> None:
        self._aside = max(0, self._aside - 1)

    def handle_data(self, data: str) -> None:
        if not self._aside:
            self.parts.append(data)


def _rows(html: str, key: str) -> list[tuple[str, list[_Cell]]]:
    """The tag and the cells of each row of the head and the body of a table."""
    begin = html.find(f'<table id="{key}"')
    end = html.find("</tbody>", begin)
    if begin < 0 or end < 0:
        raise ValueError(f"there is no table {key!r} for a chart")
    return [
        (row[: row.index(">")], [_Cell(*cell) for cell in _CELL.findall(row)])
        for row in html[begin:end].split("<tr")[1:]
    ]


def chart_of(asked: Attributes, html: str) -> ChartData | None:
    """The chart that a figure with these attributes shows of its table, which is in the HTML; None
    if no cell has a number."""
    unit, kind = asked.get("data-unit", "number"), asked["data-chart"]
    factor = 100.0 if unit == "percent" else 1.0
    (_, head), *body = _rows(html, asked["data-table"])
    rows = [cells for tag, cells in body if "data-undrawn" not in tag]
    chosen = [int(number) for number in asked.get("data-series", "").split()] or [
        place for place, cell in enumerate(head) if place and "data-undrawn" not in cell.attributes
    ]
    series = tuple(_series(head, rows, place, unit, factor) for place in chosen)
    if all(value.value is None for each in series for value in each.values):
        return None
    across, up = asked.get("data-x-title", ""), asked.get("data-y-title", "")
    is_upright = kind in ("columns", "line")
    if len(series) == 1 and not (up if is_upright else across):
        across, up = (across, series[0].name) if is_upright else (series[0].name, up)
    ends = (asked.get(name) for name in ("data-min", "data-max"))
    low, high = (None if end is None else factor * float(end) for end in ends)
    return ChartData(
        kind=next(known for known in CHART_KINDS if known == kind),
        title=asked["data-title"],
        across=across,
        up=up,
        names=tuple(row[0].text for row in rows),
        series=series,
        unit="%" if unit == "percent" else "",
        low=low,
        high=high,
        numbers=tuple(float(row[0].attributes["data-x"]) for row in rows) if kind == "line" else (),
        spacing=_SPACINGS[asked.get("data-x", "number")],
        is_stacked="data-stacked" in asked,
        is_sequence=kind == "columns",
        is_counted=unit == "count",
        number=full,
    )


def _series(
    head: Sequence[_Cell], rows: Sequence[Sequence[_Cell]], place: int, unit: str, factor: float
) -> Series:
    titled, cells = head[place], [row[place] for row in rows]
    colour, line = (titled.attributes.get(name) for name in ("data-colour", "data-line"))
    names = ("data-value", "data-low", "data-high")
    return Series(
        name=titled.text,
        heading=titled.text,
        values=tuple(Value(*(cell.number(name, factor) for name in names)) for cell in cells),
        shown=tuple(_cell_text(cell, unit) for cell in cells),
        look=None if colour is None else _LOOKS[colour],
        stroke=None if line is None else _STROKES[line],
    )


def _cell_text(cell: _Cell, unit: str) -> str:
    """The number of the cell as it is shown, with its interval, which may stand in a column of its
    own."""
    if cell.number("data-value") is None:
        return UNDEFINED
    low, high = cell.number("data-low"), cell.number("data-high")
    if low is None or high is None or 'class="interval"' in cell.content:
        return cell.text
    return f"{cell.text}, {from_to(low, high, as_share=unit == 'percent')}"


register = template.Library()


@register.simple_block_tag
def chart(content: str, kind: str, of: str, **options: object) -> SafeString:
    """A place for `charts` to draw the table with the id `of`; the block says what the chart shows.
    The options are the data of the figure: `x_title` is its data-x-title."""
    title = unescape(" ".join(content.split()))
    data = {"chart": kind, "table": of, "title": title, **options}
    named = {f"data-{name.replace('_', '-')}": value for name, value in data.items()}
    return format_html('<figure class="chart"{}></figure>', in_tag(named))


@register.simple_block_tag
def charts(content: str) -> SafeString:
    """A part of a page, with a picture in every figure that names one of its tables."""
    return mark_safe(with_charts(content))  # noqa: S308 - escapes every text  # nosec
