"""The quality of the systems, as people judged their answers (Bulian et al. 2022, Tab. 11).

Accuracy from few labels and many suggestions (`tomahto.estimates.prediction_powered`) is there only
if every answer that is to be judged has a score: those that happen to have one are no random part
of all, so that an estimate from them would be wrong in an unknown direction. It is valid only if
the answers judged so far are a random part of all. They are where items are handed out shuffled,
and not where the oldest or the most uncertain come first. A matcher that has learned from these
very labels predicts those better than the others, so it is no help.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from tasks.models import Campaign, ItemOrder
from tasks.prefill.queries.matchers import is_trained_name
from tasks.prefill.queries.suggestions import NewestSuggestion
from tasks.votes.ratings import counted_ratings
from tasks.votes.shared_items import system_answers
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.estimate import Estimate, estimate_as_json, undefined
from tomahto.estimates.prediction_powered import (
    PredictionPowered,
    prediction_powered_mean,
    with_known,
)
from tomahto.ranking.system_accuracy import (
    REPLICATES,
    Answer,
    JudgedSystem,
    SystemAnswers,
    accuracy,
    accuracy_with_exact,
    difference,
    judged_systems,
)
from tomahto.types import JsonObject


def systems_figures(campaign: Campaign) -> JsonObject:
    """Every system, best first, and the differences of all pairs, the better in this order first;
    counts alone where no label means that a candidate is right.

    Accuracy is the share of rated items with a correct majority label, ties left out; how right
    the candidates are that people judge; and that with the exact matches, which count as correct
    and are never rated. The order is that of the last.
    """
    accepted = frozenset(campaign.annotation_protocol.accepted_labels)
    bootstrap = bootstrap_of(campaign)
    ranked = judged_systems(system_answers(campaign), accepted, bootstrap)
    return {
        "systems": [_system(campaign, system) for system in ranked],
        "differences": [
            _difference(better.answers, worse.answers, bootstrap)
            for better, worse in combinations(ranked if accepted else (), 2)
        ],
    }


def bootstrap_of(campaign: Campaign) -> Bootstrap:
    return Bootstrap(REPLICATES, campaign.seed)


def _system(campaign: Campaign, system: JudgedSystem[int]) -> JsonObject:
    """With the items that still wait, which a release does not have."""
    answers, protocol = system.answers, campaign.annotation_protocol
    return system.figures(protocol.scheme.labels, protocol.accepted_labels) | {
        "items": answers.items,
        "unrated_items": answers.items - len(answers.rated),
    }


def _difference(
    better: SystemAnswers[int], worse: SystemAnswers[int], bootstrap: Bootstrap
) -> JsonObject:
    return {
        "better": better.system,
        "worse": worse.system,
        "shared": len(better.questions & worse.questions),
        **estimate_as_json(difference(better, worse, bootstrap)),
    }


_SHUFFLED = (ItemOrder.COMPLETE, ItemOrder.RANDOM)


def predicted_accuracy(
    campaign: Campaign,
    systems: Sequence[SystemAnswers[int]],
    opinions: dict[int, NewestSuggestion],
    bootstrap: Bootstrap,
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
        "systems": []
        if refused
        else [
            _of_system(_Predicted(system, campaign.suggestion_matcher, opinions), bootstrap)
            for system in systems
        ],
    }


def _why_refused(campaign: Campaign, opinions: dict[int, NewestSuggestion]) -> str | None:
    if campaign.item_order not in _SHUFFLED:
        return "order"
    if is_trained_name(campaign.suggestion_matcher):
        return "trained-here"
    return None if opinions else "no-suggestions"


@dataclass(frozen=True)
class _Predicted:
    """A system's answers and what the matcher says of their items."""

    system: SystemAnswers[int]
    matcher: str
    opinions: dict[int, NewestSuggestion]

    @cached_property
    def scored(self) -> list[tuple[float | None, float]]:
        """The correctness of an answer, None while nobody knows it, and its score, if it has
        one."""
        scores = ((answer.value, _score(answer, self.opinions)) for answer in self._answers)
        return [(value, score) for value, score in scores if score is not None]

    @property
    def without_score(self) -> int:
        return len(self._answers) - len(self.scored)

    @property
    def why_refused(self) -> str | None:
        if not self.without_score:
            return None
        without_item = sum(not all(answer.texts) for answer in self._answers)
        counts = f"{self.without_score:,} of {len(self._answers):,} answers"
        if self.without_score == without_item:
            return f"{counts} have no item that a matcher could score"
        return f"{counts} have no score of {self.matcher}: run prefill"

    def powered(self) -> PredictionPowered:
        judged = [(value, score) for value, score in self.scored if value is not None]
        further = [score for value, score in self.scored if value is None]
        human, scores = _array(value for value, _ in judged), _array(score for _, score in judged)
        return prediction_powered_mean(human, scores, _array(further))

    @property
    def _answers(self) -> Collection[Answer[int]]:
        return self.system.answers.values()


def _of_system(predicted: _Predicted, bootstrap: Bootstrap) -> JsonObject:
    system, refused = predicted.system, predicted.why_refused
    alone = (accuracy(system, bootstrap), accuracy_with_exact(system, bootstrap))
    powered, found = alone, None
    if refused:
        powered = (undefined(refused, n=alone[0].n), undefined(refused, n=alone[1].n))
    else:
        found = predicted.powered()
        if found.weight:  # at 0 predictions play no part
            exact, empty = len(system.exact), len(system.empty)
            total = len(system.questions)
            powered = (found.estimate, with_known(found, right=exact, wrong=empty, total=total))
    return {
        "system": system.system,
        "labelled": alone[0].n,
        "further": sum(value is None for value, _score in predicted.scored),
        "without_score": predicted.without_score,
        "weight": found.weight if found else None,
        "effective_n": found.effective_n if found else None,
        **_estimates(alone[0], powered[0]),
        "exact": len(system.exact),
        "empty": len(system.empty),
        "with_exact": _estimates(alone[1], powered[1]),
    }


def _estimates(alone: Estimate, powered: Estimate) -> JsonObject:
    return {"classical": estimate_as_json(alone), "powered": estimate_as_json(powered)}


def _score(answer: Answer[int], opinions: dict[int, NewestSuggestion]) -> float | None:
    """The mean over its texts of the highest score, as one right reference makes a text right."""
    if not all(item in opinions for item in answer.items) or not all(answer.texts):
        return None
    best = [max(opinions[item].score for item in text) for text in answer.texts]
    return sum(best) / len(best)


def _array(values: Iterable[float]) -> NDArray[np.float64]:
    return np.array(list(values), dtype=np.float64)
