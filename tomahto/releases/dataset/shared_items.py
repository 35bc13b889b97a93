"""Items that settle answers to other questions than their own, of the same text and passage."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from tomahto.releases.dataset.released_items import ReleasedItem, ReleasedItems
from tomahto.releases.records.records import AnswerRecord

Settled = tuple[tuple[str, str], ...]
"""Answers by the names of systems and the ids of questions."""


def shared_items(items: ReleasedItems, answers: Sequence[AnswerRecord]) -> dict[str, Settled]:
    """The items that settle answers to other questions than their own, by id, with all answers that
    they settle."""
    own = {record.id: record.question_id for record in items.records}
    shared: dict[str, list[tuple[str, str]]] = {
        item: []
        for answer in answers
        for item in answer.items
        if own.get(item, answer.question.id) != answer.question.id
    }
    for answer in answers if shared else ():
        for item in answer.items:
            if item in shared:
                shared[item].append((answer.system, answer.question.id))
    return {item: tuple(sorted(settled)) for item, settled in shared.items()}


def items_of_others(
    items: ReleasedItems, answers: Sequence[AnswerRecord]
) -> Mapping[str, Sequence[ReleasedItem]]:
    """By question, the items of other questions that settle an answer to it."""
    shared = shared_items(items, answers)
    found: dict[str, list[ReleasedItem]] = defaultdict(list)
    for item in items if shared else ():
        for question in sorted({question for _, question in shared.get(item.record.id, ())}):
            if question != item.record.question_id:
                found[question].append(item)
    return found
