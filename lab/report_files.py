"""A report as files: every table in three formats, every chart in two, and the whole."""

import json
from collections.abc import Iterator

from exporters.paper.csv_text import csv_table
from exporters.paper.files import PaperFile
from exporters.paper.latex import latex_table
from exporters.paper.markdown import markdown_table
from exporters.paper.table import PaperTable
from lab.report import LabReport, Section
from lab.report_json import report_as_json

MARKDOWN, JSON = "report.md", "report.json"


def report_files(report: LabReport) -> Iterator[PaperFile]:
    """The whole as Markdown and JSON, then each table."""
    yield PaperFile(MARKDOWN, report_markdown(report).encode())
    text = json.dumps(report_as_json(report), ensure_ascii=False, indent=1)
    yield PaperFile(JSON, f"{text}\n".encode())
    for section in report.sections:
        for table in section.tables:
            path = table_path(section, table)
            yield PaperFile(f"{path}.md", markdown_table(table).encode())
            yield PaperFile(f"{path}.tex", latex_table(table, path).encode())
            yield PaperFile(f"{path}.csv", csv_table(table).encode())


def report_markdown(report: LabReport) -> str:
    parts = [f"# {report.name}\n"]
    for section in report.sections:
        parts += [f"## {section.title}\n", f"{section.lead}\n"]
        parts += [markdown_table(table) for table in section.tables] or [f"{section.reason}\n"]
    return "\n".join(parts)


def table_path(section: Section, table: PaperTable) -> str:
    """The path of a table's files without their endings."""
    return f"tables/{section.key}-{table.key}"


def chart_path(section: Section, place: int) -> str:
    """The path of a chart's files without their endings; charts count from 0 in their section."""
    return f"figures/{section.key}-{place + 1}"
