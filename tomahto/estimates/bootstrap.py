"""Percentile bootstrap intervals over clusters: all items of a question are drawn together.

Items of one question are not independent, so questions are resampled, not items (Bulian 2022
Tab. 6; for clusters see Davison and Hinkley 1997, section 3.8). A replicate draws as many
clusters as there are, with replacement.

Percentiles of few clusters lie too close together: n drawn clusters spread by (n - 1) / n of what
they should, and the normal distribution takes the place of Student's. So the tail is not 2.5 % but

    Phi(-sqrt(n / (n - 1)) t)

with t the 97.5 % quantile of Student's distribution of n - 1 degrees of freedom (the expanded
percentile interval: Hesterberg 2015, "What Teachers Should Know About the Bootstrap", The American
Statistician 69, section 5.2). Where the values without each cluster are known, both tails also
allow for bias and skewness (BCa: Efron 1987, "Better Bootstrap Confidence Intervals", Journal of
the American Statistical Association 82).

A mean of few values that are nearly all alike has replicates that hardly differ. So where it is
known between which ends a value lies, half a cluster of either is drawn along; the interval then
has a width also where all values are alike (after Agresti and Caffo 2000, The American Statistician
54, who add observations of both kinds to a share).
"""

import math
from collections.abc import Hashable, Iterable, Iterator, Sequence
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tomahto.estimates.estimate import Drawn, Estimate, t_quantile
from tomahto.types import Floats, Integers

CONFIDENCE = 0.95
FEW = 30  # clusters, below which intervals can hold the true value too rarely
ONE_QUESTION = "one question cannot be resampled into an interval"
_ONE_ITEM = "one item with two ratings cannot be resampled into an interval"
_FIRST_ROUND = 100  # replicates before anybody asks whether more are of use
_TIE = 1e-12
_CELLS = 200_000  # numbers per working array: 1.6 MB stay in a processor's cache


class Bootstrap(NamedTuple):
    """The number of draws, and their seed. Without `is_widened` intervals are as in releases of the
    first version of the figures: their tails are plain, and they do not say what was drawn."""

    replicates: int
    seed: int
    is_widened: bool = True

    def require_replicates(self) -> None:
        """Raises ValueError if nothing is drawn."""
        if self.replicates < 1:
            raise ValueError(f"{self.replicates} replicates: an interval needs at least 1")

    def require_level(self, level: float, drawn: str = "draws") -> None:
        """Raises ValueError if what is `drawn` is too little for any p-value to reach the level."""
        if not 1 / (self.replicates + 1) <= level:
            raise ValueError(f"{self.replicates} {drawn} cannot reach the level {level}")


class LeftOut(NamedTuple):
    """The values without a cluster of each kind (K,), and how many clusters there are of it."""

    values: Floats
    times: Integers


def numbered(names: Sequence[Hashable]) -> Integers:
    """The clusters of that many items (N,), by their names: from 0 in order of appearance."""
    places = {name: place for place, name in enumerate(dict.fromkeys(names))}
    return np.array([places[name] for name in names], dtype=np.int64)


def cluster_mean(
    values: NDArray[Any],
    clusters: Integers,
    bootstrap: Bootstrap,
    ends: tuple[float, float] = (0.0, 1.0),
) -> Estimate:
    """The mean of values (N,), each of a cluster (N,) numbered from 0; `n` is N.

    A value lies between the `ends`. One cluster, a question, has no interval. Raises ValueError
    without a value.
    """
    sums = np.bincount(clusters, weights=values).astype(np.float64)
    sizes = np.bincount(clusters).astype(np.float64)
    drawn = drawn_ratios(sums, sizes, bootstrap, ends) if len(sizes) > 1 else None
    return percentile_estimate(
        float(values.mean()), drawn, n=len(values), clusters=len(sizes), bootstrap=bootstrap
    )


def drawn_ratios(
    numerators: Floats,
    denominators: Floats,
    bootstrap: Bootstrap,
    ends: tuple[float, ...] = (),
) -> Floats:
    """In each replicate the drawn clusters' numerators over their denominators (R,).

    Half a cluster of either of the `ends` between which a ratio lies is drawn along.

    Both arguments hold one sum per cluster (Q,), the denominators above 0. Clusters alike in
    both are drawn together by one multinomial draw, so many clusters cost no more than few.
    """
    kinds, counts = np.unique(
        np.stack([numerators, denominators], axis=1), axis=0, return_counts=True
    )
    if bootstrap.is_widened and ends:
        added = np.array([[end, 1.0] for end in ends]) * denominators.mean()
        kinds, counts = np.concatenate([kinds, added]), np.append(counts, [0.5] * len(ends))
    clusters, generator = len(numerators), np.random.default_rng(bootstrap.seed)
    ratios = []
    for size in blocks_of(bootstrap.replicates, len(kinds)):
        sums = generator.multinomial(clusters, counts / counts.sum(), size=size) @ kinds
        ratios.append(sums[:, 0] / sums[:, 1])
    return np.concatenate(ratios)


def drawn_weights(clusters: int, width: int, bootstrap: Bootstrap) -> Iterator[Floats]:
    """The number of times that each cluster is drawn (r, Q), for a few replicates at a time.

    `width` is the number of columns of the caller's working arrays; it bounds their memory but
    changes no draw.
    """
    generator = np.random.default_rng(bootstrap.seed)
    for size in blocks_of(bootstrap.replicates, max(clusters, width)):
        drawn = generator.integers(0, clusters, size=(size, clusters))
        drawn += clusters * np.arange(size)[:, np.newaxis]
        counts = np.bincount(drawn.ravel(), minlength=size * clusters)
        yield counts.reshape(size, clusters).astype(np.float64)


def drawn_units(units: Integers, width: int, bootstrap: Bootstrap) -> Iterator[Integers]:
    """The number of units of each kind that are drawn (r, P), for a few replicates at a time.

    `units` (P,) is how many there are of each kind. As units of one kind are alike, a replicate
    is one multinomial draw. `width` is as for `drawn_weights`.
    """
    generator = np.random.default_rng(bootstrap.seed)
    total = int(units.sum())
    for size in blocks_of(bootstrap.replicates, max(len(units), width)):
        yield generator.multinomial(total, units / total, size=size)


def with_ends(
    drawn: Floats, clusters: float, ends: tuple[float, float], bootstrap: Bootstrap
) -> Floats:
    """Replicates (R,) of a mean of so many clusters, with half a cluster of either end drawn along.

    For means of which the same draws are compared with others: of n clusters and one, each of a
    half is drawn nearly as often as Poisson has it.
    """
    if not bootstrap.is_widened:
        return drawn
    generator = np.random.default_rng([bootstrap.seed, 1])
    times = generator.poisson(0.5, size=(len(drawn), 2)).astype(np.float64)
    smoothed: Floats = (clusters * drawn + times @ np.array(ends)) / (clusters + times.sum(axis=1))
    return smoothed


def percentile_estimate(
    value: float,
    drawn: Floats | None,
    *,
    n: int,
    clusters: int,
    bootstrap: Bootstrap,
    name: str = "the value",
    confidence: float = CONFIDENCE,
    drew: Drawn | None = None,
    left_out: LeftOut | None = None,
) -> Estimate:
    """A value with its percentile interval; a drawn value that is undefined is NaN.

    `clusters` is the number of those that the value rests on, and `drew` what they are: questions,
    if the estimate need not say so. `left_out` are the values without each of them. `name` says
    what the value is where no replicate has one. The interval rests on the defined replicates, and
    the others are counted (Efron and Tibshirani 1993, section 13.3). There is none where nothing
    was drawn.
    """
    if drawn is None:
        alone = _ONE_ITEM if drew == "items" else ONE_QUESTION
        return Estimate(value=value, n=n, reason=alone, seed=bootstrap.seed)
    defined = drawn[~np.isnan(drawn)]
    reason, low, high = None, None, None
    says = drew if bootstrap.is_widened else None
    if len(defined):
        tail = (1 - confidence) / 2
        levels = [tail, 1 - tail]
        if bootstrap.is_widened:
            levels = _levels(value, defined, confidence, clusters, left_out)
        low, high = (float(bound) for bound in np.quantile(defined, levels))
        if bootstrap.is_widened and left_out is None:
            low, high = min(low, value), max(high, value)
    else:
        reason = f"{name} is undefined in all of {len(drawn)} replicates"
    return Estimate(
        value=value,
        n=n,
        reason=reason,
        low=low,
        high=high,
        replicates=len(drawn),
        undefined_replicates=len(drawn) - len(defined),
        seed=bootstrap.seed,
        drew=says,
        clusters=clusters if says else 0,
        confidence=confidence,
    )


def _levels(
    value: float, drawn: Floats, confidence: float, clusters: int, left_out: LeftOut | None
) -> list[float]:
    """The shares of replicates below both ends of an interval."""
    normal, df = NormalDist(), max(1, clusters - 1)
    reach = math.sqrt((df + 1) / df) * t_quantile((1 + confidence) / 2, df)
    bias = acceleration = 0.0
    if left_out is not None:
        # ties count half, also where a machine rounds them apart
        below = float((drawn < value - _TIE).mean() + (drawn <= value + _TIE).mean()) / 2
        least = 1 / (2 * len(drawn))
        bias = normal.inv_cdf(min(1 - least, max(least, below)))
        acceleration = _acceleration(left_out)
    levels = []
    for end in (-reach, reach):
        scale = 1 - acceleration * (bias + end)
        # with very few clusters the scale can change its sign: then no replicate is beyond the end
        moved = bias + (bias + end) / scale if scale > 0 else math.copysign(math.inf, end)
        levels.append(normal.cdf(moved))
    return levels


def _acceleration(left_out: LeftOut) -> float:
    """A sixth of the skewness of what each cluster adds (Efron 1987, equation 6.6)."""
    is_defined = ~np.isnan(left_out.values)
    values, times = left_out.values[is_defined], left_out.times[is_defined]
    added = (times * values).sum() / max(1, times.sum()) - values
    squares = float((times * added**2).sum())
    return float((times * added**3).sum()) / (6 * squares**1.5) if squares else 0.0


def blocks_of(replicates: int, width: int) -> Iterator[int]:
    """Numbers of replicates that make up all, each small enough for an array of that width."""
    block = max(1, _CELLS // max(1, width))
    for start in range(0, replicates, block):
        yield min(block, replicates - start)


def sequential_p_values(
    own: Floats, rounds: Iterable[tuple[int, Floats]], bootstrap: Bootstrap, level: float
) -> list[float]:
    """The mean number of values as large as each of `own` (C,) in a draw by chance, at most 1.

    Of every round, `rounds` has the number of draws and all values drawn. No more is drawn once
    none of `own` can come down to the level any more (Besag and Clifford 1991, "Sequential Monte
    Carlo p-values", Biometrika 78).
    """
    least = own * (1 - 1e-9)  # as large, but for rounding, counts as as large
    as_large, drawn = np.zeros(len(own), dtype=np.int64), 0
    for draws, values in rounds:
        as_large += len(values) - np.searchsorted(np.sort(values), least)
        drawn += draws
        if ((1 + as_large) / (bootstrap.replicates + 1) > level).all():
            break
    p_values: list[float] = np.minimum(1, (1 + as_large) / (drawn + 1)).tolist()
    return p_values


def growing_rounds(replicates: int) -> Iterator[int]:
    """Numbers of replicates that make up all, few at first and then as many as all before.

    For who may stop early: at most half of what was drawn was then drawn in vain.
    """
    drawn = 0
    while drawn < replicates:
        size = min(max(drawn, _FIRST_ROUND), replicates - drawn)
        yield size
        drawn += size


def ratio(numerators: Integers | Floats, denominators: Integers | Floats) -> Floats:
    """Element by element, of arrays that fit together; NaN where the denominator is not above 0."""
    unknown = np.full(np.broadcast(numerators, denominators).shape, np.nan)
    ratios: Floats = np.divide(numerators, denominators, out=unknown, where=denominators > 0)
    return ratios
