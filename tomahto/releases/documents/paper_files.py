"""The tables and figures of a release as files."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tomahto.figures.chart import StackedBars
from tomahto.figures.chart_files import CHART_FORMATS, ChartFormat, chart_file
from tomahto.figures.csv_text import csv_table
from tomahto.figures.latex import latex_table
from tomahto.figures.markdown import markdown_table
from tomahto.figures.table import PaperTable
from tomahto.releases.documents.release_tables import histogram_of, paper_tables
from tomahto.text.same_answer import ExactRule

TABLES, FIGURES = "tables/", "figures/"  # the folders; nothing else is in them


@dataclass(frozen=True, slots=True)
class PaperFile:
    """A file with a path inside the release; `rows` if it is CSV."""

    path: str
    content: bytes
    rows: int | None = None


def paper_files(
    campaign: str,
    statistics: Mapping[str, Any],
    agreement: Mapping[str, Any],
    rule: ExactRule = ExactRule.STRICT,
) -> Iterator[PaperFile]:
    """Every table in three formats and every figure in three, made of what is in `statistics.json`
    and `agreement.json`, of a release whose answers are exact by the rule. Raises
    PackageMissingError without Matplotlib.
    """
    yield from table_files(campaign, statistics, agreement, rule)
    for path, (chart, kind) in figure_charts(statistics).items():
        yield PaperFile(path, chart_file(chart, kind))


def table_files(
    campaign: str,
    statistics: Mapping[str, Any],
    agreement: Mapping[str, Any],
    rule: ExactRule = ExactRule.STRICT,
) -> Iterator[PaperFile]:
    for table in paper_tables(statistics, agreement, rule):
        yield from _table_files(table, campaign)


def figure_charts(statistics: Mapping[str, Any]) -> dict[str, tuple[StackedBars, ChartFormat]]:
    """What each figure's file shows, by path. There is no histogram where no item has a reference
    to be compared with."""
    chart = f1_chart(statistics)
    if not chart.highest:
        return {}
    return {f"{FIGURES}f1_histogram.{kind}": (chart, kind) for kind in CHART_FORMATS}


def f1_chart(statistics: Mapping[str, Any]) -> StackedBars:
    """Items by token F1, coloured by label or reading (Bulian et al. 2022, Fig. 1)."""
    key, histogram = histogram_of(statistics)
    items = sum(map(sum, histogram["labels"].values()))
    return StackedBars(
        title="Items by token F1 of candidate and reference, coloured by label",
        across="Token F1",
        up="Items",
        edges=histogram["edges"],
        layers=histogram["labels"],
        description=f"n = {items:,} items. Source: statistics.json, {key}.",
    )


def _table_files(table: PaperTable, campaign: str) -> Iterator[PaperFile]:
    path = f"{TABLES}{table.key}"
    label = re.sub(r"[^A-Za-z0-9-]", "-", f"{campaign}-{table.key}")
    yield PaperFile(f"{path}.md", markdown_table(table).encode())
    yield PaperFile(f"{path}.tex", latex_table(table, label).encode())
    yield PaperFile(f"{path}.csv", csv_table(table).encode(), len(table.rows))
