"""The official evaluation of SQuAD 1.1: exact match and F1, equal to the last digit.

Source: the published rules of the evaluation script evaluate-v1.1.py (Rajpurkar et al. 2016, §6.1).
It differs from that of SQuAD 2.0 (`tomahto.scoring.squad_v2`): every gold answer counts, also one
without tokens, with which no answer shares a token; and a question without a prediction earns
nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from tomahto.scoring.squad_v2 import SquadQuestion, UnscorableQuestion
from tomahto.text.normalisation import bag_overlap, tokens

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
