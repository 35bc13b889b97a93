"""A release as it lies in its folder, read for a comparison a few rows at a time."""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from heapq import merge
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import pyarrow as pa

from tomahto.releases.comparison.compared import (
    ANSWER_KEY,
    ANSWER_SAYS,
    DETAILS,
    GUIDELINES,
    TEXTS,
    ComparedItem,
    ComparedRelease,
    ComparedRow,
    Heading,
    normal_answers,
    opinions,
    settings_of,
    stated,
)
from tomahto.releases.documents.datasheet import DATASHEET, answers_in
from tomahto.releases.files.rows import as_answer
from tomahto.releases.files.table_files import parquet_batches
from tomahto.releases.records.columns import Column, TableName, arrow_schema
from tomahto.releases.records.errors import ReleaseError
from tomahto.releases.records.fields import Fields
from tomahto.releases.stored.manifest import MANIFEST, Manifest, read_manifest
from tomahto.releases.stored.reading import refusing_damage, stored_columns

_ROWS = 2_000  # of each file in memory at once
_CROISSANT = "croissant.json"
_SAYS = {
    "ratings": ("counted", "seconds", "created_at", "guideline_version", "suggestion_shown"),
    "adjudications": ("first_label", "guideline_version"),
}
T = TypeVar("T")


def stored_release(folder: Path) -> ComparedRelease:
    """The release in a folder. Raises ReleaseError if it holds none, or a file that is compared is
    missing or has other bytes than the manifest says."""
    manifest = read_manifest(folder)
    _check_bytes(folder, manifest)
    files = _Files(folder, manifest)
    return ComparedRelease(
        heading=_heading(folder, manifest),
        items=files.items,
        ratings=lambda: files.opinions("ratings", "rater"),
        adjudications=lambda: (
            files.opinions("adjudications", "adjudicator") if manifest.adjudications else iter(())
        ),
        answers=lambda: files.answers() if manifest.answers else iter(()),
    )


def is_compared(path: str) -> bool:
    """Whether a comparison reads the file at this path of a release."""
    return path.endswith(".parquet") or path in (_CROISSANT, DATASHEET, MANIFEST)


def _check_bytes(folder: Path, manifest: Manifest) -> None:
    for entry in manifest.files:
        if is_compared(entry.path):
            try:
                with (folder / entry.path).open("rb") as file:
                    found = hashlib.file_digest(file, "sha256").hexdigest()
            except OSError as error:
                raise ReleaseError(f"{entry.path}: cannot be read: {error}") from error
            if found != entry.sha256:
                raise ReleaseError(f"{entry.path}: its SHA-256 is not {entry.sha256}")


def _heading(folder: Path, manifest: Manifest) -> Heading:
    return Heading(
        campaign=manifest.campaign,
        version=manifest.version,
        digest=manifest.digest,
        settings=settings_of(manifest.campaign, manifest.terms, manifest.flag_questions),
        documentation={
            "title": manifest.title,
            "guidelines": {
                file.path: file.sha256
                for file in manifest.files
                if file.path.startswith(GUIDELINES)
            },
            "software": manifest.software,
            "formats": manifest.formats,
            "datasheet": stated(answers_in(folder)),
            **_croissant_heading(folder),
        },
    )


def _croissant_heading(folder: Path) -> dict[str, str]:
    try:
        metadata = Fields(json.loads((folder / _CROISSANT).read_bytes()), _CROISSANT)
    except (OSError, RecursionError, json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ReleaseError(f"{_CROISSANT}: cannot be read: {error}") from error
    return {name: metadata.text(name) for name in ("description", "license", "inLanguage")}


class _Files(NamedTuple):
    """The Parquet files of a release, those of its splits gone through side by side."""

    folder: Path
    manifest: Manifest

    def items(self) -> Iterator[ComparedItem]:
        """An item in several splits comes once, with all of them."""
        by_id = attrgetter("id")
        in_order = self._merged("items", _items, by_id)
        for _, same in groupby(in_order, by_id):
            first, *others = same
            splits = "+".join([first.split, *(item.split for item in others)])
            yield first._replace(split=splits)

    def opinions(self, table: TableName, person: str) -> Iterator[ComparedRow]:
        """An opinion on an item in several splits comes once."""
        keys = [key for key in self.manifest.terms.question_keys if key != "label"]

        def read(batch: pa.RecordBatch, _split: str) -> Iterator[ComparedRow]:
            return _opinions(batch, person, keys if table == "ratings" else None, _SAYS[table])

        by_key = attrgetter("key")
        for _, same in groupby(self._merged(table, read, by_key), by_key):
            yield next(same)

    def answers(self) -> Iterator[ComparedRow]:
        """An answer in several splits comes once, with all of them."""
        by_key = attrgetter("key")
        for _, same in groupby(self._merged("answers", _answers, by_key), by_key):
            first, *others = same
            splits = "+".join([each.says[-1] for each in (first, *others)])
            yield first._replace(says=(*first.says[:-1], splits))

    def _merged(
        self,
        table: TableName,
        read: Callable[[pa.RecordBatch, str], Iterable[T]],
        key: Callable[[T], Any],
    ) -> Iterator[T]:
        splits = self.manifest.terms.spec.names
        return merge(*(self._split(table, split, read, key) for split in splits), key=key)

    def _split(
        self,
        table: TableName,
        split: str,
        read: Callable[[pa.RecordBatch, str], Iterable[T]],
        key: Callable[[T], Any],
    ) -> Iterator[T]:
        """The rows of one file. Raises ReleaseError if they are not in order."""
        place, previous = f"{table}/{split}.parquet", None
        for batch in self._batches(table, place):
            for row in read(batch, split):
                if previous is not None and not previous < key(row):
                    raise ReleaseError(f"{place}: is not in order at {key(row)!r}")
                previous = key(row)
                yield row

    def _batches(self, table: TableName, place: str) -> Iterator[pa.RecordBatch]:
        columns = stored_columns(self.manifest, table)
        schema = arrow_schema(columns, self.manifest.terms.scheme.labels)
        names = [column.name for column in columns if _is_compared(table, column)]
        path = str(self.folder / place)
        with refusing_damage(place):
            for batch in parquet_batches(path, schema, columns=names, size=_ROWS):
                _check_nulls(batch, columns, place)
                yield batch


def _is_compared(table: TableName, column: Column) -> bool:
    """What else is in the table of items follows from the ratings."""
    return table != "items" or column.name in ("id", "label", *TEXTS, *DETAILS)


def _check_nulls(batch: pa.RecordBatch, columns: Sequence[Column], place: str) -> None:
    for column in columns:
        is_required = column.name in batch.schema.names and not column.optional
        if is_required and batch.column(column.name).null_count:
            raise ReleaseError(f"{place}, field {column.name}: is null")


def _items(batch: pa.RecordBatch, split: str) -> Iterator[ComparedItem]:
    texts = zip(*(_values(batch, name) for name in TEXTS), strict=True)
    details = zip(*(_values(batch, name) for name in DETAILS), strict=True)
    for id_, label, text, detail in zip(
        _values(batch, "id"), _values(batch, "label"), texts, details, strict=True
    ):
        yield ComparedItem(id_, label, split, text, detail)


def _opinions(
    batch: pa.RecordBatch, person: str, keys: Sequence[str] | None, others: Sequence[str]
) -> Iterator[ComparedRow]:
    """`keys` are the questions of ratings; adjudications say nothing of questions."""
    columns = [_values(batch, "label")]
    if keys is not None:
        columns.append(_given_answers(batch, keys))
    columns += [_values(batch, name) for name in others]
    if keys is not None:
        columns.append(_comments(batch))
    return opinions(_values(batch, "id"), _values(batch, person), *columns)


def _given_answers(batch: pa.RecordBatch, keys: Sequence[str]) -> list[Any]:
    @cache  # there are few sets of answers, and many ratings
    def normal(given: tuple[bool | str | None, ...]) -> tuple[tuple[str, str], ...]:
        pairs = zip(keys, given, strict=True)
        return normal_answers({key: as_answer(each) for key, each in pairs if each is not None})

    if not keys:
        return [()] * batch.num_rows
    return [normal(given) for given in zip(*(_values(batch, key) for key in keys), strict=True)]


def _answers(batch: pa.RecordBatch, split: str) -> Iterator[ComparedRow]:
    keys = zip(*(_values(batch, name) for name in ANSWER_KEY), strict=True)
    says = zip(*(_values(batch, name) for name in ANSWER_SAYS), strict=True)
    for key, said in zip(keys, says, strict=True):
        yield ComparedRow(key, (*said, split))


def _comments(batch: pa.RecordBatch) -> list[str]:
    """Empty where there is none, or where comments are not released."""
    if "comment" not in batch.schema.names:
        return [""] * batch.num_rows
    return [comment or "" for comment in _values(batch, "comment")]


def _values(batch: pa.RecordBatch, name: str) -> list[Any]:
    """Plain values; times are microseconds since 1970, lists are tuples."""
    column = batch.column(name)
    if pa.types.is_timestamp(column.type):
        column = column.cast(pa.int64())
    values: list[Any] = column.to_pylist()
    return list(map(tuple, values)) if pa.types.is_list(column.type) else values
