"""SQuAD files whose answers include the candidates that raters accepted.

The layout is that of SQuAD 1.1 (Rajpurkar et al. 2016) with `is_impossible` of SQuAD 2.0 (Rajpurkar
et al. 2018). More right answers than the references are what judgements of equivalence are for
(Bulian et al. 2022, §1). It is read again by `tomahto.interchange.formats.squad`.
"""

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from operator import attrgetter
from typing import Any

from tomahto.releases.dataset.dataset import Dataset, Terms
from tomahto.releases.dataset.released_items import ReleasedItem, items_of_others, known_references
from tomahto.releases.files.text_files import FormatFile, json_text
from tomahto.releases.records.records import AnsweredQuestion
from tomahto.text.normalisation import is_empty

_QUESTIONS = 1_000  # of one paragraph, which readers hold in memory as a whole
_ORDER = ("document", "context", "question_id", "question")  # the most significant first


@dataclass(frozen=True, slots=True)
class _Question:
    """A question with the items of the split that settle answers to it, and all references that are
    known."""

    document: str
    context: str
    question_id: str
    question: str
    references: Sequence[str]
    items: Sequence[ReleasedItem] = ()


def squad_files(dataset: Dataset) -> Iterator[FormatFile]:
    """`squad/SPLIT.json`: one article per document, one paragraph per passage.

    All questions are there that people judged a candidate of or that a system answered: also those
    that all systems answered exactly, and those that cannot be answered, which are impossible. The
    answers of a question are its references, then the candidates that `Terms.accepted_labels`
    accept and that are no reference. `accepted_answers` names the latter once more, with the ids
    of the items they were accepted in; a label drawn in a tie accepts nothing. `answer_start` is
    the first place where the text stands in the passage, in characters, or null where it does not:
    readers want the key, and a place that is none misleads them. Blank texts are no answers; a
    question without any is impossible.
    """
    for split, items in dataset.items_by_split.items():
        answered = {
            answer.question.id: answer.question for answer in dataset.answers_by_split[split]
        }
        shared = items_of_others(items, dataset.answers_by_split[split])
        questions = _questions(items, answered, shared)
        yield FormatFile(f"squad/{split}.json", _groups(questions, dataset.terms))


def _questions(
    items: Sequence[ReleasedItem],
    answered: Mapping[str, AnsweredQuestion],
    shared: Mapping[str, Sequence[ReleasedItem]],
) -> Iterator[_Question]:
    """In the order of _ORDER."""
    judged = {item.record.question_id for item in items}
    others = [
        _of_others(each, shared.get(each.id, ()))
        for each in answered.values()
        if each.id not in judged
    ]
    place = attrgetter(*_ORDER)
    return heapq.merge(_judged(items, answered, shared), sorted(others, key=place), key=place)


def _of_others(asked: AnsweredQuestion, items: Sequence[ReleasedItem]) -> _Question:
    references = known_references(items, asked)
    return _Question(asked.document, asked.context, asked.id, asked.question, references, items)


def _judged(
    items: Sequence[ReleasedItem],
    answered: Mapping[str, AnsweredQuestion],
    shared: Mapping[str, Sequence[ReleasedItem]],
) -> Iterator[_Question]:
    place = attrgetter(*(f"record.{name}" for name in _ORDER))
    for texts, group in groupby(_in_order(items), key=place):
        of_question = [*group, *shared.get(texts[2], ())]
        known = answered.get(texts[2])
        document, context, question_id, question = texts
        references = known_references(of_question, known)
        yield _Question(document, context, question_id, question, references, of_question)


def _groups(questions: Iterable[_Question], terms: Terms) -> Iterator[Iterable[str]]:
    yield ['{"version":"v2.0","data":[']
    articles = groupby(questions, attrgetter("document"))
    for number, (document, article) in enumerate(articles):
        yield [f'{"," if number else ""}\n{{"title":{json_text(document)},"paragraphs":[']
        for place, paragraph in enumerate(_paragraphs(article, terms)):
            yield [f"{',' if place else ''}\n{json_text(paragraph)}"]
        yield ["]}"]
    yield ["\n]}\n"]


def _in_order(items: Sequence[ReleasedItem]) -> list[ReleasedItem]:
    """Sorted by the fields of _ORDER and id. Stable sorts by one key each: a tuple for each item
    would take several times the memory."""
    ordered = list(items)
    for name in reversed(_ORDER):
        ordered.sort(key=attrgetter(f"record.{name}"))
    return ordered


def _paragraphs(article: Iterable[_Question], terms: Terms) -> Iterator[Mapping[str, Any]]:
    for context, passage in groupby(article, attrgetter("context")):
        questions = (_question(each, terms) for each in passage)
        while paragraph := list(islice(questions, _QUESTIONS)):
            yield {"context": context, "qas": paragraph}


def _question(asked: _Question, terms: Terms) -> Mapping[str, Any]:
    accepted = {
        text: ids
        for text, ids in _accepted(asked.items, terms).items()
        if text not in asked.references
    }
    answers = [_answer(text, asked.context) for text in (*asked.references, *accepted)]
    return {
        "id": asked.question_id,
        "question": asked.question,
        "answers": answers,
        "is_impossible": not answers,
        "accepted_answers": [{"text": text, "items": ids} for text, ids in accepted.items()],
    }


def _accepted(items: Sequence[ReleasedItem], terms: Terms) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = {}
    for item in items:
        if item.label.settled in terms.accepted_labels:
            found.setdefault(item.record.candidate, []).append(item.record.id)
    return {text: ids for text, ids in found.items() if not is_empty(text)}


def _answer(text: str, context: str) -> Mapping[str, Any]:
    start = context.find(text)
    return {"text": text, "answer_start": None if start < 0 else start}
