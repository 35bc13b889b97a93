"""A report as JSON, and back."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from exporters.paper.table import Cell, Column, PaperTable
from lab.report import LabReport, MetricSignature, Section, TableChart
from measures.estimate import Estimate, estimate_as_json, estimate_from_json


def report_as_json(report: LabReport) -> dict[str, Any]:
    """Everything in the report; cells with intervals are objects."""
    return {
        **{
            name: getattr(report, name)
            for name in ("name", "protocol", "digest", "items", "seed", "replicates", "tune_on")
        },
        "metrics": [asdict(metric) for metric in report.metrics],
        "sections": [_section(section) for section in report.sections],
    }


def report_from_json(content: Mapping[str, Any]) -> LabReport:
    """The report that `report_as_json` wrote."""
    return LabReport(
        **{
            **content,
            "metrics": tuple(MetricSignature(**metric) for metric in content["metrics"]),
            "sections": tuple(map(_section_of, content["sections"])),
        }
    )


def _section(section: Section) -> dict[str, Any]:
    return {
        "key": section.key,
        "title": section.title,
        "lead": section.lead,
        "reason": section.reason,
        "tables": [_table(table) for table in section.tables],
        "charts": [asdict(chart) for chart in section.charts],
    }


def _table(table: PaperTable) -> dict[str, Any]:
    rows = [[_cell(cell) for cell in row] for row in table.rows]
    return asdict(table) | {"rows": rows}


def _cell(cell: Cell) -> Any:
    return estimate_as_json(cell) if isinstance(cell, Estimate) else cell


def _section_of(content: Mapping[str, Any]) -> Section:
    return Section(
        **{
            **content,
            "tables": tuple(map(_table_of, content["tables"])),
            "charts": tuple(
                TableChart(**{**chart, "series": tuple(chart["series"])})
                for chart in content["charts"]
            ),
        }
    )


def _table_of(content: Mapping[str, Any]) -> PaperTable:
    return PaperTable(
        **{
            **content,
            "columns": tuple(Column(**column) for column in content["columns"]),
            "rows": tuple(tuple(map(_cell_of, row)) for row in content["rows"]),
            "notes": tuple(content["notes"]),
            "reasons": tuple(content["reasons"]),
        }
    )


def _cell_of(cell: Any) -> Cell:
    return estimate_from_json(cell) if isinstance(cell, dict) else cell
