"""Scores as callers ask for them: of one answer, row by row, of a batch in which one bad pair does
not spoil the others, and of a question's ranked answers."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from tomahto.matching.interface import Matcher, Pair
from tomahto.matching.registry import available_matchers, load_matcher
from tomahto.pretrained.files import ModelError

DEFAULT = "feather"
ADDED = ("score", "accepted")


class Score(NamedTuple):
    """A candidate's score by its references.

    `value` is from 0 (wrong) to 1 (as good as a reference); `accepted` says whether it reaches the
    matcher's threshold. `version` changes whenever the same texts could get another value.
    """

    value: float
    accepted: bool
    matcher: str
    version: str


def score(
    question: str,
    references: Sequence[str],
    candidate: str,
    *,
    context: str = "",
    matcher: str = DEFAULT,
) -> Score:
    """The score of a candidate; the best of its references counts.

    Raises ValueError for wrong texts and UnknownMatcherError (a ValueError) for a name that is no
    matcher's; see `tomahto.matching.registry.load_matcher` for what a matcher may lack.
    """
    pair = _pair({"question": question, "references": references, "candidate": candidate}, context)
    chosen = load_matcher(matcher)
    (value,) = chosen.score([pair])
    return Score(value, value >= chosen.threshold, chosen.name, chosen.version)


def score_pairs(
    rows: Iterable[Mapping[str, Any]], *, matcher: str = DEFAULT
) -> list[dict[str, Any]]:
    """The rows again, in order, each with `score` and `accepted` added.

    A row has `question`, `references` (a list of texts), `candidate` and perhaps `context`; its
    other fields stay as they are. Raises ValueError naming the row, counted from 1, and the field
    for a row that lacks one, or that has a field which would be added.
    """
    chosen, given = load_matcher(matcher), list(rows)
    pairs = [_checked_pair(number, row) for number, row in enumerate(given, start=1)]
    return [
        {**row, "score": value, "accepted": value >= chosen.threshold}
        for row, value in zip(given, chosen.score(pairs), strict=True)
    ]


def matchers() -> tuple[str, ...]:
    """The names of the matchers that can be used here."""
    return available_matchers()


def _checked_pair(number: int, row: Mapping[str, Any]) -> Pair:
    if not isinstance(row, Mapping):
        raise ValueError(f"row {number}: must be a mapping, not {row!r:.40}")  # noqa: TRY004 - one kind of error
    taken = next((name for name in ADDED if name in row), None)
    if taken:
        raise ValueError(f"row {number}, field {taken}: already exists")
    try:
        return _pair(row, row.get("context", ""))
    except ValueError as error:
        raise ValueError(f"row {number}, field {error}") from None


def _pair(row: Mapping[str, Any], context: object) -> Pair:
    """Raises ValueError, the message beginning with the field's name."""
    for name in ("question", "references", "candidate"):
        if row.get(name) is None:
            raise ValueError(f"{name}: is missing")
    references = row.get("references")
    if isinstance(references, str) or not isinstance(references, Sequence) or not references:
        raise ValueError("references: must be a list of at least one text")
    texts = {"question": row.get("question"), "candidate": row.get("candidate"), "context": context}
    for name, text in (*texts.items(), *(("references", text) for text in references)):
        if not isinstance(text, str):
            raise ValueError(f"{name}: must be a text, not {text!r:.40}")  # noqa: TRY004 - one kind of error
    return Pair(row["question"], str(context), tuple(references), row["candidate"])


# what every matcher can score, if it can score anything
_HARMLESS = Pair("Who wrote it?", "Ann wrote it.", ("Ann",), "Ann")


@dataclass(frozen=True, slots=True)
class Unscored:
    """A pair that the matcher could not score. The reason is for people to read."""

    reason: str


def score_apart(matcher: Matcher, pairs: Sequence[Pair]) -> list[float | Unscored]:
    """A score or the reason why there is none for every pair, in order.

    If the batch fails it is halved until the pairs that make it fail are by themselves. Raises
    what concerns the matcher and not single pairs: an error it gives for a harmless pair as well.
    """
    return _score(matcher, pairs, is_sound=False)


def _score(matcher: Matcher, pairs: Sequence[Pair], *, is_sound: bool) -> list[float | Unscored]:
    if not pairs:
        return []
    try:
        return _checked_scores(matcher.score(pairs), len(pairs))
    except ModelError:
        raise
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
    if not is_sound:
        matcher.score([_HARMLESS])
    if len(pairs) == 1:
        return [Unscored(reason)]
    middle = len(pairs) // 2
    halves = (pairs[:middle], pairs[middle:])
    return [result for half in halves for result in _score(matcher, half, is_sound=True)]


def _checked_scores(scores: Sequence[float], wanted: int) -> list[float | Unscored]:
    """Raises ValueError if there is not one score for each pair."""
    if len(scores) != wanted:
        raise ValueError(f"{len(scores)} scores for {wanted} pairs")
    return [
        # NaN is between no two numbers
        score if 0 <= score <= 1 else Unscored(f"the score {score} is not between 0 and 1")
        for score in scores
    ]


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
        together = asked[start : start + _QUESTIONS]
        pairs = [
            Pair(one.question, one.context, one.references, answer)
            for one in together
            if one.references
            for answer in one.answers
        ]
        scores = iter(matcher.score(pairs))
        admitted += [
            [bool(one.references) and next(scores) >= least for _ in one.answers]
            for one in together
        ]
    return admitted
