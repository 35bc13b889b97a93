"""Rows of stored tables as the records they were written from."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from tomahto.releases.records.records import (
    AdjudicationRecord,
    AnsweredQuestion,
    AnswerRecord,
    ItemRecord,
    RatingRecord,
)

Row = dict[str, Any]  # by column name; times are datetimes in UTC


_ITEM_FIELDS = [each.name for each in fields(ItemRecord)]


def item_record(row: Row) -> ItemRecord:
    """The columns of an item's own are the fields of its record."""
    values = {name: row[name] for name in _ITEM_FIELDS}
    lists = {name: tuple(values[name]) for name in ("references", "systems")}
    return ItemRecord(**values | lists)


def rating_record(row: Row, keys: tuple[str, ...]) -> RatingRecord:
    answers = {key: as_answer(row[key]) for key in keys if row[key] is not None}
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
        comment=row.get("comment") or "",
    )


def adjudication_record(row: Row) -> AdjudicationRecord:
    return AdjudicationRecord(
        item_id=row["id"],
        adjudicator=row["adjudicator"],
        label=row["label"],
        first_label=row["first_label"],
        guideline_version=row["guideline_version"],
    )


def answer_record(row: Row, contexts: Mapping[str, str], splits: tuple[str, ...]) -> AnswerRecord:
    """`contexts` are the passages that items have, by question. Raises KeyError if that of the
    answer's question is nowhere."""
    passage = row["context"]
    return AnswerRecord(
        question=AnsweredQuestion(
            id=row["question_id"],
            document=row["document"],
            question=row["question"],
            context=contexts[row["question_id"]] if passage is None else passage,
            references=tuple(row["references"]),
            source_split=row["source_split"],
        ),
        system=row["system"],
        candidate=row["candidate"],
        settled=row["settled"],
        items=tuple(row["items"]),
        splits=splits,
    )


def as_answer(value: bool | str) -> str:
    """An answer as it was given, from a column of flags or of texts."""
    if isinstance(value, str):
        return value
    return "yes" if value else "no"
