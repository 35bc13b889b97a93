"""The accuracy of systems from few labels and many suggestions (`measures.prediction_powered`).

It is valid only if the answers judged so far are a random part of all. They are where items are
handed out shuffled, and not where the oldest or the most uncertain come first. A matcher that
has learned from these very labels predicts those better than the others, so it is no help.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from measures.estimate import Estimate, estimate_as_json
from measures.prediction_powered import PredictionPowered, prediction_powered_mean
from measures.system_answers import Answer, SystemAnswers
from tasks.models import Campaign, ItemOrder
from tasks.queries.ratings import counted_ratings
from tasks.queries.suggestions import Opinion
from tasks.queries.trained_matchers import is_trained_name

JsonObject = dict[str, Any]
_SHUFFLED = (ItemOrder.COMPLETE, ItemOrder.RANDOM)


def predicted_accuracy(
    campaign: Campaign, systems: Sequence[SystemAnswers], opinions: dict[int, Opinion]
) -> JsonObject:
    """Every system's accuracy from labels alone and with predictions.

    "refused" says why there is none, else it is null. "imported" counts ratings that came from
    files: that they are of a random part is an assumption.
    """
    refused = _why_refused(campaign, opinions)
    return {
        "matcher": campaign.suggestion_matcher,
        "order": campaign.item_order,
        "imported": counted_ratings(campaign).filter(assignment=None).count(),
        "refused": refused,
        "systems": [] if refused else [_of_system(system, opinions) for system in systems],
    }


def _why_refused(campaign: Campaign, opinions: dict[int, Opinion]) -> str | None:
    if campaign.item_order not in _SHUFFLED:
        return "order"
    if is_trained_name(campaign.suggestion_matcher):
        return "trained-here"
    return None if opinions else "no-suggestions"


def _of_system(system: SystemAnswers, opinions: dict[int, Opinion]) -> JsonObject:
    human: list[float] = []
    predicted: list[float] = []
    further: list[float] = []
    for answer in system.answers.values():
        score = _score(answer, opinions)
        if score is None:
            continue
        if answer.value is None:
            further.append(score)
        else:
            human.append(answer.value)
            predicted.append(score)
    found = prediction_powered_mean(_array(human), _array(predicted), _array(further))
    scored = len(human) + len(further)
    exact = len(system.exact)
    return {
        "system": system.system,
        "labelled": len(human),
        "further": found.predicted,
        "without_score": len(system.answers) - scored,
        "weight": found.weight,
        "effective_n": found.effective_n,
        **_estimates(found),
        "exact": exact,
        "with_exact": _estimates(found, exact / (exact + scored)) if scored else None,
    }


def _estimates(found: PredictionPowered, exact: float = 0.0) -> JsonObject:
    """Both estimates; `exact` is the share of all answers known to be right without labels."""
    return {
        "classical": estimate_as_json(_beside_exact(found.classical, exact)),
        "powered": estimate_as_json(_beside_exact(found.estimate, exact)),
    }


def _beside_exact(estimate: Estimate, exact: float) -> Estimate:
    def scaled(value: float | None) -> float | None:
        return None if value is None else exact + (1 - exact) * value

    return replace(
        estimate,
        value=scaled(estimate.value),
        low=scaled(estimate.low),
        high=scaled(estimate.high),
    )


def _score(answer: Answer, opinions: dict[int, Opinion]) -> float | None:
    """The mean over its texts of the highest score, as one right reference makes a text right."""
    if not all(item in opinions for item in answer.items) or not all(answer.texts):
        return None
    best = [max(opinions[item].score for item in text) for text in answer.texts]
    return sum(best) / len(best)


def _array(values: Sequence[float]) -> NDArray[np.float64]:
    return np.array(values, dtype=np.float64)
