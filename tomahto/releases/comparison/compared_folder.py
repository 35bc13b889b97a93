"""A release as it lies in its folder, read for a comparison a few rows at a time."""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tomahto.releases.comparison.compared import (
    GUIDELINES,
    KEYS,
    SAYS,
    ComparedRelease,
    compared_rows,
    heading_of,
)
from tomahto.releases.documents.datasheet import DATASHEET, answers_in
from tomahto.releases.files.folder import file_sha256
from tomahto.releases.files.small_files import json_file
from tomahto.releases.files.tables import Batch
from tomahto.releases.records.columns import Column, TableName
from tomahto.releases.records.errors import ReleaseError
from tomahto.releases.records.fields import Fields
from tomahto.releases.stored.manifest import MANIFEST, Manifest, read_manifest
from tomahto.releases.stored.reading import stored_batches, stored_columns

if TYPE_CHECKING:
    import pyarrow as pa

_ROWS = 2_000  # of each file in memory at once
_CROISSANT = "croissant.json"


def stored_release(folder: Path) -> ComparedRelease:
    """The release in a folder. Raises ReleaseError if it holds none, or a file that is compared is
    missing or has other bytes than the manifest says."""
    manifest = read_manifest(folder)
    _check_bytes(folder, manifest)
    rows = compared_rows(manifest.terms, partial(_batches, folder, manifest))
    heading = heading_of(
        manifest,
        guidelines={
            file.path: file.sha256 for file in manifest.files if file.path.startswith(GUIDELINES)
        },
        datasheet=answers_in(folder),
        croissant=_croissant_heading(folder),
    )
    return ComparedRelease(heading, rows)


def is_compared(path: str) -> bool:
    """Whether a comparison reads the file at this path of a release."""
    return path.endswith(".parquet") or path in (_CROISSANT, DATASHEET, MANIFEST)


def _check_bytes(folder: Path, manifest: Manifest) -> None:
    for entry in manifest.files:
        if is_compared(entry.path):
            try:
                found = file_sha256(folder / entry.path)
            except OSError as error:
                raise ReleaseError(f"{entry.path}: cannot be read: {error}") from error
            if found != entry.sha256:
                raise ReleaseError(f"{entry.path}: its SHA-256 is not {entry.sha256}")


def _croissant_heading(folder: Path) -> dict[str, str]:
    try:
        metadata = Fields(json_file(folder, _CROISSANT), _CROISSANT)
    except ReleaseError:
        raise
    except (OSError, RecursionError, ValueError) as error:
        raise ReleaseError(f"{_CROISSANT}: cannot be read: {error}") from error
    return {name: metadata.text(name) for name in ("description", "license", "inLanguage")}


def _batches(folder: Path, manifest: Manifest, table: TableName, split: str) -> Iterator[Batch]:
    """What is compared of a Parquet file. Raises ReleaseError naming it if it is damaged."""
    columns = stored_columns(manifest, table)
    # what else is in the table of items follows from the ratings
    compared = {*KEYS[table], *SAYS[table]} if table == "items" else {c.name for c in columns}
    names = [column.name for column in columns if column.name in compared]
    for batch in stored_batches(folder, manifest, table, split, names=names, size=_ROWS):
        _check_nulls(batch, columns, f"{table}/{split}.parquet")
        yield {name: _values(batch, name) for name in names}


def _check_nulls(batch: "pa.RecordBatch", columns: Sequence[Column], place: str) -> None:
    for column in columns:
        is_required = column.name in batch.schema.names and not column.optional
        if is_required and batch.column(column.name).null_count:
            raise ReleaseError(f"{place}, field {column.name}: is null")


def _values(batch: "pa.RecordBatch", name: str) -> list[Any]:
    """Plain values; times are microseconds since 1970."""
    import pyarrow as pa  # as in columns.py

    column = batch.column(name)
    return (column.cast(pa.int64()) if pa.types.is_timestamp(column.type) else column).to_pylist()
