"""Do the files of a release say the same, and does it follow from the ratings? Tables are the same
in every format, and tables and figures for papers are those of statistics and agreement.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from tomahto.charts.chart_files import CHART_FORMATS, fitting
from tomahto.releases.dataset.dataset import FIGURES_VERSION, Dataset
from tomahto.releases.dataset.split_report import SPLITS, split_differences, split_report
from tomahto.releases.documents.document_files import (
    FIGURES,
    TABLES,
    datasheet_differences,
    figure_charts,
    table_files,
)
from tomahto.releases.figures.figures import (
    AGREEMENT,
    DAWID_SKENE,
    LAST_DECIMAL,
    STATISTICS,
    figures_of,
    is_same,
)
from tomahto.releases.files.table_files import Row
from tomahto.releases.files.tables import Batch, Table, release_tables
from tomahto.releases.files.text_files import (
    csv_of_version,
    json_rows,
    spreadsheet_header,
    spreadsheet_rows,
    text_check,
)
from tomahto.releases.formats.formats import format_differences
from tomahto.releases.records.fields import ReleaseError
from tomahto.releases.stored.digest import content_digest
from tomahto.releases.stored.manifest import MANIFEST, Manifest
from tomahto.releases.stored.reading import read_dataset, stored_rows

_FIRST = "tomahto 0.1.0"


def content_differences(folder: Path, manifest: Manifest) -> list[str]:
    """Contradictions of the files with each other, the manifest, or the results of their records.

    Labels, votes, estimates, agreement, statistics and digest are computed from the records in the
    Parquet files; JSON lines, CSV and all further formats are compared byte by byte. Tables and
    figures for papers are made anew from agreement and statistics, if these are right.
    Raises ReleaseError if the Parquet files do not hold a dataset at all.
    """
    dataset = read_dataset(folder, manifest)
    if dataset.flag_questions != manifest.flag_questions:
        return [f"{MANIFEST}, field yes_no_questions: does not fit the ratings"]
    if odd := dataset.optional_columns ^ manifest.optional_columns:
        return [f"{MANIFEST}, field {min(odd)}: does not fit the rows"]
    tables = [
        line
        for table in release_tables(dataset, manifest.tables)
        for line in table_differences(folder, manifest, table)
    ]
    figures = [*_figure_differences(folder, manifest, dataset)]
    return [
        *split_differences(dataset),
        *_selection_differences(dataset),
        *_manifest_differences(dataset, manifest),
        *tables,
        *format_differences(
            folder, dataset, manifest.formats, is_of_0_1_0=manifest.software == _FIRST
        ),
        *figures,
        *(_document_differences(folder, manifest, dataset) if not figures else ()),
    ]


def _manifest_differences(dataset: Dataset, manifest: Manifest) -> Iterator[str]:
    digest, decisions = content_digest(dataset), len(dataset.adjudications)
    if digest != manifest.digest:
        yield f"{MANIFEST}, field digest: is {manifest.digest}, the content's is {digest}"
    if decisions != manifest.adjudications:
        yield f"{MANIFEST}, field adjudications: is {manifest.adjudications}, there are {decisions}"
    if len(dataset.answers) != manifest.answers:
        found = len(dataset.answers)
        yield f"{MANIFEST}, field system_answers: is {manifest.answers}, there are {found}"
    if strangers := sorted(set(manifest.imported_raters) - dataset.judges):
        yield f"{MANIFEST}, field imported_raters: {strangers[0]!r} judged nothing here"


def _selection_differences(dataset: Dataset) -> Iterator[str]:
    """The part of a selection that can be seen in its outcome: the guidelines of the ratings."""
    versions = dataset.terms.selection.guideline_versions
    if not versions:
        return
    found = set(dataset.ratings.values("guideline_version"))
    if not found <= set(versions):
        chosen = ", ".join(map(str, versions))
        yield f"{MANIFEST}, field selection: names guidelines {chosen}; ratings have others"


def _figure_differences(folder: Path, manifest: Manifest, dataset: Dataset) -> Iterator[str]:
    figures = figures_of(dataset)
    if manifest.sizes != figures.statistics["sizes"]:
        yield f"{MANIFEST}, field sizes: does not fit the items and ratings"
    for path, expected in figures.files.items():
        rounding = {"tolerance": LAST_DECIMAL} if path == DAWID_SKENE else {}
        found = _read_json(folder, path)
        if path == STATISTICS and manifest.software == _FIRST:
            expected = _known_to_0_1_0(expected, found)
        if path == SPLITS and dataset.terms.figures_version == 1:
            yield from _unnamed_leaks(found, dataset)
        if not is_same(found, expected, **rounding):
            yield f"{path}: does not follow from the ratings"


def _known_to_0_1_0(expected: Mapping[str, Any], found: Any) -> Mapping[str, Any]:
    """Without the readings of Fig. 1, which that version did not count; what is between it and the
    next one bears its number, too."""
    without = {name: value for name, value in expected.items() if name != "f1_readings"}
    return expected if "f1_readings" in found else without


def _unnamed_leaks(found: Any, dataset: Dataset) -> Iterator[str]:
    """The leaks that the first version of the figures did not see."""
    named = found.get("leaks") if isinstance(found, dict) else None
    present = replace(dataset, terms=replace(dataset.terms, figures_version=FIGURES_VERSION))
    for leak in split_report(present).get("leaks", ()):
        if not isinstance(named, list) or leak not in named:
            questions = ", ".join(
                f"{asked['question_id']!r} of document {asked['document']!r}" for asked in leak
            )
            yield f"{SPLITS}: lacks near-duplicate questions that are in two splits: {questions}"


def _document_differences(folder: Path, manifest: Manifest, dataset: Dataset) -> Iterator[str]:
    """Of what is made of figures that are right."""
    statistics, agreement = (_read_json(folder, path) for path in (STATISTICS, AGREEMENT))
    yield from datasheet_differences(folder, manifest, dataset, statistics, agreement)
    yield from paper_differences(folder, manifest)


def _read_json(folder: Path, path: str) -> Any:
    try:
        return json.loads((folder / path).read_bytes())
    except (ValueError, RecursionError) as error:
        raise ReleaseError(f"{path}: is not JSON: {error}") from error


# What EM estimates can be rounded otherwise where the machine sums otherwise.
_ESTIMATED = ("dawid_skene_confidence", "dawid_skene_posterior")


def table_differences(folder: Path, manifest: Manifest, table: Table) -> Iterator[str]:
    """At most one difference for each file of the table."""
    for split in table.sizes:
        yield from _split_differences(folder, manifest, table, split)


def _split_differences(folder: Path, manifest: Manifest, table: Table, split: str) -> Iterator[str]:
    place = f"{table.name}/{split}"
    per_label = [column.name for column in table.columns if column.kind in ("votes", "shares")]
    stored = stored_rows(folder, manifest, table.name, split)
    parquet = _ParquetCheck((_with_tuples(row, per_label) for row in stored), place)
    with (
        text_check(folder, f"jsonl/{place}.jsonl") as lines,
        text_check(folder, f"csv/{place}.csv") as cells,
    ):
        cells.expect([spreadsheet_header(table.columns)])
        for batch in table.batches(split):
            settled = parquet.settled(batch)
            lines.expect(json_rows(table, settled))
            cells.expect(
                csv_of_version(manifest.terms.figures_version, spreadsheet_rows(table, settled))
            )
        yield from parquet.differences()
        yield from lines.differences()
        yield from cells.differences()


def _with_tuples(row: Row, per_label: Sequence[str]) -> Row:
    return row | {name: tuple(row[name].values()) for name in per_label}


class _ParquetCheck:
    """Reads stored rows along with those that the records make, up to the first that differs."""

    def __init__(self, stored: Iterator[Row], place: str) -> None:
        self._stored = enumerate(stored, start=1)
        self._place = place
        self._rows = 0
        self._difference: int | None = None

    def settled(self, batch: Batch) -> Batch:
        """The batch with its estimates as they are stored, or unchanged if a row differs."""
        made = [dict(zip(batch, row, strict=True)) for row in zip(*batch.values(), strict=True)]
        found = [row for _, row in islice(self._stored, len(made))]
        for number, (one, other) in enumerate(zip(found, made, strict=False), self._rows + 1):
            if self._difference is None and not _is_same_row(one, other):
                self._difference = number
        if self._difference is None and len(found) < len(made):
            self._difference = self._rows + len(found) + 1
        self._rows += len(made)
        if self._difference is not None:
            return batch
        return _with_estimates(batch, found)

    def differences(self) -> Iterator[str]:
        number = self._difference
        if number is None:
            number = next((number for number, _ in self._stored), None)
        if number is not None:
            yield f"{self._place}.parquet, row {number}: does not follow from the records"


def _is_same_row(found: Row, made: Row) -> bool:
    if found == made:
        return True
    return found.keys() == made.keys() and all(
        is_same(found[name], made[name], tolerance=LAST_DECIMAL)
        if name in _ESTIMATED
        else found[name] == made[name]
        for name in made
    )


def _with_estimates(batch: Batch, found: list[Row]) -> Mapping[str, list[object]]:
    estimated = {name: [row[name] for row in found] for name in _ESTIMATED if name in batch}
    return {name: estimated.get(name, list(values)) for name, values in batch.items()}


_LATER = (f"{FIGURES}agreement.", f"{FIGURES}kappa.")  # no release had them at first
_SOURCES = ("statistics.json", "agreement.json")


def paper_differences(folder: Path, manifest: Manifest) -> Iterator[str]:
    """Files that are missing, too many, or of other content than `statistics.json` and
    `agreement.json` make; these must be right already. A figure is compared where the versions that
    drew it are those installed, for others draw it a little otherwise. Figures of 0.1.0 do not name
    what drew them, and are not compared."""
    statistics, agreement = (json.loads((folder / name).read_bytes()) for name in _SOURCES)
    files = table_files(manifest.campaign, statistics, agreement, manifest.terms.exact_rule)
    tables = {file.path: file.content for file in files}
    charts = figure_charts(statistics, agreement)
    for path in tables:
        if path.endswith(".csv"):
            [text] = csv_of_version(manifest.terms.figures_version, [tables[path].decode()])
            tables[path] = text.encode()
    listed = {file.path for file in manifest.files if file.path.startswith((TABLES, FIGURES))}
    if not any(path.startswith(_LATER) for path in listed):
        charts = {path: chart for path, chart in charts.items() if f"{path}." not in _LATER}
    figures = {f"{path}.{kind}" for path in charts for kind in CHART_FORMATS}
    is_unnamed = _is_of_0_1_0(manifest, listed)
    unnamed = {path for path in figures if is_unnamed and not path.endswith(".pdf")}
    expected = tables.keys() | (unnamed or figures)
    for path in sorted(expected - listed):
        yield f"{MANIFEST}: does not list {path}"
    for path in sorted(listed - expected):
        yield f"{path}: is not a table or figure of this release"
    found = {path: (folder / path).read_bytes() for path in sorted(listed & expected - unnamed)}
    right = {path for path, content in found.items() if tables.get(path) == content}
    for path, chart in charts.items():
        places = {kind: f"{path}.{kind}" for kind in CHART_FORMATS}
        contents = {kind: found[place] for kind, place in places.items() if place in found}
        right |= {places[kind] for kind in fitting(contents, chart)}
    for path in sorted(found.keys() - right):
        yield f"{path}: does not follow from statistics.json and agreement.json"


def _is_of_0_1_0(manifest: Manifest, listed: Iterable[str]) -> bool:
    """That version wrote no PDF; what is between it and the next one bears its number, too."""
    has_pdf = any(path.endswith(".pdf") for path in listed)
    return manifest.software == "tomahto 0.1.0" and not has_pdf
