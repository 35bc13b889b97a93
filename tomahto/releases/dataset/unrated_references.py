"""References that a release knows of beside those that were rated."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tomahto.releases.records.records import AnswerRecord, ItemRecord


def with_unrated_references(
    items: Sequence[ItemRecord], answers: Sequence[AnswerRecord]
) -> Iterator[ItemRecord]:
    """The items, each with the references of its question that neither an item nor an answer of the
    question has: the right answers to a question are known, whatever was rated."""
    known, told = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for answer in answers:
        told[answer.question.id].update(answer.question.references)
    for item in items:
        told[item.question_id].update(item.references)
        known[item.question_id].update(item.unrated_references)
    unrated = {key: tuple(sorted(texts - told[key])) for key, texts in known.items()}
    for item in items:
        texts = unrated[item.question_id]
        yield item if item.unrated_references == texts else replace(item, unrated_references=texts)
