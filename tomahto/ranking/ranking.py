"""How well scores keep an order: rank correlations, and pairs counted without sampling."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from tomahto.estimates.estimate import Estimate, undefined
from tomahto.types import Floats, Integers


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


def midranks(values: Floats) -> Floats:
    """Ranks from 1 (N,); equal values share the mean of the ranks they take up."""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    means: Floats = np.cumsum(counts) - (counts - 1) / 2
    return means[places]


def spearman_rho(one: Floats, other: Floats) -> Estimate:
    """Spearman's rho of two paired series (N,): Pearson's correlation of their mid-ranks.

    Undefined if all values of a series are equal. `n` is the number of pairs.
    """
    if reason := _why_no_correlation(one, other):
        return undefined(reason, n=len(one))
    first, second = (midranks(series) - (len(one) + 1) / 2 for series in (one, other))
    value = float(first @ second) / math.sqrt(float(first @ first) * float(second @ second))
    return Estimate(value=min(1.0, max(-1.0, value)), n=len(one))


def kendall_tau_b(one: Floats, other: Floats) -> Estimate:
    """Kendall's tau-b of two paired series (N,), counted exactly in time N log N.

    tau-b = (C - D) / sqrt((n0 - t1) (n0 - t2)), with C concordant and D discordant of the
    n0 = N (N - 1) / 2 pairs, and t1 and t2 pairs tied in the one or the other (Kendall 1945).
    Undefined if all values of a series are equal. `n` is the length of the series.
    """
    if reason := _why_no_correlation(one, other):
        return undefined(reason, n=len(one))
    places = (np.unique(series, return_inverse=True)[1] for series in (one, other))
    # The inversions of few different values, as of classes, take the fewest passes.
    second, first = sorted(places, key=lambda series: int(series.max()))
    pairs = len(one) * (len(one) - 1) // 2
    untied_first, untied_second = (
        pairs - _tied_pairs(np.bincount(series)) for series in (first, second)
    )
    # Within a tie of the first series the second ascends, so that the tie counts no inversion.
    both = np.sort(first * len(one) + second)
    ends = np.flatnonzero(np.diff(both, append=-1))
    tied_in_both = _tied_pairs(np.diff(ends, prepend=-1))
    discordant = _inversions(both % len(one))
    concordant = untied_first + untied_second - pairs + tied_in_both - discordant
    value = (concordant - discordant) / math.sqrt(untied_first * untied_second)
    return Estimate(value=value, n=len(one))


def _why_no_correlation(one: Floats, other: Floats) -> str | None:
    if len(one) != len(other):
        raise ValueError(f"{len(one)} values cannot be paired with {len(other)}")
    if len(one) < 2:
        return "fewer than two items cannot be ranked"
    if (one == one[0]).all() or (other == other[0]).all():
        return "all values of a series are equal, so they give no order"
    return None


def _tied_pairs(counts: Integers) -> int:
    """Pairs within ties of so many."""
    return int((counts * (counts - 1) // 2).sum())


def _inversions(places: Integers) -> int:
    """How many pairs of different places (N,) stand in descending order.

    Two places first differ in one bit. So the places are sorted by ever more of their bits,
    highest first; among those alike so far, a place with the next bit set that comes before one
    without it makes an inversion.
    """
    inversions = 0
    for bit in reversed(range(int(places.max()).bit_length())):
        is_set = (places >> bit) & 1
        set_before = np.cumsum(is_set) - is_set
        starts = np.diff(places >> (bit + 1), prepend=-1) != 0
        set_before_run = set_before[starts][np.cumsum(starts) - 1]
        inversions += int((set_before - set_before_run)[is_set == 0].sum())
        places = places[np.argsort(places >> bit, kind="stable")]
    return inversions
