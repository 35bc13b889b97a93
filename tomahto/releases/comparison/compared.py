"""The parts of a release that a comparison needs, read in order and never held whole.

A release is compared as it lies in its folder, a few rows at a time, or before it is written.
Either way its rows come by key, so that two releases are gone through side by side.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from heapq import merge
from itertools import groupby, repeat
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tomahto.releases.dataset.dataset import Terms
from tomahto.releases.documents.datasheet import DATASHEET, answers_in
from tomahto.releases.files.folder import file_sha256
from tomahto.releases.files.table_files import as_answer, parquet_batches
from tomahto.releases.files.tables import Batch, Table
from tomahto.releases.records.columns import (
    COMMENT,
    OPTIONAL_COLUMNS,
    OPTIONAL_ITEM_COLUMNS,
    OPTIONAL_RATING_COLUMNS,
    Kind,
    TableName,
    arrow_schema,
)
from tomahto.releases.records.fields import Fields, ReleaseError
from tomahto.releases.stored.manifest import MANIFEST, Manifest, read_manifest
from tomahto.releases.stored.reading import refusing_damage, stored_columns

if TYPE_CHECKING:
    import pyarrow as pa

GUIDELINES = "guidelines/"  # the folder that has them
TEXTS = ("question", "context", "references", "candidate")
DETAILS = (
    *("document", "question_id", "question_type", "reference_index", "systems"),
    "source_split",
    *(column.name for column in OPTIONAL_ITEM_COLUMNS),
)
KEYS: Mapping[TableName, tuple[str, ...]] = {
    "items": ("id",),
    "ratings": ("id", "rater"),
    "adjudications": ("id", "adjudicator"),
    "answers": ("question_id", "system", "candidate"),
}
SAYS: Mapping[TableName, tuple[str, ...]] = {
    "items": ("label", *TEXTS, *DETAILS),
    "ratings": (
        *("label", "counted", "seconds", "created_at", "guideline_version", "suggestion_shown"),
        *(column.name for column in OPTIONAL_RATING_COLUMNS),
    ),
    "adjudications": ("label", "first_label", "guideline_version"),
    "answers": (
        *("document", "source_split", "question", "context", "references", "settled", "items"),
    ),
}
"""The columns that are compared beside the key, and beside answers and comments of ratings."""
_NOTHING: Mapping[Kind, object] = {"text": "", "texts": [], "flag": False}
_ABSENT: Mapping[str, object] = {column.name: _NOTHING[column.kind] for column in OPTIONAL_COLUMNS}
_PLACED = ("items", "answers")  # opinions are where their items are


class ComparedRow(NamedTuple):
    """A row of a table by its KEYS; it says what is in SAYS, in that order. `split` is that of an
    item or a system's answer, or several joined by plus signs."""

    key: tuple[str, ...]
    says: tuple[object, ...]
    split: str = ""


@dataclass(frozen=True, slots=True)
class Heading:
    """`settings` decide what the data is and `documentation` what is written about it; both have
    a value that can be compared by the name of what it is."""

    campaign: str
    version: str
    digest: str
    settings: Mapping[str, object]
    documentation: Mapping[str, object]

    def as_json(self) -> dict[str, str]:
        return {"campaign": self.campaign, "version": self.version, "digest": self.digest}


@dataclass(frozen=True, slots=True)
class ComparedRelease:
    """`rows` yields those of a table from the start, and raises ReleaseError if a stored release is
    damaged."""

    heading: Heading
    rows: Callable[[TableName], Iterator[ComparedRow]]


def compared_tables(heading: Heading, terms: Terms, tables: Iterable[Table]) -> ComparedRelease:
    """A release that is not written yet, by what it is to say."""
    import pyarrow as pa  # slow to load, and few pages and commands need it

    named = {table.name: table for table in tables}

    def batches(table: TableName, split: str) -> Iterator[Batch]:
        for batch in named[table].batches(split) if table in named else ():
            times = pa.array(batch.get("created_at", ()), pa.timestamp("us", tz="UTC"))
            yield {**batch, "created_at": times.cast(pa.int64()).to_pylist()}

    return ComparedRelease(heading, compared_rows(terms, batches))


def compared_rows(
    terms: Terms, batches: Callable[[TableName, str], Iterable[Batch]]
) -> Callable[[TableName], Iterator[ComparedRow]]:
    """The rows of a table by key, its splits gone through side by side; a row in several splits
    comes once. `batches` has the columns of a table in one split, times in microseconds since 1970.
    """
    by_key = attrgetter("key")

    def rows(table: TableName) -> Iterator[ComparedRow]:
        splits = (
            _in_order(terms, table, split, batches(table, split)) for split in terms.spec.names
        )
        for _, same in groupby(merge(*splits, key=by_key), by_key):
            first, *others = same
            is_split = others and table in _PLACED
            names = [first.split, *(other.split for other in others)]
            yield first._replace(split="+".join(names)) if is_split else first

    return rows


def _in_order(
    terms: Terms, table: TableName, split: str, batches: Iterable[Batch]
) -> Iterator[ComparedRow]:
    """The rows of one file. Raises ReleaseError if they are not in order."""
    previous: tuple[str, ...] = ()
    for batch in batches:
        keys = zip(*(batch[name] for name in KEYS[table]), strict=True)
        columns = [_column(batch, name) for name in SAYS[table]]
        if table == "ratings":
            columns.append(_given_answers(batch, terms.answer_columns))
            # empty where there is none, or where comments are not released
            nothing = [""] * len(batch["id"])
            columns.append([text or "" for text in batch.get(COMMENT.name, nothing)])
        places = repeat(split if table in _PLACED else "")
        for row in map(ComparedRow, keys, zip(*columns, strict=True), places):
            if previous and not previous < row.key:
                key = row.key[0] if len(row.key) == 1 else row.key
                raise ReleaseError(f"{table}/{split}.parquet: is not in order at {key!r}")
            previous = row.key
            yield row


def _column(batch: Batch, name: str) -> Sequence[Any]:
    """Nothing in a column that the release does not have."""
    if name in _ABSENT and name not in batch:
        return [_ABSENT[name]] * len(batch["id"])
    return batch[name]


def _given_answers(batch: Batch, questions: Sequence[str]) -> Sequence[Any]:
    """Answers by the names of their questions, apart from the label itself."""

    @cache  # there are few sets of answers, and many ratings
    def normal(given: tuple[bool | str | None, ...]) -> tuple[tuple[str, str], ...]:
        pairs = zip(questions, given, strict=True)
        return tuple(sorted((key, as_answer(each)) for key, each in pairs if each is not None))

    if not questions:
        return [()] * len(batch["id"])
    return [normal(given) for given in zip(*(batch[key] for key in questions), strict=True)]


def heading_of(
    manifest: Manifest,
    *,
    guidelines: Mapping[str, str],
    datasheet: Mapping[str, str | None],
    croissant: Mapping[str, str],
) -> Heading:
    """The compared values beside the rows: `guidelines` are SHA-256 by path, `datasheet` the
    answers in it, and `croissant` the metadata of the campaign."""
    return Heading(
        campaign=manifest.campaign,
        version=manifest.version,
        digest=manifest.digest,
        settings=_settings(manifest),
        documentation={
            "title": manifest.title,
            "guidelines": guidelines,
            "software": manifest.software,
            "formats": manifest.formats,
            "datasheet": {
                key: text.strip() for key, text in datasheet.items() if text and text.strip()
            },
            **croissant,
        },
    )


def _settings(manifest: Manifest) -> dict[str, object]:
    terms = manifest.terms
    return {
        "campaign": manifest.campaign,
        "protocol": terms.protocol,
        "labels": terms.scheme,
        "label_choice": terms.choice,
        "exact_rule": terms.exact_rule,
        "selection": terms.selection,
        "questions": terms.question_keys,
        "answers": terms.question_schemes,
        "yes_no_questions": manifest.flag_questions,
        # named in another order, splits are the same
        "split": replace(terms.spec, predefined=tuple(sorted(terms.spec.predefined))),
        "seed": terms.seed,
        "comments": terms.has_comments,
    }


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
        metadata = Fields(json.loads((folder / _CROISSANT).read_bytes()), _CROISSANT)
    except (OSError, RecursionError, json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ReleaseError(f"{_CROISSANT}: cannot be read: {error}") from error
    return {name: metadata.text(name) for name in ("description", "license", "inLanguage")}


def _batches(folder: Path, manifest: Manifest, table: TableName, split: str) -> Iterator[Batch]:
    """The compared rows of a Parquet file. Raises ReleaseError naming it if it is damaged."""
    if table not in manifest.tables:
        return
    columns = stored_columns(manifest, table)
    schema = arrow_schema(columns, manifest.terms.scheme.labels)
    # what else is in the table of items follows from the ratings
    compared = {*KEYS[table], *SAYS[table]} if table == "items" else set(schema.names)
    place = f"{table}/{split}.parquet"
    names = [column.name for column in columns if column.name in compared]
    with refusing_damage(place):
        for batch in parquet_batches(str(folder / place), schema, columns=names, size=_ROWS):
            for column in columns:
                is_required = column.name in names and not column.optional
                if is_required and batch.column(column.name).null_count:
                    raise ReleaseError(f"{place}, field {column.name}: is null")
            yield {name: _values(batch, name) for name in names}


def _values(batch: "pa.RecordBatch", name: str) -> list[Any]:
    """Plain values; times are microseconds since 1970."""
    import pyarrow as pa  # slow to load, and few pages and commands need it

    column = batch.column(name)
    return (column.cast(pa.int64()) if pa.types.is_timestamp(column.type) else column).to_pylist()
