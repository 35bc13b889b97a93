"""Krippendorff's alpha in closed form from vote patterns, with a bootstrap interval.

    alpha = 1 - D_o / D_e

(Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", section D). With n_uc the times
unit u got value c, n_u its ratings, n_c the ratings with value c, n all ratings, and d_ck the
difference of two values,

    D_o = 1/n         * sum over units u of sum over c, k of n_uc (n_uk - [c=k]) d_ck / (n_u - 1)
    D_e = 1/(n (n-1)) * sum over c, k of n_c (n_k - [c=k]) d_ck

    nominal   d_ck = 1 if c and k differ, else 0
    interval  d_ck = (c - k)^2
    ordinal   d_ck = (ratings ranked from c to k, those of c and k themselves counted half)^2

The ordinal difference is the interval difference of mid-ranks m_c: the ratings below c and half
of those at c. Each squared sum follows from two moments, because
sum over c, k of w_c w_k (x_c - x_k)^2 = 2 (sum w)(sum w x^2) - 2 (sum w x)^2.
So nothing of size values x values is ever made, and thousands of replicates are one product of
matrices.

Coincidences say which labels disagree with which: item u adds n_uc (n_uk - [c = k]) / (n_u - 1) to
the cell of labels c, k, with n_uc the votes for c among its n_u >= 2 votes. A row adds up to the
votes n_c of its label on such items, and the whole table to all of them.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from tomahto.estimates.bootstrap import CONFIDENCE, Bootstrap, percentile_estimate, ratio
from tomahto.estimates.estimate import Estimate, undefined
from tomahto.reliability.question_table import Scale, item_rows
from tomahto.types import Floats, Integers
from tomahto.votes.patterns import VotePatterns
from tomahto.votes.scheme import Level
from tomahto.votes.values_by_units import (
    Resampling,
    ValuesByUnits,
    pattern_table,
    values_by_units,
)

_FEW = 12  # labels: they meet in 66 pairs


def alpha(patterns: VotePatterns, *, level: Level | None = None) -> Estimate:
    """Alpha of the pairable items at a level of measurement, the scheme's by default.

    `n` of the estimate is the number of items with at least two ratings. Alpha is undefined
    without such an item, and where all their ratings have one value.
    """
    table = values_by_units(patterns, level)
    if table.why_undefined:
        return undefined(table.why_undefined, n=table.n)
    return Estimate(value=_value(table), n=table.n)


def alpha_with_interval(
    patterns: VotePatterns,
    *,
    seed: int,
    replicates: int = 2000,
    level: Level | None = None,
    confidence: float = CONFIDENCE,
    is_widened: bool = True,
) -> Estimate:
    """Alpha with a percentile bootstrap interval over questions, at 95 % unless told otherwise.

    Each replicate draws as many questions with pairable items as there are, with replacement, or
    as many such items where the patterns know of no questions. One in which all ratings have one
    value has no alpha: it is counted in `undefined_replicates`, and the interval rests on the
    others (Efron and Tibshirani 1993, section 13.3). `is_widened` is as for `Bootstrap`.

    Raises ValueError if `replicates` is less than 1 or `seed` is negative.
    """
    bootstrap = Bootstrap(replicates, seed, is_widened)
    bootstrap.require_replicates()
    table = values_by_units(patterns, level)
    if table.why_undefined:
        return undefined(table.why_undefined, n=table.n, seed=seed)
    drawn, left_out = None, None
    if table.patterns.clusters > 1:
        resampling = alpha_resampling(table, bootstrap)
        drawn, left_out = resampling.drawn(max(table.counts.shape)), resampling.left_out()
    return percentile_estimate(
        _value(table),
        drawn,
        n=table.n,
        clusters=table.patterns.clusters,
        bootstrap=bootstrap,
        name="alpha",
        confidence=confidence,
        drew=table.patterns.drawn,
        left_out=left_out,
    )


def alpha_resampling(table: ValuesByUnits, bootstrap: Bootstrap) -> Resampling:
    """Alpha of the table under a bootstrap over its questions; NaN where it is undefined."""
    scheme = replace(table.patterns.scheme, level=table.level)
    rows = [item_rows(pattern_table(table.patterns)[0])] if len(scheme.labels) <= _FEW else []
    of_sums = Scale.of(scheme).alphas
    return Resampling(table.patterns, bootstrap, rows, of_sums, partial(_alphas, table))


def _value(table: ValuesByUnits) -> float:
    return float(_alphas(table, table.units[np.newaxis, :])[0])


def _alphas(table: ValuesByUnits, units: Integers) -> Floats:
    """Alpha for each row of `units` (R, P); NaN where the row's ratings have one value."""
    weights = units.astype(np.float64)
    marginals = weights @ table.counts
    observed, expected = _DISAGREEMENTS[table.level](table, weights, marginals)
    has_several = np.count_nonzero(marginals, axis=1) > 1
    return 1 - ratio(observed, np.where(has_several, expected, 0.0))


# Each of these gives n D_o and n D_e for every replicate: two arrays (R,).
# `weights` (R, P) are units per pattern, `marginals` (R, K) ratings per value.


def _nominal(table: ValuesByUnits, weights: Floats, marginals: Floats) -> tuple[Floats, Floats]:
    differing = table.sizes**2 - (table.counts**2).sum(axis=1)
    ratings = marginals.sum(axis=1)
    observed = weights @ (differing / (table.sizes - 1))
    return observed, (ratings**2 - (marginals**2).sum(axis=1)) / (ratings - 1)


def _interval(table: ValuesByUnits, weights: Floats, marginals: Floats) -> tuple[Floats, Floats]:
    # Alpha does not depend on the origin of the scale; near 0 the moments are exact enough.
    centre = np.average(table.scaled, weights=table.units @ table.counts)
    return _squared(table, weights, marginals, (table.scaled - centre)[np.newaxis, :])


def _ordinal(table: ValuesByUnits, weights: Floats, marginals: Floats) -> tuple[Floats, Floats]:
    midranks = marginals.cumsum(axis=1) - marginals / 2
    centred = midranks - marginals.sum(axis=1, keepdims=True) / 2
    return _squared(table, weights, marginals, centred)


def _squared(
    table: ValuesByUnits, weights: Floats, marginals: Floats, positions: Floats
) -> tuple[Floats, Floats]:
    """The interval difference of positions: (1, K) for all replicates, or (R, K)."""
    counts, sizes = table.counts.astype(np.float64), table.sizes
    spread = sizes * (positions**2 @ counts.T) - (positions @ counts.T) ** 2
    observed = (weights * (2 * spread / (sizes - 1))).sum(axis=1)
    ratings = marginals.sum(axis=1)
    squares = (marginals * positions**2).sum(axis=1)
    sums = (marginals * positions).sum(axis=1)
    return observed, 2 * (ratings * squares - sums**2) / (ratings - 1)


_Disagreement = Callable[[ValuesByUnits, Floats, Floats], tuple[Floats, Floats]]
_DISAGREEMENTS: dict[Level, _Disagreement] = {
    "nominal": _nominal,
    "ordinal": _ordinal,
    "interval": _interval,
}


def alpha_difference(
    earlier: VotePatterns, later: VotePatterns, *, seed: int, replicates: int = 2000
) -> Estimate:
    """Alpha of the later set less that of the earlier one, with a 95 % percentile interval.

    `n` is the number of items with two ratings in the smaller set. The difference is undefined
    where either alpha is, and has no interval where either set is of a single question. A
    replicate in which either is undefined is left out of the interval and counted. The earlier set
    is drawn with `seed`, the later one with the seed after it.

    Raises ValueError if the schemes differ, or `replicates` is less than 1.
    """
    if earlier.scheme != later.scheme:
        raise ValueError("alphas of different label schemes cannot be compared")
    bootstrap = Bootstrap(replicates, seed)
    bootstrap.require_replicates()
    sets = {"earlier": values_by_units(earlier), "later": values_by_units(later)}
    n = min(table.n for table in sets.values())
    for name, table in sets.items():
        if table.why_undefined:
            return undefined(f"{name}: {table.why_undefined}", n=n, seed=seed)
    values = [alpha(patterns).value for patterns in (earlier, later)]
    value = float(values[1] or 0) - float(values[0] or 0)
    clusters = min(table.patterns.clusters for table in sets.values())
    drawn = None
    if clusters > 1:
        before, after = (
            alpha_resampling(table, Bootstrap(replicates, own_seed)).drawn(max(table.counts.shape))
            for own_seed, table in enumerate(sets.values(), start=seed)
        )
        drawn = after - before
    return percentile_estimate(
        value,
        drawn,
        n=n,
        clusters=clusters,
        bootstrap=bootstrap,
        name="the difference of alpha",
        drew=sets["later"].patterns.drawn,
    )


@dataclass(frozen=True, slots=True)
class LabelDisagreement:
    """Coincidences of all labels of the scheme, and how often each is contradicted.

    `table[c][k]` is the coincidence of two labels, in the order of the scheme. `disagreement[c]`
    is the chance that another vote on the item differs where a vote gives label c; its `n` counts
    the items with two votes in which the label occurs.
    """

    table: tuple[tuple[float, ...], ...]
    disagreement: tuple[Estimate, ...]


def label_disagreement(patterns: VotePatterns, *, bootstrap: Bootstrap) -> LabelDisagreement:
    """Over the items with at least two votes; the intervals are from a bootstrap over questions,
    or items where the patterns know of no questions."""
    pairable = patterns.pairable()
    counts, units = pattern_table(pairable)
    weighted = counts * (units / (counts.sum(axis=1) - 1))[:, np.newaxis]
    table = weighted.T @ counts - np.diag(weighted.sum(axis=0))
    votes = table.sum(axis=1)
    drawn = None
    if pairable.clusters > 1:
        sizes = counts.sum(axis=1, keepdims=True)
        contradicted = counts * (sizes - counts) / (sizes - 1)
        resampling = Resampling(pairable, bootstrap, (contradicted, counts), _halves_ratio)
        drawn = resampling.drawn(max(counts.shape))
    disagreement = []
    for label, n in enumerate((units @ (counts > 0)).tolist()):
        if not n:
            disagreement.append(undefined("no item with two votes has this label", n=0))
            continue
        estimate = percentile_estimate(
            float(1 - table[label, label] / votes[label]),
            None if drawn is None else drawn[:, label],
            n=n,
            clusters=pairable.clusters,
            bootstrap=bootstrap,
            drew=pairable.drawn,
        )
        disagreement.append(estimate)
    return LabelDisagreement(tuple(map(tuple, table.tolist())), tuple(disagreement))


def _halves_ratio(sums: Floats) -> Floats:
    return ratio(*np.split(sums, 2, axis=1))
