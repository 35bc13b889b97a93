"""Means, and differences of means, whose observations share raters and items, or questions.

Ratings of one rater go together, and so do those of one item; neither clustering alone describes
both. Cameron, Gelbach and Miller (2011, "Robust Inference With Multiway Clustering", Journal of
Business & Economic Statistics 29, section 2) add the two one-way variances and subtract that of
the intersections. It asks for no resampling and no model of the effects.

That sum can be too small, even negative, where there are few clusters. So the larger of it and
the two one-way variances counts; each has the factor G / (G - 1) for G clusters, and the
interval uses Student's t with as many degrees of freedom as the scarcer clusters less one
(Cameron and Miller 2015, "A Practitioner's Guide to Cluster-Robust Inference", section VI).
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tomahto.estimates.estimate import Estimate, share_estimate, t_quantile, undefined
from tomahto.types import Flags, Floats, Integers


@dataclass(frozen=True, eq=False)
class Clusters:
    """The rater and the item of every observation, (N,) each; any integers will do."""

    raters: Integers
    items: Integers

    def where(self, chosen: Flags) -> "Clusters":
        return Clusters(self.raters[chosen], self.items[chosen])

    @property
    def why_no_interval(self) -> str | None:
        if self._raters.max(initial=0) < 1:
            return "one rater cannot speak for others"
        if self._items.max(initial=0) < 1:
            return "one item cannot speak for others"
        return None

    @property
    def df(self) -> int:
        """Degrees of freedom: the number of raters, or of items if fewer, less one."""
        return int(min(self._raters.max(initial=-1), self._items.max(initial=-1)))

    def variance(self, influences: Floats) -> float:
        """The variance of a statistic from every observation's influence on it (N,)."""
        by_rater = _variance(influences, self._raters)
        by_item = _variance(influences, self._items)
        both = _variance(influences, self._pairs)
        return max(by_rater + by_item - both, by_rater, by_item)

    @cached_property
    def _raters(self) -> Integers:
        return _numbers_of(self.raters)

    @cached_property
    def _items(self) -> Integers:
        return _numbers_of(self.items)

    @cached_property
    def _pairs(self) -> Integers:
        return _numbers_of(self._raters * (self._items.max() + 1) + self._items)


@dataclass(frozen=True, slots=True)
class Clustered:
    """A statistic of `n` observations, its standard error and degrees of freedom."""

    value: float
    standard_error: float
    df: int
    n: int

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        reach = t_quantile((1 + confidence) / 2, self.df) * self.standard_error
        return self.value - reach, self.value + reach

    def minimum_detectable(self, *, power: float = 0.8, confidence: float = 0.95) -> float:
        """The true value that would be told from 0 with the chance `power` at this size.

        (t_(1 - alpha/2) + t_power) * standard error (Bloom 1995, "Minimum Detectable Effects",
        Evaluation Review 19).
        """
        quantiles = t_quantile((1 + confidence) / 2, self.df) + t_quantile(power, self.df)
        return quantiles * self.standard_error


def clustered_mean(values: Floats, clusters: Clusters, *, floor: float = 0) -> Clustered:
    """The mean of values (N,); `floor` is the least variance that is believed.

    Raises ValueError if there are fewer than two raters or items.
    """
    mean = float(values.mean())
    return _clustered(mean, (values - mean) / len(values), clusters, floor)


def clustered_difference(
    values: Floats,
    is_treated: Flags,
    clusters: Clusters,
    *,
    within_raters: bool = False,
    floor: float = 0,
) -> Clustered:
    """The mean of the treated values less that of the others, `is_treated` and values (N,).

    `within_raters` compares every rater with themself only: the least-squares effect of the
    treatment beside one constant per rater. `floor` is the least variance that is believed.

    Raises ValueError if there are fewer than two raters or items, or there is nothing to
    compare.
    """
    groups = clusters.raters if within_raters else np.zeros_like(clusters.raters)
    treatment = _centred(is_treated.astype(np.float64), groups)
    spread = float(treatment @ treatment)
    if spread < 1e-9:
        raise ValueError("treated and others cannot be compared")
    outcome = _centred(values, groups)
    slope = float(treatment @ outcome) / spread
    influences = treatment * (outcome - slope * treatment) / spread
    return _clustered(slope, influences, clusters, floor)


def _clustered(value: float, influences: Floats, clusters: Clusters, floor: float) -> Clustered:
    if clusters.why_no_interval:
        raise ValueError(clusters.why_no_interval)
    variance = max(clusters.variance(influences), floor)
    return Clustered(value, math.sqrt(variance), clusters.df, len(influences))


def cluster_variance(influences: Floats, groups: Integers) -> float:
    """The variance of a statistic whose influences (N,) go together in groups (N,)."""
    return _variance(influences, _numbers_of(groups))


def _variance(influences: Floats, numbers: Integers) -> float:
    sums = np.bincount(numbers, weights=influences)
    return float(sums @ sums) * len(sums) / max(1, len(sums) - 1)


def _numbers_of(groups: Integers) -> Integers:
    """The groups (N,), numbered from 0 without a gap."""
    return np.unique(groups, return_inverse=True)[1]


def _centred(values: Floats, groups: Integers) -> Floats:
    places = _numbers_of(groups)
    means = np.bincount(places, weights=values) / np.bincount(places)
    centred: Floats = values - means[places]
    return centred


def mean_with_interval(values: Floats, questions: Integers) -> Estimate:
    """The mean of scores from 0 to 1 (n,), each of a question (n,), with its 95 % interval.

    The standard error is that of clusters (`cluster_variance`), the quantile Student's with one
    degree of freedom less than there are questions, the interval Wilson's (`share_estimate`). One
    question has no interval, and neither have questions without any spread.

    Raises ValueError if a value is not between 0 and 1.
    """
    n = len(values)
    if not n:
        return undefined("there is no value", n=0)
    if not ((values >= 0) & (values <= 1)).all():
        raise ValueError("a value is not between 0 and 1")
    mean = min(1.0, max(0.0, float(values.mean())))
    df = len(np.unique(questions)) - 1
    if not df:
        return Estimate(value=mean, n=n, reason="values of one question give no interval")
    error = math.sqrt(cluster_variance((values - mean) / n, questions))
    alike = "all questions are alike: no spread, no interval"
    return share_estimate(mean, error, df, n=n, alike=alike)
