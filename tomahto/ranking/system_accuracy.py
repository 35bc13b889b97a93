"""The accuracy of systems by what people judged of their answers (`system_answers`).

*Systems*, *How many more?*, the API, the command and releases show the accuracies made here.
Answers that are not judged yet are taken to be like those that are
(`tomahto.estimates.post_stratified`).
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.estimate import Estimate, estimate_as_json, undefined, with_width
from tomahto.estimates.post_stratified import post_stratified_mean
from tomahto.ranking.system_answers import EMPTY, EXACT, KINDS, TIE, TO_BE_RATED, SystemAnswers
from tomahto.scoring.judged_scores import JudgedScores
from tomahto.types import Floats, Integers
from tomahto.votes.majority import TIED

REPLICATES = 2000
_ENDS: Mapping[str, tuple[float, float]] = {
    EXACT: (1.0, 1.0),
    EMPTY: (0.0, 0.0),
    TO_BE_RATED: (0.0, 1.0),
}
"""Between what the value of an answer lies."""


@dataclass(frozen=True, slots=True)
class JudgedSystem:
    """A system's answers and its accuracy by three ways of counting."""

    answers: SystemAnswers
    of_items: Estimate
    of_candidates: Estimate
    with_exact: Estimate

    def figures(self, labels: Sequence[str], accepted: Collection[str]) -> dict[str, Any]:
        """Its values on pages and in releases: counts and, where a label means that a candidate is
        right, the number of judged ones and the three accuracies."""
        answers = self.answers
        places = {name: place for place, name in enumerate(answers.label_names)} | {TIE: TIED}
        counts = Counter(
            {name: int((answers.labels == place).sum()) for name, place in places.items()}
        )
        is_judged = answers.are(TO_BE_RATED) & ~np.isnan(answers.values)
        figures = {
            "system": answers.system,
            "candidates": len(answers.questions),
            "exact_matches": answers.count(EXACT),
            "empty_answers": answers.count(EMPTY),
            "judged_candidates": int(is_judged.sum()),
            "rated_items": answers.rated,
            "labels": {label: counts[label] for label in (*labels, TIE)},
            "accuracy": {
                "items": estimate_as_json(self.of_items),
                "candidates": estimate_as_json(self.of_candidates),
                "with_exact_matches": estimate_as_json(self.with_exact),
            },
        }
        if not accepted:
            del figures["judged_candidates"], figures["accuracy"]
        return figures


def judged_systems(
    systems: Iterable[SystemAnswers], correct: frozenset[str], bootstrap: Bootstrap
) -> list[JudgedSystem]:
    """The systems by their accuracy with exact matches, the best first."""
    judged = (
        JudgedSystem(
            answers,
            accuracy_of_items(answers, correct, bootstrap),
            accuracy(answers, bootstrap),
            accuracy_with_exact(answers, bootstrap),
        )
        for answers in systems
    )
    return sorted(judged, key=_rank_key)


def _rank_key(system: JudgedSystem) -> tuple[bool, float, str]:
    value = system.with_exact.value
    return value is None, -(value or 0.0), system.answers.system


def accuracy_of_items(
    system: SystemAnswers, correct: frozenset[str], bootstrap: Bootstrap
) -> Estimate:
    """The share of rated items with a correct majority label, ties left out; `n` counts items."""
    decided = system.labels >= 0
    if not decided.any():
        return undefined("no item has a majority label", n=0, seed=bootstrap.seed)
    is_correct = np.array([name in correct for name in system.label_names])
    right = is_correct[system.labels[decided]]
    # whoever calls every item right agrees with people as often as the items are right
    judged = JudgedScores(
        np.ones(len(right)),
        right,
        np.unique(system.item_questions[decided], return_inverse=True)[1],
    )
    return with_width(judged.accuracy(0.5, bootstrap))


def accuracy(system: SystemAnswers, bootstrap: Bootstrap) -> Estimate:
    """The correctness of the answers to be judged; exact matches and empty answers are left out.

    `n` counts answers.
    """
    return _mean({TO_BE_RATED: system.values[system.are(TO_BE_RATED)]}, bootstrap, _ENDS)


def accuracy_with_exact(system: SystemAnswers, bootstrap: Bootstrap) -> Estimate:
    """The correctness of all answers: exact matches are right, empty answers wrong. `n` counts
    both."""
    return _mean({kind: system.values[system.are(kind)] for kind in KINDS}, bootstrap, _ENDS)


def shared_questions(one: SystemAnswers, other: SystemAnswers) -> tuple[Integers, Integers]:
    """The places in either of the questions that both answer (S,)."""
    found = np.intersect1d(one.questions, other.questions, assume_unique=True, return_indices=True)
    return found[1], found[2]


def difference(one: SystemAnswers, other: SystemAnswers, bootstrap: Bootstrap) -> Estimate:
    """The accuracy of the first less that of the second, exact matches included.

    Question by question, over those that both answer; `n` counts the questions where both answers
    are known.
    """
    own, others = shared_questions(one, other)
    if not len(own):
        return undefined("they answer no question both", n=0, seed=bootstrap.seed)
    differences = one.values[own] - other.values[others]
    strata: dict[str, Floats] = {}
    ends: dict[str, tuple[float, float]] = {}
    for first, second in product(KINDS, KINDS):
        kind = f"{first} of the first and {second} of the second"
        if first == second:
            kind = f"{first} of both"
        (low, high), (least, most) = _ENDS[first], _ENDS[second]
        strata[kind] = differences[one.are(first)[own] & other.are(second)[others]]
        ends[kind] = low - most, high - least
    return _mean(strata, bootstrap, ends)


def _mean(
    strata: Mapping[str, Floats], bootstrap: Bootstrap, ends: Mapping[str, tuple[float, float]]
) -> Estimate:
    """Of the values by stratum, NaN where they are not known."""
    cells: dict[tuple[str, float | None], int] = {}
    for stratum, values in strata.items():
        known, counts = np.unique(values[~np.isnan(values)], return_counts=True)
        cells |= {
            (stratum, value): n for value, n in zip(known.tolist(), counts.tolist(), strict=True)
        }
        cells[stratum, None] = len(values) - int(counts.sum())
    return with_width(post_stratified_mean(cells, bootstrap, ends))
