"""A span baseline that needs no model: the sentence that repeats the question, and a span of it."""

import math
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum, auto
from typing import NamedTuple, TypeAlias

from tomahto.answerers.interface import Answer, QuestionToAnswer

_WORD = re.compile(r"[^\W_]+(?:['’.,-][^\W_]+)*")
_ENDING = re.compile(r"(?:ed|ing|es|s|e)$")
_STEM_LENGTH = 6

_FUNCTION_WORDS = """
a about after against all also although among an and another any are as at be became because
been before being between both but by can could did do does doing during each either even ever
few for from had has have having he her hers him his how however i if in into is it its itself
many may might more most much must near no nor not of off on once one only or other our out
over own same she should since so some such than that the their them then there these they
this those through to too under until up upon us very via was we were what when where whether
which while who whom whose why will with within without would you your
"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())


class Word(NamedTuple):
    """A word as `text[start:end]`. Equal stems are taken for the same word."""

    start: int
    end: int
    lower: str

    @property
    def stem(self) -> str:
        """The first letters without a common ending: crude, but `invents` joins `invention`."""
        return _ENDING.sub("", self.lower)[:_STEM_LENGTH]

    @property
    def is_content(self) -> bool:
        return self.lower not in FUNCTION_WORDS


def words(text: str) -> list[Word]:
    """The words in order. Inner hyphens, apostrophes, points and commas belong to a word."""
    return [Word(*match.span(), match.group().lower()) for match in _WORD.finditer(text)]


# A full stop ends a sentence before a space and a capital, digit or opening mark, unless it
# stands behind a single capital ("J. Smith") or a common title.
_END = re.compile(
    r"(?<!\b[A-Z]\.)(?<!\b(?:Dr|Mr|Ms|St)\.)(?<!\b(?:Gen|Mrs|Rev)\.)"
    r"(?<=[.!?])[\"'”’)\]]*\s+(?=[\"'“‘(\[]?[A-Z0-9])|\n+"
)


def split_sentences(text: str) -> list[str]:
    """The sentences in order, without empty ones; line breaks always end one."""
    sentences, start = [], 0
    for end in _END.finditer(text):
        sentences.append(text[start : end.start()])
        start = end.end()
    sentences.append(text[start:])
    return [sentence for sentence in sentences if sentence.strip()]


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


class LexicalAnswerer:
    """Answers with a span of the context, word for word.

    Sentences are ranked by the idf-weighted share of the question's words they hold, idf being
    taken over the context's sentences. The answer is a span of the asked kind (date, number, name,
    otherwise a phrase) from the best sentence that has one, long and near the question's words;
    if the context has none, a phrase. The score is that sentence's share, from 0 to 1.
    """

    name = "lexical"
    version = "lexical|rank:idf-share|stem:6|kinds:date,number,name,phrase|v1"

    def answer(self, questions: Sequence[QuestionToAnswer]) -> list[Answer]:
        """One answer per question, in order; an empty text if the context offers no span."""
        return [_answer(question) for question in questions]


def _answer(question: QuestionToAnswer) -> Answer:
    asked = frozenset(word.stem for word in words(question.question) if word.is_content)
    ranked = _rank(split_sentences(question.context), asked)
    for kind in dict.fromkeys((answer_kind(question.question), AnswerKind.PHRASE)):
        for sentence, share in ranked:
            if spans := spans_of_kind(kind, sentence, asked):
                return Answer(question.key, _best_span(spans, sentence, asked), share)
    return Answer(question.key, "", 0.0)


def _rank(sentences: Sequence[str], asked: frozenset[str]) -> list[tuple[str, float]]:
    """The sentences with their share of the question, best first; of equals the earlier."""
    found = [asked.intersection(word.stem for word in words(s)) for s in sentences]
    # ln(1 + sentences / sentences with the stem) for every stem that some sentence has
    occurrences = Counter(stem for stems in found for stem in stems)
    weights = {stem: math.log1p(len(found) / n) for stem, n in sorted(occurrences.items())}
    total = sum(weights.values()) or 1.0
    shares = [sum(weights[stem] for stem in sorted(stems)) / total for stems in found]
    return sorted(zip(sentences, shares, strict=True), key=lambda ranked: -ranked[1])


def _best_span(spans: Sequence[Span], sentence: str, asked: frozenset[str]) -> str:
    """The span with the smallest gap to a word of the question less its own length.

    Both are counted in characters. Of equals the first.
    """
    places = [word.start for word in words(sentence) if word.stem in asked]
    best = min(spans, key=lambda span: _gap(span, places) - (span.end - span.start))
    return sentence[best.start : best.end]


def _gap(span: Span, places: Sequence[int]) -> int:
    """Characters between the span and the nearest place; 0 if one is inside or there is none."""
    following = bisect_left(places, span.start)
    before = [span.start - place for place in places[max(following - 1, 0) : following]]
    after = [max(place - span.end, 0) for place in places[following : following + 1]]
    return min(before + after, default=0)
