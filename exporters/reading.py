"""Read a release back: its manifest, and the dataset that its Parquet files hold."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from exporters.columns import ITEM_COLUMNS, Column, TableName, arrow_schema, rating_columns
from exporters.dataset import Dataset, assemble_dataset
from exporters.errors import ReleaseError
from exporters.manifest import Manifest, read_manifest
from exporters.records import ItemRecord, RatingRecord
from exporters.rows import Row, item_record, rating_record
from exporters.table_files import parquet_rows


class StoredRelease(NamedTuple):
    manifest: Manifest
    dataset: Dataset


def read_release(folder: Path) -> StoredRelease:
    """The release in a folder, without verifying it.

    Raises ReleaseError in one line if the folder does not hold a release.
    """
    manifest = read_manifest(folder)
    return StoredRelease(manifest, read_dataset(folder, manifest))


def read_dataset(folder: Path, manifest: Manifest) -> Dataset:
    """The dataset made anew from the records in the Parquet files: labels, order and F1 are
    computed, only the split of each document is taken as it stands.

    Raises ReleaseError if a file is damaged, a record is wrong or a document is in two splits.
    """
    items: list[ItemRecord] = []
    splits: dict[str, str] = {}
    for split in manifest.terms.spec.shares:
        for row in stored_rows(folder, manifest, "items", split):
            document = row["document"]
            if splits.setdefault(document, split) != split:
                raise ReleaseError(f"document {document!r} is in {splits[document]} and {split}")
            items.append(item_record(row))
    return assemble_dataset(manifest.terms, items, _ratings(folder, manifest), splits)


def _ratings(folder: Path, manifest: Manifest) -> Iterator[RatingRecord]:
    keys = _answer_columns(manifest)
    for split in manifest.terms.spec.shares:
        for row in stored_rows(folder, manifest, "ratings", split):
            yield rating_record(row, keys)


def stored_rows(folder: Path, manifest: Manifest, table: TableName, split: str) -> Iterator[Row]:
    """The rows of a Parquet file. Raises ReleaseError naming file and row if it is damaged."""
    columns = _columns(manifest, table)
    place = f"{table}/{split}.parquet"
    schema = arrow_schema(columns, manifest.terms.scheme.labels)
    try:
        for number, row in enumerate(parquet_rows(str(folder / place), schema), start=1):
            _check_nulls(row, columns, f"{place}, row {number}")
            yield row
    except ReleaseError:
        raise
    except (OSError, ValueError, pa.ArrowException) as error:
        raise ReleaseError(f"{place}: cannot be read: {error}") from error


def _check_nulls(row: Row, columns: Sequence[Column], place: str) -> None:
    for column in columns:
        if row[column.name] is None and not column.optional:
            raise ReleaseError(f"{place}, field {column.name}: is null")


def _columns(manifest: Manifest, table: TableName) -> tuple[Column, ...]:
    if table == "items":
        return ITEM_COLUMNS
    return rating_columns(_answer_columns(manifest), manifest.flag_questions)


def _answer_columns(manifest: Manifest) -> tuple[str, ...]:
    return tuple(key for key in manifest.terms.question_keys if key != "label")
