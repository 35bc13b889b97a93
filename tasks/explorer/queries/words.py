"""The words of texts and of a search, the same for both databases.

A word is a run of letters, their marks and digits without case, accents and compatibility forms:
`Café-Noir` has the words `cafe` and `noir`. Of scripts that put no blanks between words every
letter is one, so that a word of a search, whose letters have to stand in a row, is found anywhere.
The databases get words alone, so that they agree whatever their own idea of a word is."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from tasks.models import Item
from tasks.models.explorer import START

BETWEEN = "ß"
"""Stands between two texts, so that no phrase reaches from one into the next. No search has it: as
a letter of a text it becomes `ss`."""

_LONGEST = 100  # characters of a word that are kept
_PLACES = 16_383  # what PostgreSQL can number; words after them are found, but not in phrases
_MOST = 100_000  # words of an item
_MOST_BYTES = 900_000  # of them: PostgreSQL takes 1,048,575 in all, their places among them
_SHORTEST_BEGINNING = 2  # letters of the alphabet: one alone begins too many words
_UNSPACED = (
    "\u0e01-\u0edf\u1000-\u109f\u1780-\u17dd"  # Thai, Lao, Burmese, Khmer
    "\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff"  # Japanese, Chinese
)
# of letters of the alphabets that are found without them: Latin, Greek, Cyrillic, Hebrew, Arabic
_ACCENTS = re.compile(
    "[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670]"
)
_MARKS = "".join(
    chr(place) for place in range(0x0300, 0xAC00) if unicodedata.category(chr(place))[0] == "M"
)
_WORD = re.compile(
    rf"(?=\w)[{_UNSPACED}][{_MARKS}]*|[^\W_{_UNSPACED}](?:[^\W_{_UNSPACED}]|[{_MARKS}])*"
)
_PART = re.compile(r'(?P<not>-?)"(?P<phrase>[^"]*)"?|(?P<bare>\S+)')
_OR = "OR"


def words_of(text: str) -> list[str]:
    if text.isascii():
        plain = text.lower()
    else:
        spread = unicodedata.normalize("NFKD", text)
        plain = unicodedata.normalize("NFC", _ACCENTS.sub("", spread).casefold())
    return [word[:_LONGEST] for word in _WORD.findall(plain)]


def words_of_item(key: str, texts: Iterable[Sequence[str]]) -> list[str]:
    """All words of an item, given those of its texts; first its key as a single word."""
    words = [key_word(key)]
    for each in texts:
        words += [BETWEEN, *each]
    return _as_far_as_kept(words[:_MOST])


def _as_far_as_kept(words: list[str]) -> list[str]:
    """The first words, as many as a database has room for."""
    if 4 * sum(map(len, words)) <= _MOST_BYTES:
        return words
    ends = accumulate(len(word.encode()) for word in words)
    return words[: sum(end <= _MOST_BYTES for end in ends)]


def key_word(key: str) -> str:
    """The key of an item as a word that no text has."""
    return (BETWEEN + "".join(words_of(key)))[:_LONGEST]


def as_vector(words: Sequence[str]) -> str:
    """The words with their places, as PostgreSQL reads a `tsvector`."""
    placed = [f"{word}:{place}" for place, word in enumerate(words[:_PLACES], start=1)]
    return " ".join([*placed, *words[_PLACES:]])


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words in a row; of the last one the beginning will do, if so said."""

    words: tuple[str, ...]
    is_beginning: bool = False


@dataclass(frozen=True, slots=True)
class Alternative:
    """All of these phrases, and none of those."""

    wanted: tuple[Phrase, ...]
    unwanted: tuple[Phrase, ...]


Search = tuple[Alternative, ...]
"""One of these alternatives; none of them: nothing is found."""


def read_search(text: str) -> Search:
    """The words of a search. Every word must occur; "words in quotes" in a row; OR between
    alternatives; -word must not occur. The last word may be the beginning of one.

    Whatever is typed can be read; what has no letter and no digit asks for nothing.
    """
    parts = list(_PART.finditer(text))
    alternatives: list[Alternative] = []
    wanted: list[Phrase] = []
    unwanted: list[Phrase] = []
    for number, part in enumerate(parts, start=1):
        if part["bare"] == _OR:
            alternatives.append(Alternative(tuple(wanted), tuple(unwanted)))
            wanted, unwanted = [], []
            continue
        is_negated, phrase = _phrase(part, is_last=number == len(parts))
        if phrase.words:
            (unwanted if is_negated else wanted).append(phrase)
    alternatives.append(Alternative(tuple(wanted), tuple(unwanted)))
    return tuple(each for each in alternatives if each.wanted or each.unwanted)


def _phrase(part: re.Match[str], *, is_last: bool) -> tuple[bool, Phrase]:
    """Whether it must not occur, and what."""
    if part["bare"] is None:
        return bool(part["not"]), Phrase(tuple(words_of(part["phrase"])))
    words = tuple(words_of(part["bare"]))
    is_negated = part["bare"].startswith("-")
    last = words[-1] if words and is_last and not is_negated else ""
    return is_negated, Phrase(words, len(last) >= _SHORTEST_BEGINNING or not last.isascii())


def beginning_of_key(text: str) -> Search:
    """Items whose key begins so; nothing for what has no letter and no digit."""
    word = key_word(text)
    if word == BETWEEN:
        return ()
    return (Alternative((Phrase((word,), is_beginning=True),), ()),)


def for_postgres(search: Search) -> str:
    return " | ".join(f"({' & '.join(_terms_for_postgres(each))})" for each in search)


def _terms_for_postgres(alternative: Alternative) -> list[str]:
    wanted = alternative.wanted or (Phrase((BETWEEN,)),)
    unwanted = (f"!{_for_postgres(phrase)}" for phrase in alternative.unwanted)
    return [*map(_for_postgres, wanted), *unwanted]


def _for_postgres(phrase: Phrase) -> str:
    row = " <-> ".join(f"'{word}'" for word in phrase.words)
    return f"({row}{':*' if phrase.is_beginning else ''})"


def for_sqlite(search: Search) -> str:
    return " OR ".join(f"({_for_sqlite(each)})" for each in search)


def _for_sqlite(alternative: Alternative) -> str:
    # FTS5 knows "this and not that" alone: every item has what stands between its texts
    wanted = alternative.wanted or (Phrase((BETWEEN,)),)
    terms = " AND ".join(_quoted(phrase) for phrase in wanted)
    return "".join([f"({terms})", *(f" NOT {_quoted(phrase)}" for phrase in alternative.unwanted)])


def _quoted(phrase: Phrase) -> str:
    return f'"{" ".join(phrase.words)}"{"*" if phrase.is_beginning else ""}'


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
