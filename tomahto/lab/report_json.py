"""A report as JSON: what web pages, programs and `--json` read, and what it comes back from."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any, get_args

from tomahto.figures.table import PaperTable, one_of
from tomahto.figures.table_chart import ChartKind, TableChart
from tomahto.lab.report import LabReport, MetricSignature, Section

FORMAT = 1
_CHART_KINDS: tuple[ChartKind, ...] = get_args(ChartKind)


def report_as_json(report: LabReport) -> dict[str, Any]:
    """All of the report by the names of its fields; nothing in it is rounded."""
    return {"format": FORMAT, **_as_json(report)}


def report_from_json(content: Mapping[str, Any]) -> LabReport:
    """The report that `report_as_json` wrote.

    Raises KeyError if a part is missing, and ValueError if it has another format or its parts
    contradict each other.
    """
    if content["format"] != FORMAT:
        raise ValueError(f"a report of format {content['format']!r}; this version reads {FORMAT}")
    parts = _parts(LabReport, content)
    metrics = (MetricSignature(**_parts(MetricSignature, each)) for each in parts["metrics"])
    sections = map(_section_from_json, parts["sections"])
    return LabReport(**parts | {"metrics": tuple(metrics), "sections": tuple(sections)})


def _as_json(value: Any) -> Any:
    if isinstance(value, PaperTable):
        return value.as_json()
    if isinstance(value, tuple):
        return list(map(_as_json, value))
    if is_dataclass(value):
        return {each.name: _as_json(getattr(value, each.name)) for each in fields(value)}
    return value


def _parts(kind: type[LabReport | MetricSignature | Section | TableChart], content: Any) -> Any:
    """What the content has under the names of the fields."""
    return {each.name: content[each.name] for each in fields(kind)}


def _section_from_json(content: Mapping[str, Any]) -> Section:
    parts = _parts(Section, content)
    tables, charts = map(PaperTable.from_json, parts["tables"]), map(_chart, parts["charts"])
    return Section(**parts | {"tables": tuple(tables), "charts": tuple(charts)})


def _chart(content: Mapping[str, Any]) -> TableChart:
    parts = _parts(TableChart, content)
    kind, series = one_of(_CHART_KINDS, parts["kind"]), tuple(parts["series"])
    return TableChart(**parts | {"kind": kind, "series": series})
