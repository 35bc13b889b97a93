"""The sums of numbers over the clusters that a bootstrap draws, where these are many.

A replicate of Q clusters draws N_k of kind k, of which there are t_k: the N_k are multinomial. A
statistic that follows from sums over clusters needs of a replicate no more than S, the sum of
N_k x_k, where the row x_k has the numbers of a cluster of kind k. With many clusters S is normal
(Bickel and Freedman 1981, "Some asymptotic theory for the bootstrap", The Annals of Statistics 9,
section 2), with the mean and the covariance that the draws give it:

    E S = sum of t_k x_k        Cov S = sum of t_k x_k x_k' - E S E S' / Q

So S is drawn, at a cost that grows neither with the kinds nor with the clusters (Efron and
Tibshirani 1993, "An Introduction to the Bootstrap", chapter 23, on bootstraps that cost less). The
statistic is computed from S as from any sums, with all its bends.

The sum of a number that few clusters have is not normal. Its distance from that is at most in
proportion to (Berry and Esseen)

    sum of t_k |x_k - m|^3 / (sum of t_k (x_k - m)^2)^(3/2)

with m the mean: 1 / sqrt(n) where n of many clusters have a 1 and the others a 0. Where that is
above 0.05, the clusters furthest from the median are drawn exactly, as many as it takes for the
others to be below. Their S is then normal given how many of them are drawn. Skewness of 0.05 moves
an end of an interval by 0.02 standard errors; the luck of 2,000 replicates by 0.06.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from tomahto.estimates.bootstrap import Bootstrap, LeftOut, blocks_of
from tomahto.types import Flags, Floats, Integers

_FAR_FROM_NORMAL = 0.05
_ROUNDING = 1e-12  # an eigenvalue of correlations below this is 0


@dataclass(frozen=True, eq=False)
class ClusterKinds:
    """Clusters by kind, `times` (K,) of each, with the sum of all their rows, `total` (C,).

    `rows` gives those of some kinds (k, C).
    """

    times: Integers
    total: Floats
    rows: Callable[[slice], Floats]

    def drawn(self, bootstrap: Bootstrap) -> Floats:
        """The sum of the drawn clusters' rows in every replicate (R, C)."""
        clusters, others = int(self.times.sum()), self.times
        mean = self.total / clusters
        covariance, is_skewed = self._spread(others, mean)
        is_exact = self._outlying(is_skewed)
        if is_exact.any():
            others = np.where(is_exact, 0, others)
            # what a difference from the total leaves need not be 0 where all others have 0
            left = [others[part] @ rows for part, rows in self._blocks()]
            mean = np.sum(left, axis=0) / max(1, others.sum())
            covariance = self._spread(others, mean)[0]
        chances = np.append(self.times[is_exact], others.sum()) / clusters
        rows = np.append(self._table(is_exact), mean[np.newaxis], axis=0)
        generator = np.random.default_rng(bootstrap.seed)
        sums, parts = [], []
        for size in blocks_of(bootstrap.replicates, len(chances)):
            numbers = generator.multinomial(clusters, chances, size=size)
            sums.append(numbers @ rows)
            parts.append(numbers[:, -1:] / max(1, others.sum()))
        normal = generator.standard_normal((bootstrap.replicates, len(mean))) @ _root(covariance)
        drawn: Floats = np.concatenate(sums) + np.sqrt(np.concatenate(parts)) * normal
        return drawn

    def without_each(self, value_of: Callable[[Floats], Floats]) -> LeftOut:
        """The values that `value_of` makes (k,) of sums (k, C), without a cluster of each kind."""
        values = [value_of(self.total - rows) for _part, rows in self._blocks()]
        return LeftOut(np.concatenate(values), self.times)

    def _blocks(self) -> Iterator[tuple[slice, Floats]]:
        """The rows of a few kinds at a time, and which these are."""
        start = 0
        for size in blocks_of(len(self.times), len(self.total)):
            part = slice(start, start + size)
            yield part, self.rows(part)
            start += size

    def _table(self, kinds: Flags, columns: Flags | slice = slice(None)) -> Floats:
        return np.concatenate([rows[kinds[part]][:, columns] for part, rows in self._blocks()])

    def _spread(self, times: Integers, mean: Floats) -> tuple[Floats, Flags]:
        """The covariance (C, C) of the sum of so many clusters, and which columns are skewed."""
        covariance, cubes = np.zeros((len(mean), len(mean))), np.zeros(len(mean))
        for part, rows in self._blocks():
            from_mean = rows - mean
            weighted = from_mean * times[part, np.newaxis]
            covariance += weighted.T @ from_mean
            cubes += np.abs(weighted * from_mean * from_mean).sum(axis=0)
        return covariance, cubes > _FAR_FROM_NORMAL * covariance.diagonal() ** 1.5

    def _outlying(self, is_skewed: Flags) -> Flags:
        """The kinds without which no column is skewed (K,)."""
        is_outlying = np.zeros(len(self.times), dtype=np.bool_)
        for column in self._table(~is_outlying, is_skewed).T if is_skewed.any() else ():
            order = np.argsort(column)
            middle = np.searchsorted(self.times[order].cumsum(), self.times.sum() / 2)
            from_median = column - column[order[middle]]
            order = np.argsort(np.abs(from_median), kind="stable")
            ordered, times = from_median[order], self.times[order]
            n, sums, squares = (times * ordered ** [[0], [1], [2]]).cumsum(axis=1)
            cubes = (times * np.abs(ordered) ** 3).cumsum()
            variance = np.maximum(squares - sums**2 / n, 0)
            is_fair = cubes <= _FAR_FROM_NORMAL * variance**1.5
            is_outlying[order[np.flatnonzero(is_fair)[-1] + 1 :]] = True
        return is_outlying


def _root(covariance: Floats) -> Floats:
    """The symmetric square root: there is one alone, so all machines draw the same."""
    errors = np.sqrt(covariance.diagonal())
    scale = np.where(errors > 0, errors, 1)
    values, vectors = np.linalg.eigh(covariance / np.outer(scale, scale))
    roots = np.sqrt(np.where(values > _ROUNDING, values, 0))
    root: Floats = (vectors * roots) @ vectors.T * scale
    return root
