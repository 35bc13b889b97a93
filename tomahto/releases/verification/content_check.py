"""Do the files of a release say the same, and does it follow from the ratings?"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from tomahto.releases.dataset.dataset import FIGURES_VERSION, Dataset
from tomahto.releases.dataset.split_report import SPLITS, split_differences, split_report
from tomahto.releases.documents.datasheet_files import datasheet_differences
from tomahto.releases.figures.closeness import LAST_DECIMAL, is_same
from tomahto.releases.figures.dawid_skene_file import DAWID_SKENE
from tomahto.releases.figures.figures import AGREEMENT, STATISTICS, figures_of
from tomahto.releases.files.tables import release_tables
from tomahto.releases.formats.formats import format_differences
from tomahto.releases.records import packed
from tomahto.releases.records.errors import ReleaseError
from tomahto.releases.stored.digest import content_digest
from tomahto.releases.stored.manifest import MANIFEST, Manifest
from tomahto.releases.stored.reading import read_dataset
from tomahto.releases.verification.paper_check import paper_differences
from tomahto.releases.verification.table_check import table_differences

_FIRST = "tomahto 0.1.0"


def content_differences(folder: Path, manifest: Manifest) -> list[str]:
    """Where the files contradict each other, the manifest, or what their records make.

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
    """What of a selection can be seen in its outcome: the guidelines of the ratings."""
    versions = dataset.terms.selection.guideline_versions
    if not versions:
        return
    found = {packed.version(version) for version in dataset.ratings.rows["guideline"].tolist()}
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
