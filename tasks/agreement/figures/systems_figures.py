"""The quality of the systems, as people judged their answers (Bulian et al. 2022, Tab. 11).

Accuracy from few labels and many suggestions (`tomahto.estimates.prediction_powered`) is there only
if every answer that is to be judged has a score: those that happen to have one are no random part
of all, so that an estimate from them would be wrong in an unknown direction. It is valid only if
the answers judged so far are a random part of all. They are where items are handed out shuffled,
and not where the oldest or the most uncertain come first. A matcher that has learned from these
very labels predicts those better than the others, so it is no help.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from tasks.agreement.figures.suggestion_figures import NewestSuggestions
from tasks.models import Campaign, ItemOrder
from tasks.prefill.queries.matchers import is_trained_name
from tasks.votes.labels import looked_up
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
    JudgedSystem,
    accuracy,
    accuracy_with_exact,
    difference,
    judged_systems,
    shared_questions,
)
from tomahto.ranking.system_answers import EMPTY, EXACT, TO_BE_RATED, SystemAnswers
from tomahto.types import Flags, Floats, JsonObject


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


def _system(campaign: Campaign, system: JudgedSystem) -> JsonObject:
    """With the items that still wait, which a release does not have."""
    answers, protocol = system.answers, campaign.annotation_protocol
    return system.figures(protocol.scheme.labels, protocol.accepted_labels) | {
        "items": len(answers.items),
        "unrated_items": len(answers.items) - answers.rated,
    }


def _difference(better: SystemAnswers, worse: SystemAnswers, bootstrap: Bootstrap) -> JsonObject:
    return {
        "better": better.system,
        "worse": worse.system,
        "shared": len(shared_questions(better, worse)[0]),
        **estimate_as_json(difference(better, worse, bootstrap)),
    }


_SHUFFLED = (ItemOrder.COMPLETE, ItemOrder.RANDOM)


def predicted_accuracy(
    campaign: Campaign,
    systems: Sequence[SystemAnswers],
    suggested: NewestSuggestions,
    bootstrap: Bootstrap,
) -> JsonObject:
    """Every system's accuracy from labels alone and with predictions.

    "refused" says why there is none, else it is null. "imported" counts ratings that came from
    files: that they are of a random part is an assumption.
    """
    refused = _why_refused(campaign, suggested)
    return {
        "matcher": campaign.suggestion_matcher,
        "order": campaign.item_order,
        "imported": counted_ratings(campaign).filter(assignment=None).count(),
        "refused": refused,
        "systems": []
        if refused
        else [
            _of_system(_Predicted(system, campaign.suggestion_matcher, suggested), bootstrap)
            for system in systems
        ],
    }


def _why_refused(campaign: Campaign, suggested: NewestSuggestions) -> str | None:
    if campaign.item_order not in _SHUFFLED:
        return "order"
    if is_trained_name(campaign.suggestion_matcher):
        return "trained-here"
    return None if len(suggested.items) else "no-suggestions"


@dataclass(frozen=True, eq=False)
class _Predicted:
    """A system's answers and what the matcher says of their items."""

    system: SystemAnswers
    matcher: str
    suggested: NewestSuggestions

    @cached_property
    def scores(self) -> Floats:
        """Of every answer to be judged (A,), NaN for one without: the mean over its texts of the
        highest score, as one right reference makes a text right."""
        system = self.system
        known = self.suggested.items, self.suggested.scores
        best = np.full(len(system.texts), -np.inf)
        np.maximum.at(best, system.item_texts, looked_up(*known, system.items, math.inf))
        best[np.isinf(best)] = math.nan
        questions = len(system.questions)
        sums = np.bincount(system.texts, best, questions)[self._is_judged]
        means: Floats = sums / np.bincount(system.texts, minlength=questions)[self._is_judged]
        return means

    @property
    def values(self) -> Floats:
        """The correctness of every answer to be judged (A,), NaN while nobody knows it."""
        return self.system.values[self._is_judged]

    @property
    def _is_judged(self) -> Flags:
        return self.system.are(TO_BE_RATED)

    @property
    def without_score(self) -> int:
        return int(np.isnan(self.scores).sum())

    @property
    def why_refused(self) -> str | None:
        if not self.without_score:
            return None
        system, answers = self.system, len(self.scores)
        is_missing = np.bincount(system.item_texts, minlength=len(system.texts)) == 0
        missing = np.bincount(system.texts[is_missing], minlength=len(system.questions))
        counts = f"{self.without_score:,} of {answers:,} answers"
        if self.without_score == int((missing[self._is_judged] > 0).sum()):
            return f"{counts} have no item that a matcher could score"
        return f"{counts} have no score of {self.matcher}: run prefill"

    @property
    def further(self) -> Floats:
        """The scores of answers that nobody has judged."""
        scores = self.scores[np.isnan(self.values)]
        return scores[~np.isnan(scores)]

    def powered(self) -> PredictionPowered:
        is_known = ~np.isnan(self.values) & ~np.isnan(self.scores)
        return prediction_powered_mean(self.values[is_known], self.scores[is_known], self.further)


def _of_system(predicted: _Predicted, bootstrap: Bootstrap) -> JsonObject:
    system, refused = predicted.system, predicted.why_refused
    alone = (accuracy(system, bootstrap), accuracy_with_exact(system, bootstrap))
    powered, found = alone, None
    exact, empty = system.count(EXACT), system.count(EMPTY)
    if refused:
        powered = (undefined(refused, n=alone[0].n), undefined(refused, n=alone[1].n))
    else:
        found = predicted.powered()
        if found.weight:  # at 0 predictions play no part
            total = len(system.questions)
            powered = (found.estimate, with_known(found, right=exact, wrong=empty, total=total))
    return {
        "system": system.system,
        "labelled": alone[0].n,
        "further": len(predicted.further),
        "without_score": predicted.without_score,
        "weight": found.weight if found else None,
        "effective_n": found.effective_n if found else None,
        **_estimates(alone[0], powered[0]),
        "exact": exact,
        "empty": empty,
        "with_exact": _estimates(alone[1], powered[1]),
    }


def _estimates(alone: Estimate, powered: Estimate) -> JsonObject:
    return {"classical": estimate_as_json(alone), "powered": estimate_as_json(powered)}
