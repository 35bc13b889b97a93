"""A report as JSON: what web pages, programs and `--json` read, and what it comes back from."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, get_args

from tomahto.figures.table import PaperTable
from tomahto.figures.table_chart import ChartKind, TableChart
from tomahto.lab.report import LabReport, MetricSignature, Section

FORMAT = 1
_CHART_KINDS: tuple[ChartKind, ...] = get_args(ChartKind)


def report_as_json(report: LabReport) -> dict[str, Any]:
    """All of the report; nothing in it is rounded."""
    return {
        "format": FORMAT,
        "name": report.name,
        "protocol": report.protocol,
        "digest": report.digest,
        "items": report.items,
        "metrics": [asdict(metric) for metric in report.metrics],
        "seed": report.seed,
        "replicates": report.replicates,
        "tune_on": report.tune_on,
        "sections": list(map(_section_as_json, report.sections)),
    }


def report_from_json(content: Mapping[str, Any]) -> LabReport:
    """The report that `report_as_json` wrote.

    Raises KeyError if a part is missing, and ValueError if it has another format or its parts
    contradict each other.
    """
    if content["format"] != FORMAT:
        raise ValueError(f"a report of format {content['format']!r}; {FORMAT} is known here")
    return LabReport(
        name=content["name"],
        protocol=content["protocol"],
        digest=content["digest"],
        items=content["items"],
        metrics=tuple(map(_metric_from_json, content["metrics"])),
        seed=content["seed"],
        replicates=content["replicates"],
        tune_on=content["tune_on"],
        sections=tuple(map(_section_from_json, content["sections"])),
    )


def _metric_from_json(content: Mapping[str, Any]) -> MetricSignature:
    return MetricSignature(content["metric"], content["version"], content["threshold"])


def _section_as_json(section: Section) -> dict[str, Any]:
    return {
        "key": section.key,
        "title": section.title,
        "lead": section.lead,
        "tables": [table.as_json() for table in section.tables],
        "charts": [asdict(chart) | {"series": list(chart.series)} for chart in section.charts],
        "reason": section.reason,
    }


def _section_from_json(content: Mapping[str, Any]) -> Section:
    return Section(
        key=content["key"],
        title=content["title"],
        lead=content["lead"],
        tables=tuple(map(PaperTable.from_json, content["tables"])),
        charts=tuple(map(_chart_from_json, content["charts"])),
        reason=content["reason"],
    )


def _chart_from_json(content: Mapping[str, Any]) -> TableChart:
    return TableChart(
        kind=_chart_kind(content["kind"]),
        table=content["table"],
        title=content["title"],
        label=content["label"],
        series=tuple(content["series"]),
        across=content["across"],
        up=content["up"],
        low=content["low"],
        high=content["high"],
    )


def _chart_kind(name: object) -> ChartKind:
    for kind in _CHART_KINDS:
        if name == kind:
            return kind
    raise ValueError(f"{name!r:.80} is none of {', '.join(_CHART_KINDS)}")
