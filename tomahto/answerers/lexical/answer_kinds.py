"""The kind of answer that a question asks for, and the spans of a sentence that fit."""

import re
from collections.abc import Callable, Iterator, Mapping
from enum import Enum, auto
from typing import NamedTuple, TypeAlias

from tomahto.answerers.lexical.words import FUNCTION_WORDS, words


class AnswerKind(Enum):
    """The kinds of answers that have a recognisable form, and all others."""

    DATE = auto()
    NUMBER = auto()
    NAME = auto()
    PHRASE = auto()


class Span(NamedTuple):
    """`text[start:end]` of the sentence it was found in."""

    start: int
    end: int


_ASKED_BY: Mapping[AnswerKind, re.Pattern[str]] = {
    AnswerKind.DATE: re.compile(
        r"\bwhen\b|\b(?:what|which) (?:year|date|day|month|decade|century)\b", re.IGNORECASE
    ),
    AnswerKind.NUMBER: re.compile(
        r"\bhow (?:many|much|long|old|far|tall|high|large|big|fast|often)\b"
        r"|\bwhat (?:percent|percentage|number|amount|population|age|fraction)\b",
        re.IGNORECASE,
    ),
    AnswerKind.NAME: re.compile(
        r"\b(?:who|whom|whose|where)\b"
        r"|\b(?:what|which) (?:city|country|state|person|company|team|river|king|university)\b",
        re.IGNORECASE,
    ),
}

_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
)
_DATE = re.compile(
    rf"\b(?:\d{{1,2}} {_MONTH}|{_MONTH}(?: \d{{1,2}})?)(?:,? \d{{4}})?\b"
    r"|\b(?:1\d|20)\d\ds?\b"
    r"|\b\d{1,2}(?:st|nd|rd|th)[ -]century\b"
)
_NUMBER = re.compile(
    r"[$£€]?\b\d+(?:[.,]\d+)*(?: ?%| percent\b)?(?: (?:thousand|million|billion|trillion)\b)?"
    r"|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty"
    r"|sixty|seventy|eighty|ninety|half|hundreds?|thousands?|dozens?)\b",
    re.IGNORECASE,
)
_CAPITAL = "A-ZÀ-ÖØ-Þ"
# A point belongs to a name behind an initial ("J. Smith"), not at the end of a sentence.
_NAME_PART = rf"(?:\.(?= [{_CAPITAL}])|[\w'’-]*)"
_NAME = re.compile(
    rf"[{_CAPITAL}]{_NAME_PART}"
    rf"(?: (?:(?:of|the|de|van|von|and|&) ){{0,2}}[{_CAPITAL}0-9]{_NAME_PART})*"
)
_PUNCTUATION_BETWEEN_CHUNKS = re.compile(r"[^\w\s'’-]")


def answer_kind(question: str) -> AnswerKind:
    """The first kind whose form of question occurs; PHRASE if none does."""
    return next(
        (kind for kind, pattern in _ASKED_BY.items() if pattern.search(question)),
        AnswerKind.PHRASE,
    )


def spans_of_kind(kind: AnswerKind, sentence: str, asked: frozenset[str]) -> list[Span]:
    """The spans of that kind, in order, none of which repeats only words of the question.

    `asked` holds the stems of the question's words.
    """
    return [
        span
        for span in _FINDERS[kind](sentence, asked)
        if any(
            word.is_content and word.stem not in asked
            for word in words(sentence[span.start : span.end])
        )
    ]


def _matches(pattern: re.Pattern[str]) -> "_Finder":
    def find(sentence: str, _: frozenset[str]) -> Iterator[Span]:
        return (Span(*match.span()) for match in pattern.finditer(sentence))

    return find


def _names(sentence: str, _: frozenset[str]) -> Iterator[Span]:
    """Runs of capitalised words, without a function word that only begins the sentence."""
    for match in _NAME.finditer(sentence):
        start, end = match.span()
        first, _space, rest = match.group().partition(" ")
        if first.lower() in FUNCTION_WORDS:
            start = end - len(rest)
        if start < end:
            yield Span(start, end)


def _phrases(sentence: str, asked: frozenset[str]) -> Iterator[Span]:
    """Longest runs of content words that are not the question's, unbroken by punctuation."""
    run: Span | None = None
    for word in words(sentence):
        broken = run and _PUNCTUATION_BETWEEN_CHUNKS.search(sentence, run.end, word.start)
        belongs = word.is_content and word.stem not in asked
        if run and (broken or not belongs):
            yield run
            run = None
        if belongs:
            run = Span(run.start if run else word.start, word.end)
    if run:
        yield run


_Finder: TypeAlias = Callable[[str, frozenset[str]], Iterator[Span]]
_FINDERS: Mapping[AnswerKind, _Finder] = {
    AnswerKind.DATE: _matches(_DATE),
    AnswerKind.NUMBER: _matches(_NUMBER),
    AnswerKind.NAME: _names,
    AnswerKind.PHRASE: _phrases,
}
