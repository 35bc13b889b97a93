"""Pairwise ranking accuracy on drawn pairs of items, as the paper has it (CAP App. C.1, eq. 8).

`monotonicity` counts every pair. A sample shows what a paper that drew pairs would have printed.
"""

from dataclasses import dataclass

import numpy as np

from tomahto.estimates.estimate import reason_as_json
from tomahto.ranking.monotonicity import monotonicity
from tomahto.ranking.order_counts import OrderedItems
from tomahto.ranking.pairs import PairOutcomes, strictly_ordered_pairs
from tomahto.types import Floats, Integers, JsonObject


@dataclass(frozen=True, slots=True)
class SampledPairs:
    """The outcomes of pairs that were drawn with `seed`, of so many `available` ones."""

    outcomes: PairOutcomes
    available: int
    seed: int

    def as_json(self) -> JsonObject:
        """The sample as a JSON object; an undefined accuracy is null beside a "reason"."""
        accuracy = self.outcomes.accuracy
        return {
            "n": self.outcomes.pairs,
            "available": self.available,
            "seed": self.seed,
            "won": self.outcomes.won,
            "tied": self.outcomes.tied,
            "lost": self.outcomes.lost,
            "accuracy": accuracy.value,
            **reason_as_json(accuracy),
        }


def sampled_pairs(items: OrderedItems, *, size: int, seed: int) -> SampledPairs:
    """The outcomes of `size` pairs of items whose classes are strictly ordered.

    Pairs are drawn without replacement, all alike; if there are no more than `size`, all count.
    Raises ValueError if `size` is less than 1.
    """
    if size < 1:
        raise ValueError(f"{size} pairs: a sample needs at least 1")
    index_of = items.scheme.index_of
    pairs = [(index_of[high], index_of[low]) for high, low in strictly_ordered_pairs(items.scheme)]
    members = [np.flatnonzero(items.classes == place) for place in range(len(index_of))]
    numbers = np.array([len(members[high]) * len(members[low]) for high, low in pairs])
    available = int(numbers.sum())
    if size >= available:
        everything = monotonicity(items.labels, items.scores, items.scheme).outcomes
        return SampledPairs(everything, available, seed)
    drawn = _distinct(available, size, np.random.default_rng(seed))
    ends = np.cumsum(numbers)
    margins = []
    for (high, low), start, end in zip(pairs, ends - numbers, ends, strict=True):
        first, last = np.searchsorted(drawn, [start, end])
        of_pair = drawn[first:last] - start
        margins.append(_margins(items.scores, members[high], members[low], of_pair))
    return SampledPairs(_outcomes(np.concatenate(margins)), available, seed)


def _distinct(available: int, size: int, generator: np.random.Generator) -> Integers:
    """So many different numbers below `available`, ascending, in memory of the order of `size`."""
    if 2 * size > available:
        return np.sort(generator.choice(available, size, replace=False, shuffle=False))
    drawn = np.empty(0, dtype=np.int64)
    while len(drawn) < size:
        more = generator.integers(0, available, size - len(drawn))
        drawn = np.sort(np.concatenate([drawn, more]))
        drawn = drawn[np.diff(drawn, prepend=-1) > 0]
    return drawn


def _margins(scores: Floats, higher: Integers, lower: Integers, numbers: Integers) -> Floats:
    """Score of the higher item less that of the lower, for pairs numbered row by row."""
    places, others = np.divmod(numbers, max(1, len(lower)))
    margins: Floats = scores[higher[places]] - scores[lower[others]]
    return margins


def _outcomes(margins: Floats) -> PairOutcomes:
    won, lost = int((margins > 0).sum()), int((margins < 0).sum())
    return PairOutcomes(won, len(margins) - won - lost, lost)
