"""The sections of a report as a page shows them: tables whose cells the charts are drawn from."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import NamedTuple

from tasks.web.number_texts import count, decimals, percent
from tomahto.estimates.estimate import Estimate
from tomahto.figures.table import UNDEFINED, Cell, Column, ColumnKind, PaperTable
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
_NAME = 40  # characters


class Export(NamedTuple):
    """A file of a table or of a chart: its format, and its path."""

    format: str
    path: str


@dataclass(frozen=True, slots=True)
class ShownCell:
    """A cell in words; `interval` has the ends of an estimate's, and `x` is where its row lies
    along an axis of numbers."""

    content: Cell
    text: str
    is_text: bool
    interval: tuple[str, str] | None = None
    x: Cell = None

    @property
    def drawn(self) -> float | Estimate | None:
        """What a chart may draw of it."""
        return None if isinstance(self.content, str) else self.content

    @property
    def look(self) -> str:
        """Its class: of numbers, and of what needs room for more than a name."""
        if not self.is_text:
            return "number-cell"
        return "words" if len(self.text) > _NAME else "name"


@dataclass(frozen=True, slots=True)
class ShownChart:
    """A chart of columns of a table, counted from 0 (static/js/charts.js)."""

    chart: TableChart
    names: int
    series: tuple[int, ...]
    unit: ColumnKind
    is_along_numbers: bool
    exports: tuple[Export, ...]


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
        return bool(self.charts) and len(self.rows) > _LONG


@dataclass(frozen=True, slots=True)
class ShownSection:
    section: Section
    tables: tuple[ShownTable, ...]


def shown_section(report: LabReport, section: Section, paths: Set[str]) -> ShownSection:
    """With the files among `paths` that each table and chart can be taken away as."""
    keys = figure_keys(report.sections)
    return ShownSection(section, tuple(_tables(section, keys, paths)))


def exports(path: str, paths: Set[str]) -> tuple[Export, ...]:
    """The files among `paths` that have this path but for its ending."""
    named = {f"{path}.{ending}": title for ending, title in _FORMATS.items()}
    return tuple(Export(title, each) for each, title in named.items() if each in paths)


def _tables(
    section: Section, figures: Mapping[str, TableChart], paths: Set[str]
) -> Iterator[ShownTable]:
    for table in section.tables:
        charts = tuple(
            _chart(chart, table, exports(f"{FIGURES}{key}", paths))
            for key, chart in figures.items()
            if chart.table == table.key
        )
        along = {chart.names for chart in charts if chart.is_along_numbers}
        yield ShownTable(
            place=f"{section.key}-{table.key}",
            table=table,
            rows=tuple(_row(table.columns, row, along) for row in table.rows),
            charts=charts,
            exports=exports(f"{TABLES}{table.key}", paths),
        )


def _row(columns: Sequence[Column], row: Sequence[Cell], along: Set[int]) -> tuple[ShownCell, ...]:
    cells = map(_cell, columns, row)
    return tuple(
        replace(cell, x=cell.content) if place in along else cell
        for place, cell in enumerate(cells)
    )


def _chart(chart: TableChart, table: PaperTable, exports: tuple[Export, ...]) -> ShownChart:
    places = {column.key: place for place, column in enumerate(table.columns)}
    names, series = places[chart.label], tuple(places[key] for key in chart.series)
    return ShownChart(
        chart=chart,
        names=names,
        series=series,
        unit=table.columns[series[0]].kind,
        is_along_numbers=not table.columns[names].is_text,
        exports=exports,
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
