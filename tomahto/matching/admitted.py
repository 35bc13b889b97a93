"""Which of a question's ranked answers a matcher takes for right (Bulian 2022 §5, App. C)."""

from collections.abc import Sequence
from dataclasses import dataclass

from tomahto.matching.interface import Matcher, Pair

_QUESTIONS = 500  # whose answers are scored at once


@dataclass(frozen=True, slots=True)
class RankedAnswers:
    """The answers that a system weighed for a question, best first. `context` may be empty."""

    question: str
    context: str
    references: tuple[str, ...]
    answers: tuple[str, ...]


def admitted_answers(
    matcher: Matcher, asked: Sequence[RankedAnswers], *, threshold: float | None = None
) -> list[list[bool]]:
    """For each question, which answers score at least `threshold`; the matcher's own if None.

    A question without references has nothing to compare with: none of its answers is admitted.
    Raises what the matcher raises.
    """
    least = matcher.threshold if threshold is None else threshold
    admitted: list[list[bool]] = []
    for start in range(0, len(asked), _QUESTIONS):
        admitted += _admitted(matcher, asked[start : start + _QUESTIONS], least)
    return admitted


def _admitted(
    matcher: Matcher, asked: Sequence[RankedAnswers], threshold: float
) -> list[list[bool]]:
    pairs = [
        Pair(one.question, one.context, one.references, answer)
        for one in asked
        if one.references
        for answer in one.answers
    ]
    scores = iter(matcher.score(pairs))
    return [
        [bool(one.references) and next(scores) >= threshold for _ in one.answers] for one in asked
    ]
