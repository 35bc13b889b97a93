"""A span baseline that needs no model: the sentence that repeats the question, and a span of it."""

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence

from tomahto.answerers.interface import Answer, QuestionToAnswer
from tomahto.answerers.lexical.answer_kinds import AnswerKind, Span, answer_kind, spans_of_kind
from tomahto.answerers.lexical.sentences import split_sentences
from tomahto.answerers.lexical.words import words


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
    weights = _weights(found)
    total = sum(weights.values()) or 1.0
    shares = [sum(weights[stem] for stem in sorted(stems)) / total for stems in found]
    return sorted(zip(sentences, shares, strict=True), key=lambda ranked: -ranked[1])


def _weights(found: Sequence[frozenset[str]]) -> Mapping[str, float]:
    """ln(1 + sentences / sentences with the stem) for every stem found in some sentence."""
    occurrences = Counter(stem for stems in found for stem in stems)
    return {stem: math.log1p(len(found) / n) for stem, n in sorted(occurrences.items())}


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
