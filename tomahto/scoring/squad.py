"""The official evaluations of SQuAD 2.0 and 1.1, equal to the last digit.

Source of 2.0, with its 13 values: the published rules of the evaluation script evaluate-v2.0.py
(Rajpurkar et al. 2018, "Know What You Don't Know"). Its sums are kept as they are, in the order of
the data and with the built-in `sum`, because another order of additions changes the last digits.
SQuAD 1.1 data are data without unanswerable questions.

Source of 1.1, with exact match and F1: the script evaluate-v1.1.py (Rajpurkar et al. 2016, §6.1).
There every gold answer counts, also one without tokens, with which no answer shares a token; and a
question without a prediction earns nothing.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal, NamedTuple

from tomahto.text.normalisation import bag_overlap, tokens

MissingPredictions = Literal["error", "empty"]
SquadInput = Literal["questions", "predictions", "na_probs"]


class SquadQuestion(NamedTuple):
    """A question's id and the texts of its gold answers, as listed; none: unanswerable."""

    id: str
    answers: Sequence[str]


class UnscorableQuestion(ValueError):
    """A question that cannot be scored: its id, what is wrong, and in which of the inputs."""

    def __init__(self, question: str, problem: str, source: SquadInput) -> None:
        super().__init__(f"question {question!r} {problem}")
        self.question, self.problem, self.source = question, problem, source


@dataclass(frozen=True, slots=True)
class SquadScores:
    """Exact match and F1 in percent over `total` questions."""

    exact: float
    f1: float
    total: int

    def as_json(self, prefix: str = "") -> dict[str, float]:
        return {
            f"{prefix}exact": self.exact,
            f"{prefix}f1": self.f1,
            f"{prefix}total": self.total,
        }


@dataclass(frozen=True, slots=True)
class BestThreshold:
    """The best score in percent that a threshold of the no-answer probability can reach."""

    score: float
    threshold: float


@dataclass(frozen=True, slots=True)
class SquadV2:
    """The official values; a part is None where the script leaves it out.

    `has_answer` and `no_answer` are left out without such questions, `best_exact` and `best_f1`
    without no-answer probabilities. `ignored` are the predictions of other questions.
    """

    overall: SquadScores
    has_answer: SquadScores | None
    no_answer: SquadScores | None
    best_exact: BestThreshold | None
    best_f1: BestThreshold | None
    ignored: int = 0

    def as_json(self) -> dict[str, float]:
        """The values under the script's names, in its order."""
        values = self.overall.as_json()
        for prefix, scores in (("HasAns_", self.has_answer), ("NoAns_", self.no_answer)):
            values |= scores.as_json(prefix) if scores else {}
        for name, best in (("best_exact", self.best_exact), ("best_f1", self.best_f1)):
            values |= {name: best.score, f"{name}_thresh": best.threshold} if best else {}
        return values


class _Outcome(NamedTuple):
    """The points of one prediction, before any threshold. `is_silent`: it is the empty text."""

    has_answer: bool
    exact: int
    f1: float
    is_silent: bool


_Decided = tuple[bool, float, float]
"""`has_answer`, `exact` and `f1` once the threshold has made some count as no answer."""


def squad_v2(
    questions: Iterable[SquadQuestion],
    predictions: Mapping[str, str],
    *,
    na_probs: Mapping[str, float] | None = None,
    na_threshold: float = 1.0,
    missing: MissingPredictions = "error",
) -> SquadV2:
    """The official values of predictions by question id.

    A question whose no-answer probability exceeds `na_threshold` counts as left unanswered;
    without probabilities all are 0. With them, the best thresholds are searched; of equal
    probabilities the order in `na_probs` decides, as in the script. Predictions and
    probabilities of other questions are ignored. A missing prediction is an error, or scored as
    the empty text where `missing` is "empty".

    Raises UnscorableQuestion if a question is there twice, or misses its prediction or its
    probability, or has one that is not finite; ValueError if there is no question.
    """
    outcomes = _outcomes(questions, predictions, missing)
    if not outcomes:
        raise ValueError("there is no question to score")
    zeros = [0.0] * len(outcomes)
    probabilities = zeros if na_probs is None else _probabilities(outcomes, na_probs)
    decided = _decided(outcomes, probabilities, na_threshold)
    best_exact, best_f1 = (None, None) if na_probs is None else _best(outcomes, na_probs)
    return SquadV2(
        overall=_scores(decided),
        has_answer=_scores_or_none([outcome for outcome in decided if outcome[0]]),
        no_answer=_scores_or_none([outcome for outcome in decided if not outcome[0]]),
        best_exact=best_exact,
        best_f1=best_f1,
        ignored=len(predictions.keys() - outcomes.keys()),
    )


def _outcomes(
    questions: Iterable[SquadQuestion], predictions: Mapping[str, str], missing: MissingPredictions
) -> dict[str, _Outcome]:
    outcomes: dict[str, _Outcome] = {}
    for question in questions:
        prediction = predictions.get(question.id)
        if prediction is None and missing == "error":
            raise UnscorableQuestion(question.id, "has no prediction", "predictions")
        if question.id in outcomes:
            raise UnscorableQuestion(question.id, "occurs twice in the data", "questions")
        outcomes[question.id] = _outcome(question.answers, prediction or "")
    return outcomes


def _outcome(answers: Sequence[str], prediction: str) -> _Outcome:
    """Exact match and F1 with the best gold answer.

    Only gold answers with tokens count. Without any, the right prediction has no tokens either;
    that keeps the integer 1 of the script, which Python may add otherwise than the float.
    """
    words = tokens(prediction)
    if words and prediction in answers:
        return _Outcome(True, 1, 1.0, False)
    gold = _distinct_tokens(answers)
    if not gold:
        return _Outcome(bool(answers), int(not words), int(not words), not prediction)
    if words in gold:
        return _Outcome(True, 1, 1.0, False)
    f1 = max(bag_overlap(words, reference).f1 for reference in gold)
    return _Outcome(True, 0, f1, not prediction)


def _distinct_tokens(answers: Sequence[str]) -> list[list[str]]:
    """The tokens of those that have any; annotators often gave the same answer."""
    distinct: list[list[str]] = []
    for text in dict.fromkeys(answers):
        words = tokens(text)
        if words and words not in distinct:
            distinct.append(words)
    return distinct


def _probabilities(outcomes: Iterable[str], na_probs: Mapping[str, float]) -> list[float]:
    probabilities = []
    for key in outcomes:
        probability = na_probs.get(key)
        if probability is None:
            raise UnscorableQuestion(key, "has no no-answer probability", "na_probs")
        if not math.isfinite(probability):
            problem = f"has the no-answer probability {probability}"
            raise UnscorableQuestion(key, problem, "na_probs")
        probabilities.append(probability)
    return probabilities


def _decided(
    outcomes: Mapping[str, _Outcome], probabilities: Sequence[float], threshold: float
) -> list[_Decided]:
    """Above the threshold a question counts as left unanswered, whatever was predicted."""
    return [
        (
            (has_answer, float(not has_answer), float(not has_answer))
            if probability > threshold
            else (has_answer, exact, f1)
        )
        for (has_answer, exact, f1, _), probability in zip(
            outcomes.values(), probabilities, strict=True
        )
    ]


def _scores(decided: Sequence[_Decided]) -> SquadScores:
    total = len(decided)
    return SquadScores(
        exact=100.0 * sum([exact for _, exact, _ in decided]) / total,
        f1=100.0 * sum([f1 for _, _, f1 in decided]) / total,
        total=total,
    )


def _scores_or_none(decided: Sequence[_Decided]) -> SquadScores | None:
    return _scores(decided) if decided else None


def _best(
    outcomes: Mapping[str, _Outcome], na_probs: Mapping[str, float]
) -> tuple[BestThreshold, BestThreshold]:
    """The best thresholds for exact match and for F1.

    Let one question after the other be answered, and keep the first highest score. At first all
    count as unanswered, which is right for those without an answer. Then a question with an answer
    adds what its prediction earns, and one without takes 1 off if the prediction is not silent.
    Equal thresholds are passed one by one, so the best may lie between them.
    """
    ascending = sorted(na_probs, key=na_probs.__getitem__)
    scored = [key for key in ascending if key in outcomes]
    thresholds = [0.0, *(na_probs[key] for key in scored)]
    ordered = [outcomes[key] for key in scored]
    unanswerable = len(ordered) - sum(outcome.has_answer for outcome in ordered)
    by_exact = [(one.exact if one.has_answer else one.is_silent - 1) for one in ordered]
    by_f1 = [(one.f1 if one.has_answer else one.is_silent - 1) for one in ordered]
    return (
        _first_highest(accumulate(by_exact, initial=unanswerable), thresholds),
        _first_highest(accumulate(by_f1, initial=unanswerable), thresholds),
    )


def _first_highest(running: Iterable[float], thresholds: Sequence[float]) -> BestThreshold:
    """The highest of the scores reached after each threshold; the first is the one before all."""
    scores = list(running)
    best = max(scores)
    return BestThreshold(100.0 * best / (len(scores) - 1), thresholds[scores.index(best)])


UnansweredQuestions = Literal["error", "zero"]


class Earned(NamedTuple):
    """A prediction beside the best of its question's gold answers: exact match, and F1 (0 to 1)."""

    exact_match: bool
    f1: float


@dataclass(frozen=True, slots=True)
class SquadV1:
    """Exact match and F1 in percent over `total` questions; `ignored` are the predictions of
    others."""

    exact_match: float
    f1: float
    total: int
    ignored: int = 0

    def as_json(self) -> dict[str, float]:
        """The script's two values under its names, and the number of questions."""
        return {"exact_match": self.exact_match, "f1": self.f1, "total": self.total}


def squad_v1(
    questions: Iterable[SquadQuestion],
    predictions: Mapping[str, str],
    *,
    missing: UnansweredQuestions = "error",
) -> SquadV1:
    """The official values of predictions by question id.

    Predictions of other questions are ignored. A missing prediction is an error, or earns nothing
    where `missing` is "zero", as in the script.

    Raises UnscorableQuestion if a question is there twice, has no gold answer or misses its
    prediction; ValueError if there is no question.
    """
    seen, exact, f1 = set[str](), 0, 0.0
    for question in questions:
        if question.id in seen:
            raise UnscorableQuestion(question.id, "occurs twice in the data", "questions")
        if not question.answers:
            raise UnscorableQuestion(question.id, "has no answer, as in SQuAD 2.0", "questions")
        seen.add(question.id)
        prediction = predictions.get(question.id)
        if prediction is None:
            if missing == "error":
                raise UnscorableQuestion(question.id, "has no prediction", "predictions")
            continue
        found = earned(question.answers, prediction)
        exact += found.exact_match
        # One after the other, not by `sum`, which rounds otherwise from Python 3.12 on.
        f1 += found.f1
    if not seen:
        raise ValueError("there is no question to score")
    ignored = len(predictions.keys() - seen)
    return SquadV1(100.0 * exact / len(seen), 100.0 * f1 / len(seen), len(seen), ignored)


def earned(answers: Sequence[str], prediction: str) -> Earned:
    """One prediction by the rules of the script; `answers` are its question's, at least one."""
    words = tokens(prediction)
    gold = [tokens(text) for text in dict.fromkeys(answers)]
    if not words:
        return Earned(words in gold, 0.0)
    if words in gold:
        return Earned(exact_match=True, f1=1.0)
    return Earned(exact_match=False, f1=max(bag_overlap(words, each).f1 for each in gold))
