"""References that a release knows of beside those that were rated."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from tomahto.releases.records.records import AnswerRecord, ItemRecord


def with_unrated_references(
    items: Sequence[ItemRecord], answers: Sequence[AnswerRecord]
) -> Iterator[ItemRecord]:
    """The items, each with the references of its question that neither an item nor an answer of the
    question has: the right answers to a question are known, whatever was rated."""
    unrated: dict[str, set[str]] = {}
    for item in items:
        if item.unrated_references:
            unrated.setdefault(item.question_id, set()).update(item.unrated_references)
    told = chain(
        ((answer.question.id, answer.question.references) for answer in answers),
        ((item.question_id, item.references) for item in items),
    )
    for key, references in told:
        if key in unrated:
            unrated[key].difference_update(references)
    in_order = {key: tuple(sorted(texts)) for key, texts in unrated.items()}
    for item in items:
        texts = in_order.get(item.question_id, ())
        yield item if item.unrated_references == texts else replace(item, unrated_references=texts)
