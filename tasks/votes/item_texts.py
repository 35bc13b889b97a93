"""Items with all their texts, for files of a whole campaign: what many share is read once.

Plain rows in place of models: for a million items these would take most of the time.
"""

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast

from tasks.models import Item, ItemSystem, Question

_CHUNK = 2000
_ITEM = ("pk", "question_id", "key", "listed", "candidate", "reference_index", "intended")
_QUESTION = ("pk", "document__key", "key", "text", "context", "question_type", "split")
_GAPS = 4  # ids from the first to the last for each one that is wanted


class QuestionTexts(NamedTuple):
    pk: int
    document: str
    key: str
    text: str
    context: str
    question_type: str
    split: str


class ItemTexts(NamedTuple):
    """`systems` are sorted; equal references are one object within some thousand items."""

    pk: int
    question: QuestionTexts
    key: str
    references: tuple[str, ...]
    candidate: str
    reference_index: int | None
    intended: str
    systems: tuple[str, ...]


def texts_of_items(items: QuerySet[Item]) -> Iterator[ItemTexts]:
    """The items in their order, some thousand at a time in memory."""
    listed = items.annotate(listed=Cast("references", TextField()))
    rows = iter(listed.values_list(*_ITEM).iterator(chunk_size=_CHUNK))
    while chunk := list(islice(rows, _CHUNK)):
        questions = _questions({row[1] for row in chunk})
        systems = _systems([row[0] for row in chunk])
        lists = {text: tuple(json.loads(text)) for text in {row[3] for row in chunk}}
        for pk, question, key, references, candidate, index, intended in chunk:
            texts = key, lists[references], candidate, index, intended
            yield ItemTexts(pk, questions[question], *texts, tuple(systems[pk]))


def among(field: str, ids: Collection[int]) -> Q:
    """Those with these ids; with those between them as well where there cannot be many."""
    first, last = min(ids), max(ids)
    if last - first < _GAPS * len(ids):
        return Q(**{f"{field}__gte": first, f"{field}__lte": last})
    return Q(**{f"{field}__in": ids})


def _questions(ids: Collection[int]) -> Mapping[int, QuestionTexts]:
    rows: Iterable[tuple[int, str, str, str, str, str, str]]
    rows = Question.objects.filter(among("pk", ids)).values_list(*_QUESTION)
    return {row[0]: QuestionTexts(*row) for row in rows}


def _systems(items: Collection[int]) -> Mapping[int, list[str]]:
    """Sorted names by item; the database need not sort them for each item to be so."""
    names: dict[int, list[str]] = defaultdict(list)
    links = ItemSystem.objects.filter(among("item", items)).values_list("item_id", "system__name")
    for item, name in links:
        names[item].append(name)
    for each in names.values():
        each.sort()
    return names
