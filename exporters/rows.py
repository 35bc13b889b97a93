"""Records as rows of the two tables, and back."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from exporters.columns import ITEM_COLUMNS, Column, TableName, rating_columns
from exporters.dataset import Dataset, ReleasedItem
from exporters.records import ItemRecord, RatingRecord

Row = dict[str, Any]  # by column name; times are datetimes in UTC


@dataclass(frozen=True, slots=True)
class Table:
    """One of the two tables: its columns, and its rows split by split."""

    name: TableName
    columns: tuple[Column, ...]
    labels: tuple[str, ...]
    sizes: Mapping[str, int]  # rows of each split
    rows: Callable[[str], Iterator[Row]]


def item_table(dataset: Dataset) -> Table:
    labels, groups = dataset.terms.scheme.labels, dataset.items_by_split

    def rows(split: str) -> Iterator[Row]:
        return (item_row(item, labels) for item in groups[split])

    sizes = {split: len(group) for split, group in groups.items()}
    return Table("items", ITEM_COLUMNS, labels, sizes, rows)


def rating_table(dataset: Dataset) -> Table:
    groups = dataset.ratings_by_split
    keys, flags = dataset.answer_columns, dataset.flag_questions

    def rows(split: str) -> Iterator[Row]:
        return (rating_row(rating, keys, flags) for rating in groups[split])

    sizes = {split: len(group) for split, group in groups.items()}
    labels = dataset.terms.scheme.labels
    return Table("ratings", rating_columns(keys, flags), labels, sizes, rows)


def item_row(item: ReleasedItem, labels: tuple[str, ...]) -> Row:
    record, label = item.record, item.label
    return {
        "id": record.id,
        "document": record.document,
        "question_id": record.question_id,
        "question_type": record.question_type,
        "question": record.question,
        "context": record.context,
        "references": list(record.references),
        "reference_index": record.reference_index,
        "candidate": record.candidate,
        "systems": list(record.systems),
        "label": label.label,
        "tie": label.tie,
        "votes": dict(zip(labels, label.votes, strict=True)),
        "n_ratings": label.ratings,
        "f1": item.f1,
    }


def item_record(row: Row) -> ItemRecord:
    return ItemRecord(
        id=row["id"],
        document=row["document"],
        question_id=row["question_id"],
        question_type=row["question_type"],
        question=row["question"],
        context=row["context"],
        references=tuple(row["references"]),
        candidate=row["candidate"],
        systems=tuple(row["systems"]),
        reference_index=row["reference_index"],
    )


def rating_row(rating: RatingRecord, keys: tuple[str, ...], flags: frozenset[str]) -> Row:
    answers = {key: rating.answers.get(key) for key in keys}
    return {
        "id": rating.item_id,
        "rater": rating.rater,
        "label": rating.label,
        **{key: _as_flag(answer) if key in flags else answer for key, answer in answers.items()},
        "counted": rating.counted,
        "seconds": None if rating.seconds is None else float(rating.seconds),
        "created_at": rating.rated_at,
        "guideline_version": rating.guideline_version,
        "suggestion_shown": rating.suggestion_shown,
    }


def rating_record(row: Row, keys: tuple[str, ...]) -> RatingRecord:
    answers = {key: _as_answer(row[key]) for key in keys if row[key] is not None}
    return RatingRecord(
        item_id=row["id"],
        rater=row["rater"],
        label=row["label"],
        answers=answers,
        counted=row["counted"],
        seconds=row["seconds"],
        rated_at=row["created_at"],
        guideline_version=row["guideline_version"],
        suggestion_shown=row["suggestion_shown"],
    )


def json_row(row: Row) -> Row:
    """The row as JSON says it: a time is a text such as 2026-01-31T12:00:00+00:00."""
    return {
        name: value.isoformat() if isinstance(value, datetime) else value
        for name, value in row.items()
    }


def _as_flag(answer: str | None) -> bool | None:
    return None if answer is None else answer == "yes"


def _as_answer(value: bool | str) -> str:
    if isinstance(value, str):
        return value
    return "yes" if value else "no"
