"""The numbers of the monotonicity protocol for many samples at once (CAP §6.2, App. C.1)."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from tomahto.estimates.ratio import ratio
from tomahto.ranking.pairs import strictly_ordered_pairs
from tomahto.types import Floats
from tomahto.votes.scheme import LabelScheme

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
    higher, lower = _places(scheme)
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


def _places(scheme: LabelScheme) -> tuple[list[int], list[int]]:
    """The places in the scheme of the higher and of the lower class of each pair."""
    pairs = strictly_ordered_pairs(scheme)
    return (
        [scheme.index_of[higher] for higher, _ in pairs],
        [scheme.index_of[lower] for _, lower in pairs],
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
