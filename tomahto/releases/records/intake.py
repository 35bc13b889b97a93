"""From records in any order to decisions and answers of systems as a release has them: sorted,
checked, each text held once, and every answer with how it was settled.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
from itertools import pairwise
from operator import attrgetter
from typing import TypeVar

from tomahto.releases.records.checks import check_adjudication, check_answer
from tomahto.releases.records.fields import ReleaseError
from tomahto.releases.records.records import (
    AdjudicationRecord,
    AnsweredQuestion,
    AnswerRecord,
    ItemRecord,
)

T = TypeVar("T")

Adjudications = tuple[AdjudicationRecord, ...]  # sorted by item id and adjudicator


def take_in_adjudications(
    records: Iterable[AdjudicationRecord], labels: Sequence[str], item_ids: Set[str]
) -> Adjudications:
    """The records in order.

    Raises ReleaseError if a label is unknown, an item is not there, or an adjudicator decided on
    one twice.
    """
    adjudications = tuple(sorted(records, key=lambda each: (each.item_id, each.adjudicator)))
    previous = None
    for each in adjudications:
        who = (each.item_id, each.adjudicator)
        if who == previous:
            raise ReleaseError(f"item {who[0]!r} has two decisions of adjudicator {who[1]!r}")
        if each.item_id not in item_ids:
            raise ReleaseError(
                f"adjudicator {who[1]!r} decided on item {who[0]!r}, which is not there"
            )
        check_adjudication(each, labels)
        previous = who
    return adjudications


def adjudicated_labels(adjudications: Adjudications) -> Mapping[str, str | None]:
    """The label of every adjudicated item by its id; None where its adjudicators differ."""
    labels: dict[str, set[str]] = {}
    for each in adjudications:
        labels.setdefault(each.item_id, set()).add(each.label)
    return {id_: min(found) if len(found) == 1 else None for id_, found in labels.items()}


_ASKED = attrgetter("document", "question", "context", "source_split")


class Answers(tuple[AnswerRecord, ...]):
    """Answers by question, system and text, each question held once."""

    __slots__ = ()


def take_in_answers(records: Iterable[AnswerRecord]) -> Answers:
    """Go through the records once. Questions, names and texts that recur take their memory once.

    Raises ReleaseError if an answer is there twice, a question says two things, or an exact answer
    is none of its references.
    """
    if isinstance(records, Answers):
        return records
    seen: dict[object, object] = {}
    questions: dict[str, AnsweredQuestion] = {}

    def shared(value: T) -> T:
        return seen.setdefault(value, value)  # type: ignore[return-value]  # equal, so a T as well

    def taken_in(answer: AnswerRecord) -> AnswerRecord:
        check_answer(answer)
        return AnswerRecord(
            question=_the_question(questions, answer),
            system=shared(answer.system),
            candidate=shared(answer.candidate),
            settled=answer.settled,
            items=shared(tuple(sorted(answer.items))),
            splits=shared(answer.splits),
        )

    answers = Answers(sorted(map(taken_in, records), key=attrgetter("key")))
    for answer, following in pairwise(answers):
        if answer.key == following.key:
            question, system, _text = answer.key
            raise ReleaseError(f"an answer of {system!r} to question {question!r} occurs twice")
    return answers


def settled_answers(
    answers: Sequence[AnswerRecord],
    splits: Iterable[tuple[str, ...]],
    items: Iterable[ItemRecord],
) -> Answers:
    """The answers that have a split, with those of their items that are released.

    One of which an item is missing is not rated: people have not said all that they were asked.
    Raises ReleaseError if answers and items contradict each other.
    """
    if not answers:
        return Answers()
    released = {item.id: item for item in items}
    settled = Answers(
        _settled(answer, places, released)
        for answer, places in zip(answers, splits, strict=True)
        if places
    )
    _check_items(settled, released)
    return settled


def _the_question(questions: dict[str, AnsweredQuestion], answer: AnswerRecord) -> AnsweredQuestion:
    question = replace(answer.question, references=tuple(sorted(set(answer.question.references))))
    known = questions.setdefault(question.id, question)
    if known != question:
        raise ReleaseError(f"question {question.id!r}: its answers say two things of it")
    return known


def _settled(
    answer: AnswerRecord, splits: tuple[str, ...], released: Mapping[str, ItemRecord]
) -> AnswerRecord:
    items = tuple(item for item in answer.items if item in released)
    is_whole = bool(items) and len(items) == len(answer.items)
    settled = "not-rated" if answer.settled == "rated" and not is_whole else answer.settled
    return replace(answer, settled=settled, items=items, splits=splits)


def _check_items(answers: Answers, released: Mapping[str, ItemRecord]) -> None:
    """Every item of an answer has its texts, and every item of its systems is named."""
    questions = {answer.question.id: answer.question for answer in answers}
    named: set[tuple[str, str]] = set()
    for item in released.values():
        question = questions.get(item.question_id)
        if question and _ASKED(item) != _ASKED(question):
            raise ReleaseError(f"item {item.id!r}: its question is another one in the answers")
    for answer in answers:
        for item in map(released.__getitem__, answer.items):
            if answer.system not in item.systems:
                raise ReleaseError(
                    f"item {item.id!r}: is not of {answer.system!r}, but in its answers"
                )
            if not _settles(item, answer):
                raise _not_of(item, answer.system)
            named.add((item.id, answer.system))
    systems = {answer.system for answer in answers}
    for item in released.values():
        for system in systems.intersection(item.systems):
            if (item.id, system) not in named:
                raise _not_of(item, system)


def _settles(item: ItemRecord, answer: AnswerRecord) -> bool:
    """It is of the answer's question, or of another one with the same texts
    (tomahto.ranking.system_answers)."""
    question = answer.question
    return item.candidate == answer.candidate and (
        item.question_id == question.id
        or (
            (item.question, item.context) == (question.question, question.context)
            and set(item.references) <= set(question.references)
        )
    )


def _not_of(item: ItemRecord, system: str) -> ReleaseError:
    return ReleaseError(f"item {item.id!r}: is not that of an answer of {system!r}")
