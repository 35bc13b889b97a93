"""A report as one Markdown text, for readers."""

from collections.abc import Iterator, Mapping

from tomahto.figures.markdown import escaped, markdown_table
from tomahto.figures.table import Column, PaperTable
from tomahto.figures.table_chart import TableChart
from tomahto.lab.report import LabReport, Section


def data_table(report: LabReport) -> PaperTable:
    """The basis of the report."""
    facts = {
        "Data": report.name,
        "Protocol": report.protocol,
        "Digest": report.digest,
        "Items": f"{report.items:,}",
        "Thresholds tuned on": _tuned_on(report),
        "Bootstrap": f"{report.replicates:,} replicates over questions, seed {report.seed}",
    }
    return PaperTable(
        key="report",
        title="Basis of this report",
        columns=(Column("what", "Fact", "text"), Column("value", "Value", "text")),
        rows=tuple(facts.items()),
        notes=(
            (
                "Brackets hold 95 % intervals. Questions are drawn, not items: answers to one"
                " question are not independent."
            ),
        ),
        source="the data with this digest",
    )


def signatures_table(report: LabReport) -> PaperTable:
    """Which metrics, exactly."""
    return PaperTable(
        key="signatures",
        title="Metrics with their signatures",
        columns=(
            Column("metric", "Metric", "text"),
            Column("version", "Version", "text"),
            Column("threshold", "Threshold", "number"),
        ),
        rows=tuple((each.metric, each.version, each.threshold) for each in report.metrics),
        notes=(
            (
                "A version changes whenever a score could. To a metric an item is right if its"
                " score is at least the threshold."
            ),
        ),
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


def _tuned_on(report: LabReport) -> str:
    if report.tune_on is None:
        return "the very items they are judged on"
    return f"the split {report.tune_on}, and judged on the others"
