"""A report as files: one text for readers, one document for programs, tables and figures."""

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from operator import attrgetter, itemgetter
from pathlib import Path

from tomahto.charts.chart_data import TableChart, chart_data
from tomahto.charts.chart_files import CHART_FORMATS, ChartFormat, chart_file
from tomahto.charts.rows import number, table_of, text
from tomahto.charts.table import PaperTable
from tomahto.charts.table_text import csv_table, escaped, latex_table, markdown_table
from tomahto.lab.report import LabReport, Section, report_as_json
from tomahto.releases.documents.document_files import FIGURES, TABLES, PaperFile
from tomahto.releases.files.folder import partial_folder

_KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")  # what is safe as a file's name everywhere

REPORT, DOCUMENT = "report.md", "report.json"


def report_files(report: LabReport) -> Iterator[PaperFile]:
    """Every file of the report: `report.md`, `report.json`, tables as Markdown, LaTeX and CSV, and
    figures as SVG, PNG and PDF.

    Raises ValueError if a table's key cannot name its files, or a chart has no table, and
    PackageMissingError without Matplotlib.
    """
    for path, make in _makers(report).items():
        yield make(path)


def report_file(report: LabReport, path: str) -> PaperFile:
    """One of these, made alone. Raises KeyError if there is none of that path."""
    return _makers(report)[path](path)


def report_paths(report: LabReport) -> tuple[str, ...]:
    """The paths of the files, which need not be made for it."""
    return tuple(_makers(report))


def figure_keys(sections: Iterable[Section]) -> dict[str, TableChart]:
    """The charts by the names of their files: a table's only chart is named after it, further
    ones with a number after that."""
    keys: dict[str, TableChart] = {}
    for section in sections:
        for chart in section.charts:
            before = sum(other.table == chart.table for other in keys.values())
            keys[f"{chart.table}_{before + 1}" if before else chart.table] = chart
    return keys


def section_files(section: Section) -> Iterator[PaperFile]:
    """The tables and figures of a section that stands alone, under the paths they have in a report.

    Raises ValueError as `report_files` does.
    """
    for path, make in _makers_of([section], section.tables, section.key).items():
        yield make(path)


def write_files(files: Iterable[PaperFile], folder: Path) -> None:
    """Write the files into a new folder, which is there whole or not at all.

    Raises ValueError if something is there already that is no empty folder, OSError if the disk
    refuses.
    """
    check_free(folder)
    target = folder.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    with partial_folder(target) as partial:
        for file in files:
            place = partial / file.path
            place.parent.mkdir(exist_ok=True)
            place.write_bytes(file.content)
        partial.rename(target)


def check_free(folder: Path) -> None:
    """Raises ValueError if a report cannot be written there."""
    if os.path.lexists(folder) and not (folder.is_dir() and not any(folder.iterdir())):
        raise ValueError(f"{folder} already exists and is not an empty folder")


_Maker = Callable[[str], PaperFile]


def _makers(report: LabReport) -> Mapping[str, _Maker]:
    own = (data_table(report), signatures_table(report))
    tables = (*own, *(table for section in report.sections for table in section.tables))
    figures = {f"{FIGURES}{key}.svg": each for key, each in figure_keys(report.sections).items()}
    return {
        REPORT: lambda path: PaperFile(path, report_markdown(report, figures).encode()),
        DOCUMENT: partial(_document, report),
        **_makers_of(report.sections, tables, report.name),
    }


def _makers_of(
    sections: Sequence[Section], tables: Iterable[PaperTable], name: str
) -> Mapping[str, _Maker]:
    """Those of tables, and of the charts of them; LaTeX labels begin with the name."""
    by_key: dict[str, PaperTable] = {}
    makers: dict[str, _Maker] = {}
    for table in tables:
        if not _KEY.fullmatch(table.key):
            raise ValueError(f"{table.key!r:.80} cannot name a file")
        if table.key in by_key:
            raise ValueError(f"two tables have the key {table.key}")
        by_key[table.key] = table
        makers |= _table_makers(table, name)
    for key, chart in figure_keys(sections).items():
        if chart.table not in by_key:
            raise ValueError(f"a chart refers to the missing table {chart.table}")
        for kind in CHART_FORMATS:
            makers[f"{FIGURES}{key}.{kind}"] = partial(_figure, chart, by_key[chart.table], kind)
    return makers


def _figure(chart: TableChart, table: PaperTable, kind: ChartFormat, path: str) -> PaperFile:
    return PaperFile(path, chart_file(chart_data(chart, table), kind))


def _document(report: LabReport, path: str) -> PaperFile:
    content = json.dumps(report_as_json(report), ensure_ascii=False, indent=1)
    return PaperFile(path, f"{content}\n".encode())


def _table_makers(table: PaperTable, name: str) -> dict[str, _Maker]:
    path = f"{TABLES}{table.key}"
    label = re.sub(r"[^A-Za-z0-9-]", "-", f"{name}-{table.key}")
    return {
        f"{path}.md": lambda path: PaperFile(path, markdown_table(table).encode()),
        f"{path}.tex": lambda path: PaperFile(path, latex_table(table, label).encode()),
        f"{path}.csv": lambda path: PaperFile(path, csv_table(table).encode(), len(table.rows)),
    }


def data_table(report: LabReport) -> PaperTable:
    """The basis of the report."""
    facts = {
        "Data": report.name,
        "Protocol": report.protocol,
        "Digest": report.digest,
        "Items": f"{report.items:,}",
        "Thresholds tuned on": "the very items they are judged on"
        if report.tune_on is None
        else f"the split {report.tune_on}, and judged on the others",
        "Bootstrap": f"{report.replicates:,} replicates over questions, seed {report.seed}",
    }
    return table_of(
        "report",
        "Basis of this report",
        facts.items(),
        text("what", "Fact", itemgetter(0)),
        text("value", "Value", itemgetter(1)),
        notes="Brackets hold 95 % intervals. Questions are drawn, not items: answers to one"
        " question are not independent.",
        source="the data with this digest",
    )


def signatures_table(report: LabReport) -> PaperTable:
    """The metrics with their versions and thresholds."""
    return table_of(
        "signatures",
        "Metrics with their signatures",
        report.metrics,
        text("metric", "Metric", attrgetter("metric")),
        text("version", "Version", attrgetter("version")),
        number("threshold", "Threshold", attrgetter("threshold")),
        notes="A version changes whenever a score could. To a metric an item is right if its"
        " score is at least the threshold.",
        source="the metrics themselves",
    )


def report_markdown(report: LabReport, figures: Mapping[str, TableChart]) -> str:
    """The whole report; `figures` are its charts by the path of each, which is linked."""
    parts = [
        f"# Report on {escaped(report.name)}\n",
        markdown_table(data_table(report)),
        markdown_table(signatures_table(report)),
        *(part for section in report.sections for part in _section(section, figures)),
    ]
    return "\n".join(parts)


def _section(section: Section, figures: Mapping[str, TableChart]) -> Iterator[str]:
    yield f"## {escaped(section.title)}\n"
    yield f"{escaped(section.lead)}\n"
    if section.reason:
        yield f"{escaped(section.reason)}\n"
    for table in section.tables:
        yield markdown_table(table)
        for path, chart in figures.items():
            if chart.table == table.key:
                yield f"![{escaped(chart.title)}]({path})\n"
