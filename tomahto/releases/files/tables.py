"""The tables of a release as columns of values, a group of rows at a time."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from math import isnan
from operator import attrgetter
from typing import Any

from tomahto.releases.dataset.dataset import Dataset
from tomahto.releases.dataset.labels import VoteOutcome
from tomahto.releases.dataset.released_items import ReleasedItems
from tomahto.releases.records.columns import (
    ADJUDICATION_COLUMNS,
    ANSWER_COLUMNS,
    COMMENT,
    Column,
    TableName,
    item_columns,
    rating_columns,
)
from tomahto.releases.records.ratings import Ratings
from tomahto.releases.records.records import AnswerRecord, ItemRecord

ROW_GROUP = 10_000  # rows; fixed, so that the same rows make the same bytes
# Values by column, in the columns' order. Times are in UTC; what is there for each label is a tuple
# in the order of the labels.
Batch = Mapping[str, Sequence[Any]]


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its columns, and its rows split by split, in groups of ROW_GROUP."""

    name: TableName
    columns: tuple[Column, ...]
    labels: tuple[str, ...]
    sizes: Mapping[str, int]  # rows of each split
    batches: Callable[[str], Iterator[Batch]]


def release_tables(dataset: Dataset, names: Iterable[TableName]) -> tuple[Table, ...]:
    return tuple(_TABLES[name](dataset) for name in names)


def item_table(dataset: Dataset) -> Table:
    labels, groups = dataset.terms.scheme.labels, dataset.items_by_split
    columns = item_columns(dataset.optional_columns)

    def batches(split: str) -> Iterator[Batch]:
        for items in groups[split].groups(ROW_GROUP):
            records = list(items.records)
            yield {column.name: _item_values(column, items, records) for column in columns}

    return Table("items", columns, labels, _sizes(groups), batches)


def rating_table(dataset: Dataset) -> Table:
    groups, terms = dataset.ratings_by_split, dataset.terms
    keys, flags = terms.answer_columns, dataset.flag_questions

    def batches(split: str) -> Iterator[Batch]:
        for ratings in groups[split].groups(ROW_GROUP):
            answers = dict(zip(keys, _given_answers(ratings, keys, flags), strict=True))
            yield {
                name: answers[name] if name in answers else rating_values(ratings, name)
                for name in (column.name for column in columns)
            }

    columns = rating_columns(keys, flags, dataset.optional_columns, terms.has_comments)
    return Table("ratings", columns, terms.scheme.labels, _sizes(groups), batches)


def adjudication_table(dataset: Dataset) -> Table:
    groups = dataset.adjudications_by_split

    def batches(split: str) -> Iterator[Batch]:
        for decisions in _groups(groups[split]):
            yield {
                column.name: _column(decisions, "item_id" if column.name == "id" else column.name)
                for column in ADJUDICATION_COLUMNS
            }

    labels = dataset.terms.scheme.labels
    return Table("adjudications", ADJUDICATION_COLUMNS, labels, _sizes(groups), batches)


def answer_table(dataset: Dataset) -> Table:
    """A passage that an item of the release has is not said again for every answer."""
    groups = dataset.answers_by_split
    told = {record.question_id for record in dataset.items.records}

    def batches(split: str) -> Iterator[Batch]:
        return (answer_values(answers, told) for answers in _groups(groups[split]))

    return Table("answers", ANSWER_COLUMNS, dataset.terms.scheme.labels, _sizes(groups), batches)


_TABLES: Mapping[TableName, Callable[[Dataset], Table]] = {
    "items": item_table,
    "ratings": rating_table,
    "adjudications": adjudication_table,
    "answers": answer_table,
}


def answer_values(answers: Sequence[AnswerRecord], told: Set[str]) -> Batch:
    """The columns of answers; `told` are the questions whose passages items have."""
    questions = [answer.question for answer in answers]
    return {
        "document": [question.document for question in questions],
        "question_id": [question.id for question in questions],
        "source_split": [question.source_split for question in questions],
        "question": [question.question for question in questions],
        "context": [None if each.id in told else each.context for each in questions],
        "references": [list(question.references) for question in questions],
        "system": [answer.system for answer in answers],
        "candidate": [answer.candidate for answer in answers],
        "settled": [answer.settled for answer in answers],
        "items": [list(answer.items) for answer in answers],
    }


def _item_values(column: Column, items: ReleasedItems, records: Sequence[ItemRecord]) -> list[Any]:
    """A value that the release adds to the items, or that their records have under the column's
    name."""
    if column.name in _ADDED_VALUES:
        return _ADDED_VALUES[column.name](items)
    values = _column(records, column.name)
    return list(map(list, values)) if column.kind == "texts" else values


def _column(records: Sequence[object], name: str) -> list[Any]:
    return list(map(attrgetter(name), records))


def _of_votes(get: Callable[[VoteOutcome], Any]) -> "_Values":
    return lambda items: list(map(get, items.labels.each_outcome()))


_Values = Callable[[ReleasedItems], list[Any]]
_ADDED_VALUES: Mapping[str, _Values] = {
    "label": lambda items: items.labels.each("label"),
    "label_source": lambda items: items.labels.each_source(),
    "tie": _of_votes(attrgetter("tie")),
    "tied_labels": _of_votes(lambda outcome: list(outcome.tied)),
    "votes": _of_votes(attrgetter("votes")),
    "n_ratings": _of_votes(attrgetter("ratings")),
    "majority_label": lambda items: items.labels.each("majority"),
    "confidence": _of_votes(attrgetter("confidence")),
    "dawid_skene_label": lambda items: items.labels.each("dawid_skene"),
    "dawid_skene_confidence": lambda items: list(map(max, items.labels.each_posterior())),
    "dawid_skene_posterior": lambda items: items.labels.each_posterior(),
    "adjudicated_label": lambda items: items.labels.each_adjudicated(),
    "f1": lambda items: [None if isnan(f1) else f1 for f1 in items.f1.tolist()],
}


_RATING_FIELDS = {"id": "item_id", "created_at": "rated_at"}


def rating_values(ratings: Ratings, name: str) -> list[Any]:
    """A column of the ratings that is no answer; None where there is no comment."""
    values = ratings.values(_RATING_FIELDS.get(name, name))
    return [text or None for text in values] if name == COMMENT.name else values


def _given_answers(
    ratings: Ratings, keys: Sequence[str], flags: frozenset[str]
) -> Iterator[list[bool | str | None]]:
    for key in keys:
        said = [answers.get(key) for answers in ratings.answer_sets]
        values = [each and each == "yes" for each in said] if key in flags else said
        yield [values[place] for place in ratings.rows["answers"].tolist()]


def _groups(rows: Sequence[Any]) -> Iterator[Sequence[Any]]:
    return (rows[start : start + ROW_GROUP] for start in range(0, len(rows), ROW_GROUP))


def _sizes(groups: Mapping[str, Sequence[object]]) -> Mapping[str, int]:
    return {split: len(group) for split, group in groups.items()}
