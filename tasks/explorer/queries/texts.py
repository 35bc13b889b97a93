"""The texts of items, read for search and order."""

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from tasks.explorer.queries.words import words_of, words_of_item
from tasks.models import Item
from tasks.models.explorer import START


class ReadTexts(NamedTuple):
    """The words of an item, and how its question and its candidate begin, without case, accents and
    punctuation."""

    item: int
    words: Sequence[str]
    question_start: str
    candidate_start: str


def read_texts(items: Collection[int]) -> Iterator[ReadTexts]:
    """Of those items that there are."""
    rows = (
        Item.objects.filter(pk__in=items)
        .order_by("question_id")
        .values_list(
            *("pk", "key", "candidate", "references"),
            *("question_id", "question__text", "question__context"),
        )
    )
    question, asked, passage = None, list[str](), list[str]()
    for pk, key, candidate, references, question_id, text, context in rows:
        if question_id != question:
            # items of a question follow each other
            question, asked, passage = question_id, words_of(text), words_of(context)
        given = words_of(candidate)
        words = words_of_item(key, [asked, *map(words_of, references), given, passage])
        yield ReadTexts(pk, words, _start(asked), _start(given))


def _start(words: Sequence[str]) -> str:
    return " ".join(words)[:START]
