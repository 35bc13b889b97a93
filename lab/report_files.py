"""A report as files: the whole for readers and for programs, and every table in three formats."""

import json
from collections.abc import Callable, Iterator, Mapping

from exporters.paper.csv_text import csv_table
from exporters.paper.files import TABLES, PaperFile
from exporters.paper.latex import latex_table
from exporters.paper.markdown import markdown_table
from exporters.paper.table import PaperTable
from lab.report import LabReport, TableChart
from lab.report_json import report_as_json

REPORT, DOCUMENT = "report.md", "report.json"


def report_files(report: LabReport) -> Iterator[PaperFile]:
    for path, make in _makers(report).items():
        yield PaperFile(path, make().encode())


def report_file(report: LabReport, path: str) -> PaperFile:
    """One of these, made alone. Raises KeyError if there is none of that path."""
    return PaperFile(path, _makers(report)[path]().encode())


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


def _makers(report: LabReport) -> Mapping[str, Callable[[], str]]:
    makers: dict[str, Callable[[], str]] = {
        REPORT: lambda: _markdown(report),
        DOCUMENT: lambda: json.dumps(report_as_json(report), ensure_ascii=False) + "\n",
    }
    for section in report.sections:
        for table in section.tables:
            makers |= _of_table(table)
    return makers


def _of_table(table: PaperTable) -> dict[str, Callable[[], str]]:
    path = f"{TABLES}{table.key}"
    return {
        f"{path}.md": lambda: markdown_table(table),
        f"{path}.tex": lambda: latex_table(table, table.key),
        f"{path}.csv": lambda: csv_table(table),
    }


def _markdown(report: LabReport) -> str:
    parts = [f"# Report on {report.name}\n"]
    for section in report.sections:
        parts += [f"## {section.title}\n", f"{section.lead}\n", f"{section.reason}\n"]
        parts += map(markdown_table, section.tables)
    return "\n".join(parts)
