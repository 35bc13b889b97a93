"""Read a release back: its manifest, and the dataset that its Parquet files hold."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from tomahto.releases.dataset.dataset import Dataset, assemble_dataset
from tomahto.releases.dataset.placement import Places
from tomahto.releases.files.table_files import (
    Row,
    adjudication_record,
    answer_record,
    item_record,
    parquet_rows,
    rating_record,
)
from tomahto.releases.records.columns import (
    FIXED_COLUMNS,
    Column,
    TableName,
    arrow_schema,
    item_columns,
    rating_columns,
)
from tomahto.releases.records.fields import ReleaseError
from tomahto.releases.records.records import (
    SETTLED,
    AnswerRecord,
    ItemRecord,
)
from tomahto.releases.stored.manifest import Manifest, read_manifest


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
    computed, only the splits of each item are taken as they stand.

    Raises ReleaseError if a file is damaged, a record is wrong or, where documents are kept whole,
    a document is in two splits.
    """
    items = [
        (split, item_record(row))
        for split in manifest.terms.spec.names
        for row in stored_rows(folder, manifest, "items", split)
    ]
    answers = _answers(folder, manifest, [item for _, item in items])
    places: dict[str, tuple[str, ...]] = {}
    for split, item in items:
        places[item.id] = (*places.get(item.id, ()), split)
    records: Iterable[ItemRecord] = (item for _, item in items)
    if manifest.terms.spec.keeps_documents:
        _check_documents(items, answers)
    else:
        records = dict.fromkeys(records)  # an item of several systems may be in several splits
    keys = manifest.terms.answer_columns
    ratings = _opinions(folder, manifest, "ratings", "rater")
    adjudications = _opinions(folder, manifest, "adjudications", "adjudicator")
    return assemble_dataset(
        manifest.terms,
        records,
        (rating_record(row, keys) for row in ratings),
        lambda items, answers: Places(
            [places[item.record.id] for item in items], [answer.splits for answer in answers]
        ),
        map(adjudication_record, adjudications),
        answers,
    )


def _answers(folder: Path, manifest: Manifest, items: Iterable[ItemRecord]) -> list[AnswerRecord]:
    """An answer in several splits comes once, with all of them."""
    contexts = {item.question_id: item.context for item in items}
    answers: dict[tuple[str, str, str], AnswerRecord] = {}
    for split in manifest.terms.spec.names:
        for row in stored_rows(folder, manifest, "answers", split):
            try:
                answer = answer_record(row, contexts, (split,))
            except KeyError as error:
                place = f"answers/{split}.parquet, field context"
                raise ReleaseError(f"{place}: is nowhere for question {error}") from error
            if answer.settled not in SETTLED:
                raise ReleaseError(f"answers/{split}.parquet, field settled: {answer.settled!r}")
            before = answers.get(answer.key)
            splits = (*(before.splits if before else ()), split)
            answers[answer.key] = replace(answer, splits=splits)
    return list(answers.values())


def _check_documents(
    items: Iterable[tuple[str, ItemRecord]], answers: Iterable[AnswerRecord]
) -> None:
    splits: dict[str, str] = {}
    places = chain(
        ((split, item.document) for split, item in items),
        ((split, answer.question.document) for answer in answers for split in answer.splits),
    )
    for split, document in places:
        if splits.setdefault(document, split) != split:
            raise ReleaseError(f"document {document!r} is in {splits[document]} and {split}")


def _opinions(folder: Path, manifest: Manifest, table: TableName, person: str) -> Iterator[Row]:
    """Every row of a table of opinions; by system, one on an item in several splits comes once."""
    spec = manifest.terms.spec
    first: dict[tuple[str, str], str] = {}
    for split in spec.names:
        for row in stored_rows(folder, manifest, table, split):
            key = (row["id"], row[person])
            if spec.keeps_documents or first.setdefault(key, split) == split:
                yield row


def stored_rows(folder: Path, manifest: Manifest, table: TableName, split: str) -> Iterator[Row]:
    """The rows of a Parquet file; none of a table that the release does not have. Raises
    ReleaseError naming file and row if it is damaged."""
    if table not in manifest.tables:
        return
    columns = stored_columns(manifest, table)
    place = f"{table}/{split}.parquet"
    schema = arrow_schema(columns, manifest.terms.scheme.labels)
    with refusing_damage(place):
        for number, row in enumerate(parquet_rows(str(folder / place), schema), start=1):
            for column in columns:
                if row[column.name] is None and not column.optional:
                    raise ReleaseError(f"{place}, row {number}, field {column.name}: is null")
            yield row


@contextmanager
def refusing_damage(place: str) -> Iterator[None]:
    """Raises ReleaseError naming the file if it cannot be read."""
    import pyarrow as pa  # slow to load, and few pages and commands need it

    try:
        yield
    except ReleaseError:
        raise
    except (OSError, ValueError, pa.ArrowException) as error:
        raise ReleaseError(f"{place}: cannot be read: {error}") from error


def stored_columns(manifest: Manifest, table: TableName) -> tuple[Column, ...]:
    """The columns of a table in a release with these questions."""
    if table == "items":
        return item_columns(manifest.optional_columns)
    terms, fixed = manifest.terms, FIXED_COLUMNS.get(table)
    return fixed or rating_columns(
        terms.answer_columns,
        manifest.flag_questions,
        manifest.optional_columns,
        terms.has_comments,
    )
