"""A section of a report as a page shows it: tables, with the charts that are drawn of them."""

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.safestring import SafeString, mark_safe

from tasks.web.number_texts import count, decimals, percent
from tomahto.estimates.estimate import Estimate
from tomahto.figures.chart_data import chart_data
from tomahto.figures.picture import Picture
from tomahto.figures.series_charts import series_chart
from tomahto.figures.svg import svg_of
from tomahto.figures.table import UNDEFINED, Cell, Column, PaperTable
from tomahto.figures.table_chart import TableChart
from tomahto.lab.report import LabReport, Section
from tomahto.lab.report_files import figure_keys
from tomahto.releases.documents.paper_files import FIGURES, TABLES

_FORMATS = {
    "md": "Markdown",
    "tex": "LaTeX",
    "csv": "CSV",
    "json": "JSON",
    "svg": "SVG",
    "png": "PNG",
    "pdf": "PDF",
}
_LONG = 15  # rows


class Export(NamedTuple):
    """A file of a table or of a chart: its format, and its path."""

    format: str
    path: str


@dataclass(frozen=True, slots=True)
class ShownCell:
    """A cell in words; `interval` has the ends of an estimate's."""

    content: Cell
    text: str
    is_text: bool
    interval: tuple[str, str] | None = None

    @property
    def drawn(self) -> float | Estimate | None:
        """Its number, if it is one."""
        return None if isinstance(self.content, str) else self.content


@dataclass(frozen=True, slots=True)
class ShownChart:
    """A chart of columns of a table, and its files."""

    picture: Picture
    exports: tuple[Export, ...]

    @property
    def svg(self) -> SafeString:
        return mark_safe(svg_of(self.picture))  # noqa: S308 - escapes every text  # nosec


@dataclass(frozen=True, slots=True)
class ShownTable:
    """`place` is unique on the page."""

    place: str
    table: PaperTable
    rows: tuple[tuple[ShownCell, ...], ...]
    charts: tuple[ShownChart, ...]
    exports: tuple[Export, ...]

    @property
    def is_long(self) -> bool:
        """Whether its numbers would keep readers from what comes after its charts."""
        return len(self.rows) > _LONG


@dataclass(frozen=True, slots=True)
class ShownSection:
    section: Section
    tables: tuple[ShownTable, ...]


def shown_section(report: LabReport, section: Section, paths: Set[str]) -> ShownSection:
    """With the files among `paths` that each table and chart can be taken away as."""
    return ShownSection(section, tuple(_tables(section, figure_keys(report.sections), paths)))


def exports(path: str, paths: Set[str]) -> tuple[Export, ...]:
    """The files among `paths` that have this path but for its ending."""
    named = {f"{path}.{ending}": title for ending, title in _FORMATS.items()}
    return tuple(Export(title, each) for each, title in named.items() if each in paths)


def _tables(
    section: Section, figures: Mapping[str, TableChart], paths: Set[str]
) -> Iterator[ShownTable]:
    for table in section.tables:
        yield ShownTable(
            place=f"{section.key}-{table.key}",
            table=table,
            rows=tuple(tuple(map(_cell, table.columns, row)) for row in table.rows),
            charts=tuple(
                ShownChart(
                    series_chart(chart_data(chart, table)), exports(f"{FIGURES}{key}", paths)
                )
                for key, chart in figures.items()
                if chart.table == table.key
            ),
            exports=exports(f"{TABLES}{table.key}", paths),
        )


def _cell(column: Column, cell: Cell) -> ShownCell:
    if not isinstance(cell, Estimate):
        return ShownCell(cell, _text(column, cell), column.is_text)
    interval = None
    if cell.low is not None:
        interval = (_text(column, cell.low), _text(column, cell.high))
    return ShownCell(cell, _text(column, cell.value), column.is_text, interval)


def _text(column: Column, cell: str | float | None) -> str:
    """As readers of the page's language write it, with as many decimals as in the files."""
    if cell is None:
        return UNDEFINED
    if isinstance(cell, str):
        return cell
    if column.kind == "count":
        return count(round(cell))
    return percent(cell, 1) if column.kind == "percent" else decimals(cell, 3)
