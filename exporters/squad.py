"""SQuAD files whose answers include the candidates that raters accepted.

The layout is that of SQuAD 1.1 (Rajpurkar et al. 2016) with `is_impossible` of SQuAD 2.0 (Rajpurkar
et al. 2018). More right answers than the references are what judgements of equivalence are for
(Bulian et al. 2022, §1).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice
from operator import attrgetter
from typing import Any

from exporters.dataset import Dataset, Terms
from exporters.format_file import FormatFile
from exporters.json_lines import json_text
from exporters.released_items import ReleasedItem

_QUESTIONS = 1_000  # of one paragraph, which readers hold in memory as a whole
# From the least to the most significant.
_ORDER = ("question", "question_id", "context", "document")


def squad_files(dataset: Dataset) -> Iterator[FormatFile]:
    """`squad/SPLIT.json`: one article per document, one paragraph per passage.

    The answers of a question are its references, as far as items of the split have them, then the
    candidates that `Terms.accepted_labels` accept and that are no reference. `accepted_answers`
    names the latter once more, with the ids of the items they were accepted in; a label drawn in a
    tie accepts nothing. `answer_start` is the first place where the text stands in the passage, in
    characters, or null where it does not: readers want the key, and a place that is none misleads
    them. Blank texts are no answers; a question without any is impossible.
    """
    for split, items in dataset.items_by_split.items():
        yield FormatFile(f"squad/{split}.json", _groups(items, dataset.terms))


def _groups(items: Sequence[ReleasedItem], terms: Terms) -> Iterator[Iterable[str]]:
    yield ['{"version":"v2.0","data":[']
    articles = groupby(_in_order(items), lambda item: item.record.document)
    for number, (document, article) in enumerate(articles):
        yield [f'{"," if number else ""}\n{{"title":{json_text(document)},"paragraphs":[']
        for place, paragraph in enumerate(_paragraphs(article, terms)):
            yield [f"{',' if place else ''}\n{json_text(paragraph)}"]
        yield ["]}"]
    yield ["\n]}\n"]


def _in_order(items: Sequence[ReleasedItem]) -> list[ReleasedItem]:
    """Sorted by document, passage, question and id. Stable sorts by one key each: a tuple for each
    item would take several times the memory."""
    ordered = list(items)
    for name in _ORDER:
        ordered.sort(key=attrgetter(f"record.{name}"))
    return ordered


def _paragraphs(article: Iterable[ReleasedItem], terms: Terms) -> Iterator[Mapping[str, Any]]:
    for context, passage in groupby(article, lambda item: item.record.context):
        questions = (
            _question(list(items), context, terms)
            for _, items in groupby(passage, lambda item: item.record.question_id)
        )
        while paragraph := list(islice(questions, _QUESTIONS)):
            yield {"context": context, "qas": paragraph}


def _question(items: Sequence[ReleasedItem], context: str, terms: Terms) -> Mapping[str, Any]:
    record = items[0].record
    references = _references(items)
    accepted = {
        text: ids for text, ids in _accepted(items, terms).items() if text not in references
    }
    answers = [_answer(text, context) for text in (*references, *accepted)]
    return {
        "id": record.question_id,
        "question": record.question,
        "answers": answers,
        "is_impossible": not answers,
        "accepted_answers": [{"text": text, "items": ids} for text, ids in accepted.items()],
    }


def _references(items: Sequence[ReleasedItem]) -> Sequence[str]:
    """Distinct, in the order in which the question has them where items say so."""
    ordered = sorted(items, key=lambda item: item.record.reference_index or 0)
    texts = dict.fromkeys(text for item in ordered for text in item.record.references)
    return [text for text in texts if not _is_blank(text)]


def _accepted(items: Sequence[ReleasedItem], terms: Terms) -> Mapping[str, list[str]]:
    """The ids of the items in which a candidate was accepted, by candidate."""
    found: dict[str, list[str]] = {}
    for item in items:
        if item.label.label in terms.accepted_labels and item.label.source != "tie":
            found.setdefault(item.record.candidate, []).append(item.record.id)
    return {text: ids for text, ids in found.items() if not _is_blank(text)}


def _answer(text: str, context: str) -> Mapping[str, Any]:
    start = context.find(text)
    return {"text": text, "answer_start": None if start < 0 else start}


def _is_blank(text: str) -> bool:
    return not text or text.isspace()
