"""Pairs of which the first should score higher: of classes, and of items, which are all counted."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from tomahto.estimates.estimate import Estimate, undefined
from tomahto.types import Floats
from tomahto.votes.scheme import LabelScheme

ClassPair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class PairOutcomes:
    """Pairs of an item that should score higher and one that should score lower, by outcome.

    Of `pairs` pairs the higher item won, tied or lost.
    """

    won: int
    tied: int
    lost: int

    @property
    def pairs(self) -> int:
        return self.won + self.tied + self.lost

    @property
    def accuracy(self) -> Estimate:
        """Share of the pairs that were won; a tie is not won. `n` is the number of pairs.

        This is the pairwise ranking accuracy of CAP App. C.1, eq. 8, over all pairs.
        """
        return self._share(self.won)

    @property
    def auc(self) -> Estimate:
        """Share of the pairs that were won, ties counted half. `n` is the number of pairs.

        The area under the ROC curve equals the Mann-Whitney statistic over the number of pairs
        (Hanley and McNeil 1982).
        """
        return self._share(self.won + self.tied / 2)

    def _share(self, won: float) -> Estimate:
        if not self.pairs:
            return undefined("there is no pair to compare", n=0)
        return Estimate(value=won / self.pairs, n=self.pairs)


def pair_outcomes(higher: Floats, lower: Floats) -> PairOutcomes:
    """The outcomes of all pairs of a score from `higher` (N,) and one from `lower` (M,).

    `lower` must be ascending. Takes time N log M, less if `higher` is ascending too.
    """
    won = int(np.searchsorted(lower, higher, side="left").sum())
    not_lost = int(np.searchsorted(lower, higher, side="right").sum())
    return PairOutcomes(won, not_lost - won, len(higher) * len(lower) - not_lost)


def sum_of_outcomes(outcomes: Iterable[PairOutcomes]) -> PairOutcomes:
    """The outcomes of several sets of pairs taken together."""
    counted = list(outcomes)
    return PairOutcomes(
        won=sum(pairs.won for pairs in counted),
        tied=sum(pairs.tied for pairs in counted),
        lost=sum(pairs.lost for pairs in counted),
    )


def strictly_ordered_pairs(scheme: LabelScheme) -> tuple[ClassPair, ...]:
    """Every two classes of different rank, the higher one first, highest ranks first."""
    return tuple(
        (higher, lower)
        for higher, lower in combinations(descending(scheme), 2)
        if scheme.rank_of[higher] > scheme.rank_of[lower]
    )


def descending(scheme: LabelScheme) -> list[str]:
    """The labels by falling rank; those of equal rank as the scheme shows them."""
    return sorted(scheme.labels, key=lambda label: -scheme.rank_of[label])
