"""Rows of stored tables as the records they were written from."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeVar

from tomahto.releases.records.records import (
    AdjudicationRecord,
    AnsweredQuestion,
    AnswerRecord,
    ItemRecord,
    RatingRecord,
)

Row = dict[str, Any]  # by column name; times are datetimes in UTC
T = TypeVar("T")


def item_record(row: Row) -> ItemRecord:
    others = tuple(row.get("unrated_references", ()))
    return _record(ItemRecord, row, intended=row.get("intended", ""), unrated_references=others)


def rating_record(row: Row, keys: tuple[str, ...]) -> RatingRecord:
    answers = {key: as_answer(row[key]) for key in keys if row[key] is not None}
    comment = row.get("comment") or ""
    own = {"item_id": row["id"], "answers": answers, "rated_at": row["created_at"]}
    own |= {"wording": row.get("wording", ""), "set_aside": row.get("set_aside", False)}
    return _record(RatingRecord, row, **own, comment=comment)


def adjudication_record(row: Row) -> AdjudicationRecord:
    return _record(AdjudicationRecord, row, item_id=row["id"])


def answer_record(row: Row, contexts: Mapping[str, str], splits: tuple[str, ...]) -> AnswerRecord:
    """`contexts` are the passages that items have, by question. Raises KeyError if that of the
    answer's question is nowhere."""
    id_, passage = row["question_id"], row["context"]
    context = contexts[id_] if passage is None else passage
    question = _record(AnsweredQuestion, row, id=id_, context=context)
    return _record(AnswerRecord, row, question=question, splits=splits)


def _record(kind: type[T], row: Row, **others: Any) -> T:
    """A record whose fields have the names of columns, but for the others."""
    values = {name: row[name] for name in _NAMES[kind] if name not in others}
    for name, value in values.items():
        if isinstance(value, list):
            values[name] = tuple(value)
    return kind(**values, **others)


_NAMES: Mapping[type, tuple[str, ...]] = {
    kind: tuple(field.name for field in fields(kind))
    for kind in (ItemRecord, RatingRecord, AdjudicationRecord, AnsweredQuestion, AnswerRecord)
}


def as_answer(value: bool | str) -> str:
    """An answer as it was given, from a column of flags or of texts."""
    if isinstance(value, str):
        return value
    return "yes" if value else "no"
