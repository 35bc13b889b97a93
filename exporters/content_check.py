"""Do the files of a release say the same, and does it follow from the ratings?"""

import json
from collections.abc import Iterable, Iterator
from itertools import chain, zip_longest
from math import isclose
from pathlib import Path
from typing import Any

from exporters.ae_format import ae_rows
from exporters.agreement import release_agreement
from exporters.dataset import Dataset
from exporters.digest import content_digest
from exporters.errors import ReleaseError
from exporters.manifest import MANIFEST, Manifest
from exporters.reading import read_dataset, stored_rows
from exporters.rows import Table, item_table, rating_table
from exporters.statistics import release_statistics
from exporters.table_files import json_line, json_text, spreadsheet_header, spreadsheet_record


def content_differences(folder: Path, manifest: Manifest) -> list[str]:
    """Where the files contradict each other, the manifest, or what their records make.

    Labels, votes, agreement, statistics and digest are computed from the records in the Parquet
    files; JSON lines, CSV and the AE format are compared byte by byte.
    Raises ReleaseError if the Parquet files do not hold a dataset at all.
    """
    dataset = read_dataset(folder, manifest)
    if dataset.flag_questions != manifest.flag_questions:
        return [f"{MANIFEST}, field yes_no_questions: does not fit the ratings"]
    return [
        *_digest_differences(dataset, manifest),
        *_table_differences(folder, manifest, item_table(dataset)),
        *_table_differences(folder, manifest, rating_table(dataset)),
        *_ae_differences(folder, dataset),
        *_figure_differences(folder, manifest, dataset),
    ]


def _digest_differences(dataset: Dataset, manifest: Manifest) -> Iterator[str]:
    digest = content_digest(dataset)
    if digest != manifest.digest:
        yield f"{MANIFEST}, field digest: is {manifest.digest}, the content's is {digest}"


def _table_differences(folder: Path, manifest: Manifest, table: Table) -> Iterator[str]:
    for split in table.sizes:
        place = f"{table.name}/{split}"
        stored = stored_rows(folder, manifest, table.name, split)
        for number, (found, row) in enumerate(zip_longest(stored, table.rows(split)), start=1):
            if found != row:
                yield f"{place}.parquet, row {number}: is not what the records make"
                break
        lines = map(json_text, table.rows(split))
        yield from _text_differences(folder, f"jsonl/{place}.jsonl", lines)
        records = map(spreadsheet_record, table.rows(split))
        cells = chain([spreadsheet_header(table.columns)], records)
        yield from _text_differences(folder, f"csv/{place}.csv", cells)


def _ae_differences(folder: Path, dataset: Dataset) -> Iterator[str]:
    if dataset.terms.protocol == "ae":
        for split in dataset.splits:
            lines = map(json_line, ae_rows(dataset, split))
            yield from _text_differences(folder, f"ae/{split}.jsonl", lines)


def _text_differences(folder: Path, path: str, records: Iterable[str]) -> Iterator[str]:
    with (folder / path).open("rb") as file:
        for number, record in enumerate(records, start=1):
            expected = record.encode()
            if file.read(len(expected)) != expected:
                yield f"{path}, record {number}: does not say what Parquet says"
                return
        if file.read(1):
            yield f"{path}: has more records than Parquet"


def _figure_differences(folder: Path, manifest: Manifest, dataset: Dataset) -> Iterator[str]:
    statistics = release_statistics(dataset)
    if manifest.sizes != statistics["sizes"]:
        yield f"{MANIFEST}, field sizes: does not fit the items and ratings"
    figures = {"agreement.json": release_agreement(dataset), "statistics.json": statistics}
    for path, expected in figures.items():
        if not _is_same(_read_json(folder, path), expected):
            yield f"{path}: is not what the ratings make"


def _read_json(folder: Path, path: str) -> Any:
    try:
        return json.loads((folder / path).read_bytes())
    except (ValueError, RecursionError) as error:
        raise ReleaseError(f"{path}: is not JSON: {error}") from error


def _is_same(found: Any, expected: Any) -> bool:
    """Equal, but for rounding: another machine may sum in another order."""
    if isinstance(expected, dict):
        return (
            isinstance(found, dict)
            and found.keys() == expected.keys()
            and all(_is_same(found[key], value) for key, value in expected.items())
        )
    if isinstance(expected, list | tuple):
        return (
            isinstance(found, list)
            and len(found) == len(expected)
            and all(map(_is_same, found, expected))
        )
    if isinstance(expected, float) and type(found) in (int, float):
        return isclose(found, expected, rel_tol=1e-9, abs_tol=1e-12)
    return type(found) is type(expected) and bool(found == expected)
