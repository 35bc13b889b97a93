"""The order of classes by scores, for many drawn samples of the items at once.

All that the protocol of CAP App. C.1 says of a sample follows from how often an item of class a
scores above, and how often exactly as, one of class b. These counts come from the table of items
by class and distinct score, so that a sample is never sorted again.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from tomahto.estimates.bootstrap import Bootstrap, drawn_weights, numbered, ratio
from tomahto.estimates.estimate import Estimate, undefined
from tomahto.types import Floats, Integers
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


SAME = 1e-12  # means that differ by less, relative to those above 1, are equal but for rounding


@dataclass(frozen=True, eq=False)
class OrderStatistics:
    """Of R samples; what is undefined in a sample is NaN.

    `spearman`, `kendall_tau_b`, `pairwise_accuracy` and `violation_rate` are (R,). Of the P
    strictly ordered pairs of classes, in the order of `strictly_ordered_pairs`, `accuracies`,
    `aucs` and `violations` (0 or 1) are (R, P). `means` (R, K) are those of the scheme's classes.
    """

    spearman: Floats
    kendall_tau_b: Floats
    pairwise_accuracy: Floats
    violation_rate: Floats
    accuracies: Floats
    aucs: Floats
    violations: Floats
    means: Floats

    @classmethod
    def joined(cls, blocks: Sequence["OrderStatistics"]) -> "OrderStatistics":
        """All samples of the blocks, one after the other."""
        return cls(
            *(np.concatenate([getattr(one, each.name) for one in blocks]) for each in fields(cls))
        )


def statistics_of(
    scheme: LabelScheme, *, sizes: Floats, won: Floats, tied: Floats, cubes: Floats, sums: Floats
) -> OrderStatistics:
    """From counts of R samples: `sizes` (R, K) items by class; `won[:, a, b]` pairs in which an
    item of class a scores above one of class b and `tied[:, a, b]` in which both score the same,
    an item beside itself included, (R, K, K); `cubes` (R,), the items at each score to the third
    power, summed; `sums` (R, K), the scores of each class, summed.
    """
    ordered = strictly_ordered_pairs(scheme)
    higher, lower = ([scheme.index_of[pair[side]] for pair in ordered] for side in (0, 1))
    pairs = sizes[:, higher] * sizes[:, lower]
    won_pairs, tied_pairs = won[:, higher, lower], tied[:, higher, lower]
    means = ratio(sums, sizes)
    violations = _violations(means[:, higher], means[:, lower])
    return OrderStatistics(
        spearman=_spearman(scheme, sizes, won, tied, cubes),
        kendall_tau_b=_kendall_tau_b(scheme, sizes, won_pairs, tied_pairs, tied),
        pairwise_accuracy=ratio(won_pairs.sum(axis=1), pairs.sum(axis=1)),
        violation_rate=ratio(
            np.nansum(violations, axis=1), (~np.isnan(violations)).sum(axis=1).astype(np.float64)
        ),
        accuracies=ratio(won_pairs, pairs),
        aucs=ratio(won_pairs + tied_pairs / 2, pairs),
        violations=violations,
        means=means,
    )


def _by_rank(scheme: LabelScheme, sizes: Floats) -> tuple[Floats, Floats]:
    """Items of each different rank, ascending (R, T), and which rank is each class's (T, K)."""
    different = np.unique(scheme.ranks)
    belongs = (different[:, np.newaxis] == np.array(scheme.ranks)).astype(np.float64)
    return sizes @ belongs.T, belongs


def _spearman(
    scheme: LabelScheme, sizes: Floats, won: Floats, tied: Floats, cubes: Floats
) -> Floats:
    """Pearson's correlation of mid-ranks. The mid-rank of an item's score is 1/2 and, for every
    item, itself included, 1 if that scores lower and 1/2 if it scores the same."""
    by_rank, belongs = _by_rank(scheme, sizes)
    n = sizes.sum(axis=1)
    below = by_rank.cumsum(axis=1) - by_rank
    rank_of_class = (below + (by_rank + 1) / 2 - (n[:, np.newaxis] + 1) / 2) @ belongs
    score_ranks = won.sum(axis=2) + tied.sum(axis=2) / 2 + sizes / 2
    spread = (n**3 - cubes) / 12 * ((n**3 - (by_rank**3).sum(axis=1)) / 12)
    return np.clip(ratio((rank_of_class * score_ranks).sum(axis=1), np.sqrt(spread)), -1, 1)


def _kendall_tau_b(
    scheme: LabelScheme, sizes: Floats, won: Floats, tied: Floats, tied_in_all: Floats
) -> Floats:
    """tau-b = (C - D) / sqrt((n0 - t1) (n0 - t2)), with C concordant and D discordant of the
    n0 = n (n - 1) / 2 pairs of items, and t1 and t2 pairs of equal rank or score (Kendall 1945).

    `won` and `tied` (R, P) are of pairs of different rank. Of n items, n^2 pairs less those of
    equal rank, or of equal score, are twice those untied.
    """
    by_rank, _ = _by_rank(scheme, sizes)
    ordered = (sizes.sum(axis=1) ** 2 - (by_rank**2).sum(axis=1)) / 2
    scored = (sizes.sum(axis=1) ** 2 - tied_in_all.sum(axis=(1, 2))) / 2
    lead = 2 * won.sum(axis=1) + tied.sum(axis=1) - ordered
    return ratio(lead, np.sqrt(ordered * scored))


def _violations(higher: Floats, lower: Floats) -> Floats:
    """1 where the mean of the higher class is not above that of the lower, NaN where one is."""
    equal = SAME * np.maximum(1.0, np.maximum(np.abs(higher), np.abs(lower)))
    violations: Floats = (higher <= lower + equal).astype(np.float64)
    violations[np.isnan(higher) | np.isnan(lower)] = np.nan
    return violations


@dataclass(frozen=True, eq=False)
class OrderedItems:
    """Items' classes (N,) as places in `scheme.labels`, scores (N,), and questions (N,) from 0.

    Raises ValueError if there is no item, the lengths differ or a score is not finite.
    """

    scheme: LabelScheme
    classes: Integers
    scores: Floats
    questions: Integers

    def __post_init__(self) -> None:
        if not len(self.classes) == len(self.scores) == len(self.questions):
            raise ValueError("classes, scores and questions differ in number")
        if not len(self.classes):
            raise ValueError("there is no item to order")
        if not np.isfinite(self.scores).all():
            raise ValueError("a score is not finite")

    @classmethod
    def of(
        cls,
        labels: Sequence[str],
        scores: Floats,
        questions: Sequence[object],
        scheme: LabelScheme,
    ) -> "OrderedItems":
        """From one label, score and question per item; equal questions are one.

        Raises ValueError, also if a label is not in the scheme.
        """
        return cls(
            scheme,
            np.array(scheme.places(labels), dtype=np.int64),
            np.asarray(scores, dtype=np.float64),
            numbered(questions),
        )

    def of_items(self, chosen: NDArray[np.bool_] | Integers) -> "OrderedItems":
        """Some of the items; questions are numbered anew."""
        questions = np.unique(self.questions[chosen], return_inverse=True)[1]
        return OrderedItems(
            self.scheme, self.classes[chosen], self.scores[chosen], questions.astype(np.int64)
        )

    def with_scores(self, scores: Floats) -> "OrderedItems":
        return OrderedItems(self.scheme, self.classes, scores, self.questions)

    @property
    def n(self) -> int:
        return len(self.classes)

    @property
    def labels(self) -> list[str]:
        return [self.scheme.labels[place] for place in self.classes]

    @cached_property
    def clusters(self) -> int:
        """Number of questions."""
        return int(self.questions.max()) + 1

    def statistics(self) -> OrderStatistics:
        """Those of the items themselves, as one sample."""
        return self._statistics(np.ones((1, self.clusters)))

    def drawn(self, bootstrap: Bootstrap) -> OrderStatistics:
        """Those of every replicate; a replicate draws questions, with all their items."""
        cells = len(self.scheme.labels) * len(self._different[0])
        blocks = drawn_weights(self.clusters, cells, bootstrap)
        return OrderStatistics.joined([self._statistics(block) for block in blocks])

    @cached_property
    def _different(self) -> tuple[Floats, Integers]:
        """The distinct scores, ascending, and the place of each item's among them."""
        scores, places = np.unique(self.scores, return_inverse=True)
        return scores, places.astype(np.int64)

    @cached_property
    def _cells(self) -> tuple[Integers, Integers, Integers]:
        """Of the table of classes and distinct scores: the items in the order of its cells, where
        in that order each filled cell begins, and the places of the filled cells."""
        scores, places = self._different
        cells = self.classes * len(scores) + places
        order = np.argsort(cells, kind="stable")
        filled, starts = np.unique(cells[order], return_index=True)
        return order, starts, filled

    def _statistics(self, weights: Floats) -> OrderStatistics:
        """Of samples in which each question is drawn so often, `weights` (R, Q)."""
        table = self._table(weights)
        below = table.cumsum(axis=2)
        below -= table
        turned, ties = table.transpose(0, 2, 1), table.sum(axis=1)
        return statistics_of(
            self.scheme,
            sizes=table.sum(axis=2),
            won=(below @ turned).transpose(0, 2, 1),
            tied=table @ turned,
            cubes=np.einsum("rg,rg,rg->r", ties, ties, ties),
            sums=table @ self._different[0],
        )

    def _table(self, weights: Floats) -> Floats:
        """Items by class and distinct score (R, K, G), as often as they are drawn."""
        order, starts, filled = self._cells
        items = np.take(weights, self.questions[order], axis=1)
        if len(filled) < self.n:
            items = np.add.reduceat(items, starts, axis=1)
        shape = (len(weights), len(self.scheme.labels), len(self._different[0]))
        table = np.zeros(shape)
        table.reshape(len(weights), -1)[:, filled] = items
        return table
