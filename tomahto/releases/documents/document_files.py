"""The documents of a release as files: the datasheet with how to cite and to use the release, and
tables and figures for papers.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tomahto.charts.agreement_charts import Interval, PairCell, Wording, interval_chart, pair_chart
from tomahto.charts.chart_data import StackedBars
from tomahto.charts.chart_files import Chart, chart_files
from tomahto.charts.picture import Picture
from tomahto.charts.table import MINUS, UNDEFINED, PaperTable
from tomahto.charts.table_text import csv_table, latex_table, markdown_table
from tomahto.estimates.bootstrap import FEW
from tomahto.estimates.estimate import estimate_from_json
from tomahto.releases.dataset.dataset import Dataset
from tomahto.releases.documents.citation import CITATION, LICENCE, citation_cff, licence_page
from tomahto.releases.documents.datasheet import (
    DATASHEET,
    DATASHEET_PAGE,
    Datasheet,
    datasheet_page,
    release_datasheet,
)
from tomahto.releases.documents.release_tables import histogram_of, paper_tables
from tomahto.releases.figures.figures import is_same
from tomahto.releases.files.text_files import json_document
from tomahto.releases.stored.manifest import MANIFEST, Manifest
from tomahto.text.normalisation import ExactRule

Figures = Mapping[str, Any]


def datasheet_files(sheet: Datasheet) -> Iterator[tuple[str, str]]:
    """Paths and texts. Without authors there is no citation: the format wants one, and none is
    made up."""
    content = sheet.as_json()
    licence = sheet.platform["licence"]["licence"]
    yield DATASHEET, json_document(content)
    yield DATASHEET_PAGE, datasheet_page(content)
    yield LICENCE, licence_page(licence)
    if sheet.authors:
        yield CITATION, citation_cff(sheet.heading, licence, sheet.authors)


def datasheet_differences(
    folder: Path, manifest: Manifest, dataset: Dataset, statistics: Figures, agreement: Figures
) -> Iterator[str]:
    """Contradictions between datasheet and release, or between the datasheet and its pages.

    What people and the platform state is taken as it stands, for nobody else knows.
    """
    try:
        found = json.loads((folder / DATASHEET).read_bytes())
        entries = [entry for part in found["sections"] for entry in part["entries"]]
        sheet = release_datasheet(
            manifest,
            dataset,
            statistics,
            agreement,
            answers={key: answer for key, answer in _stated(entries, "people", "answer") if answer},
            platform=dict(_stated(entries, "platform", "facts")),
        )
        expected = dict(datasheet_files(sheet))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        yield f"{DATASHEET}: is not a datasheet: {error!r}"
        return
    if not is_same(found, sheet.as_json()):
        yield f"{DATASHEET}: differs from the release and from the statements of people"
        return
    listed = {file.path for file in manifest.files}
    for path in (DATASHEET_PAGE, LICENCE, CITATION):
        if (path in expected) != (path in listed):
            yield f"{MANIFEST}: {'does not list' if path in expected else 'lists'} {path}"
        elif path in expected and (folder / path).read_bytes() != expected[path].encode():
            yield f"{path}: does not say what {DATASHEET} says"


def _stated(entries: Iterable[Any], by: str, what: str) -> Iterator[tuple[Any, Any]]:
    return ((each["key"], each[what]) for each in entries if each["stated_by"] == by)


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
    for path, chart in figure_charts(statistics, agreement).items():
        for kind, content in chart_files(chart).items():
            yield PaperFile(f"{path}.{kind}", content)


def table_files(
    campaign: str,
    statistics: Mapping[str, Any],
    agreement: Mapping[str, Any],
    rule: ExactRule = ExactRule.STRICT,
) -> Iterator[PaperFile]:
    for table in paper_tables(statistics, agreement, rule):
        yield from _table_files(table, campaign)


def figure_charts(statistics: Mapping[str, Any], agreement: Mapping[str, Any]) -> dict[str, Chart]:
    """The content of each figure's files, by their path but for a dot and the format, one of
    CHART_FORMATS. There is no histogram where no item has a reference to be compared with, and no
    figure of pairs where no two raters have rated the same item."""
    charts: dict[str, Chart] = {}
    if (histogram := f1_chart(statistics)).highest:
        charts[f"{FIGURES}f1_histogram"] = histogram
    charts[f"{FIGURES}agreement"] = agreement_chart(agreement)
    if agreement["whole"]["kappa"]:
        charts[f"{FIGURES}kappa"] = kappa_chart(agreement["whole"])
    return charts


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


def agreement_chart(agreement: Mapping[str, Any]) -> Picture:
    """Alpha of the whole, of every split and of every question, with intervals."""
    whole = agreement["whole"]
    parts = [
        ("All labels", whole),
        *agreement["splits"].items(),
        *((key.upper(), part) for key, part in whole["questions"].items()),
    ]
    rows = [
        Interval(name, estimate_from_json(part["alpha"]), name, is_whole=part is whole)
        for name, part in parts
    ]
    description = (
        "Of all labels, of each split and of each question, with 95 % intervals."
        f" n = {whole['alpha']['n']:,} items with two or more ratings. Source: agreement.json."
    )
    return interval_chart(
        rows, Wording(title="Krippendorff's α and its interval", description=description)
    )


def kappa_chart(whole: Mapping[str, Any]) -> Picture:
    """Kappa of every two raters, with quadratic weights where labels are ordered; pairs with fewer
    items than FEW are hatched."""
    pairs = whole["kappa"]
    weights = "unweighted" if whole["alpha"]["level"] == "nominal" else "quadratic"
    names = sorted({rater for pair in pairs for rater in pair["raters"]})
    places = {name: place for place, name in enumerate(names)}
    cells = []
    for pair in pairs:
        earlier, later = sorted(places[rater] for rater in pair["raters"])
        kappa = pair[weights]
        text = UNDEFINED if kappa is None else f"{kappa:.2f}".replace("-", MINUS)
        is_small = pair["items"] < FEW
        cells.append(PairCell(later, earlier, kappa or 0.0, text, text, is_small))
    return pair_chart(
        names,
        cells,
        Wording(
            title="Cohen's κ of every two raters",
            description=(
                f"{weights.capitalize()}, on the items that both have rated; pairs with fewer"
                f" than {FEW} are hatched. Source: agreement.json, whole, kappa."
            ),
        ),
    )


def _table_files(table: PaperTable, campaign: str) -> Iterator[PaperFile]:
    path = f"{TABLES}{table.key}"
    label = re.sub(r"[^A-Za-z0-9-]", "-", f"{campaign}-{table.key}")
    yield PaperFile(f"{path}.md", markdown_table(table).encode())
    yield PaperFile(f"{path}.tex", latex_table(table, label).encode())
    yield PaperFile(f"{path}.csv", csv_table(table).encode(), len(table.rows))
