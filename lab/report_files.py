"""A report as files: one text for readers, one document for programs, tables and figures."""

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from exporters.paper.csv_text import csv_table
from exporters.paper.files import FIGURES, TABLES, PaperFile
from exporters.paper.latex import latex_table
from exporters.paper.markdown import markdown_table
from exporters.paper.png import png_chart
from exporters.paper.svg import svg_chart
from exporters.paper.table import PaperTable
from exporters.partial_folder import partial_folder
from lab.chart import drawn_chart
from lab.report import LabReport, TableChart
from lab.report_json import report_as_json
from lab.report_text import data_table, report_markdown, signatures_table

_KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")  # what is safe as a file's name everywhere

REPORT, DOCUMENT = "report.md", "report.json"


def report_files(report: LabReport) -> Iterator[PaperFile]:
    """Every file of the report: `report.md`, `report.json`, tables as Markdown, LaTeX and CSV, and
    figures as SVG and PNG. Raises ValueError if a table's key cannot name its files, or a chart has
    no table."""
    for path, make in _makers(report).items():
        yield make(path)


def report_file(report: LabReport, path: str) -> PaperFile:
    """One of these, made alone. Raises KeyError if there is none of that path."""
    return _makers(report)[path](path)


def report_paths(report: LabReport) -> tuple[str, ...]:
    """The paths of the files, which need not be made for it."""
    return tuple(_makers(report))


def figure_keys(report: LabReport) -> dict[str, TableChart]:
    """The charts by the names of their files: a table's only chart is named after it, further
    ones with a number after that."""
    keys: dict[str, TableChart] = {}
    for section in report.sections:
        for chart in section.charts:
            before = sum(other.table == chart.table for other in keys.values())
            keys[f"{chart.table}_{before + 1}" if before else chart.table] = chart
    return keys


def write_report(report: LabReport, folder: Path) -> None:
    """Write the files into a new folder, which is there whole or not at all.

    Raises ValueError if something is there already that is no empty folder, OSError if the disk
    refuses.
    """
    check_free(folder)
    target = folder.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    with partial_folder(target) as partial:
        for file in report_files(report):
            place = partial / file.path
            place.parent.mkdir(exist_ok=True)
            place.write_bytes(file.content)
        partial.rename(target)


def check_free(folder: Path) -> None:
    """Raises ValueError if a report cannot be written there."""
    if os.path.lexists(folder) and not (folder.is_dir() and not any(folder.iterdir())):
        raise ValueError(f"{folder} is there already and is no empty folder")


_Maker = Callable[[str], PaperFile]


def _makers(report: LabReport) -> Mapping[str, _Maker]:
    """What makes each file, by path."""
    tables = _tables(report)
    makers: dict[str, _Maker] = {
        REPORT: lambda path: PaperFile(path, _markdown(report).encode()),
        DOCUMENT: lambda path: PaperFile(path, _document(report).encode()),
    }
    for table in tables.values():
        makers |= _table_makers(table, report.name)
    for key, chart in figure_keys(report).items():
        if chart.table not in tables:
            raise ValueError(f"a chart is of the table {chart.table}, which is not there")
        makers |= _figure_makers(key, chart, tables[chart.table])
    return makers


def _markdown(report: LabReport) -> str:
    figures = {f"{FIGURES}{key}.svg": chart for key, chart in figure_keys(report).items()}
    return report_markdown(report, figures)


def _document(report: LabReport) -> str:
    return json.dumps(report_as_json(report), ensure_ascii=False, indent=1) + "\n"


def _tables(report: LabReport) -> Mapping[str, PaperTable]:
    tables: dict[str, PaperTable] = {}
    own = (data_table(report), signatures_table(report))
    for table in (*own, *(table for section in report.sections for table in section.tables)):
        if not _KEY.fullmatch(table.key):
            raise ValueError(f"{table.key!r:.80} cannot name a file")
        if table.key in tables:
            raise ValueError(f"two tables have the key {table.key}")
        tables[table.key] = table
    return tables


def _table_makers(table: PaperTable, name: str) -> dict[str, _Maker]:
    path = f"{TABLES}{table.key}"
    label = re.sub(r"[^A-Za-z0-9-]", "-", f"{name}-{table.key}")
    return {
        f"{path}.md": lambda path: PaperFile(path, markdown_table(table).encode()),
        f"{path}.tex": lambda path: PaperFile(path, latex_table(table, label).encode()),
        f"{path}.csv": lambda path: PaperFile(path, csv_table(table).encode(), len(table.rows)),
    }


def _figure_makers(key: str, chart: TableChart, table: PaperTable) -> dict[str, _Maker]:
    return {
        f"{FIGURES}{key}.svg": lambda path: PaperFile(
            path, svg_chart(drawn_chart(chart, table)).encode()
        ),
        f"{FIGURES}{key}.png": lambda path: PaperFile(path, png_chart(drawn_chart(chart, table))),
    }
