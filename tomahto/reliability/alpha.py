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

Where there are very many patterns, replicates are drawn as sums over items
(`tomahto.estimates.resampled_sums`): n_c and, of n D_o, what does not depend on the replicate. At
the ordinal level that is n_u n_uc / (n_u - 1) and n_uc n_uk / (n_u - 1), summed over u, because

    n D_o = 2 sum over c of m_c^2 sum over u of n_u n_uc / (n_u - 1)
          - 2 sum over c, k of m_c m_k sum over u of n_uc n_uk / (n_u - 1)
"""

import numpy as np

from tomahto.estimates.bootstrap import (
    CONFIDENCE,
    ONE_ITEM,
    Bootstrap,
    drawn_units,
    percentile_estimate,
)
from tomahto.estimates.estimate import Estimate, undefined
from tomahto.estimates.resampled_sums import drawn_sums, is_large
from tomahto.types import Floats, Integers
from tomahto.votes.patterns import VotePatterns
from tomahto.votes.scheme import Level
from tomahto.votes.values_by_units import ValuesByUnits, values_by_units


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
) -> Estimate:
    """Alpha with a percentile bootstrap interval over items, at 95 % unless told otherwise.

    Each replicate draws as many pairable items as there are, with replacement. One in which all
    ratings have one value has no alpha: it is counted in `undefined_replicates`, and the
    interval rests on the others (Efron and Tibshirani 1993, section 13.3).

    Raises ValueError if `replicates` is less than 1 or `seed` is negative.
    """
    bootstrap = Bootstrap(replicates, seed)
    bootstrap.require_replicates()
    table = values_by_units(patterns, level)
    if table.why_undefined:
        return undefined(table.why_undefined, n=table.n, seed=seed)
    return percentile_estimate(
        _value(table),
        drawn_alphas(table, bootstrap) if table.n > 1 else None,
        n=table.n,
        bootstrap=bootstrap,
        name="alpha",
        confidence=confidence,
        alone=ONE_ITEM,
    )


def drawn_alphas(table: ValuesByUnits, bootstrap: Bootstrap) -> Floats:
    """Alpha in each replicate of a bootstrap over the table's units (R,); NaN if undefined."""
    if is_large(table.units):
        return _alphas_of_sums(table, drawn_sums(table.units, _added(table), bootstrap))
    blocks = drawn_units(table.units, max(table.counts.shape), bootstrap)
    return np.concatenate([_alphas(table, units) for units in blocks])


def _value(table: ValuesByUnits) -> float:
    return float(_alphas(table, table.units[np.newaxis, :])[0])


def _alphas(table: ValuesByUnits, units: Integers) -> Floats:
    """Alpha for each row of `units` (R, P); NaN where the row's ratings have one value."""
    weights = units.astype(np.float64)
    marginals = weights @ table.counts
    positions = _positions(table, marginals)
    if positions is None:
        observed = weights @ _differing(table)
    else:
        spread = table.sizes * (positions**2 @ table.counts.T.astype(np.float64))
        spread -= (positions @ table.counts.T.astype(np.float64)) ** 2
        observed = (weights * (2 * spread / (table.sizes - 1))).sum(axis=1)
    return _ratios(marginals, observed, positions)


def _alphas_of_sums(table: ValuesByUnits, sums: Floats) -> Floats:
    """The same from the sums (R, D) of what units add (`_added`)."""
    values = len(table.values)
    marginals, others = sums[:, :values], sums[:, values:]
    positions = _positions(table, marginals)
    if positions is None:
        return _ratios(marginals, others[:, 0], None)
    first, second = _corner(values)
    squares = (others[:, :values] * positions**2).sum(axis=1)
    products = (others[:, values:] * positions[:, first] * positions[:, second]).sum(axis=1)
    return _ratios(marginals, 2 * (squares - products), positions)


def _added(table: ValuesByUnits) -> Floats:
    """What a unit of each pattern adds to the sums that alpha follows from (P, D)."""
    counts = table.counts.astype(np.float64)
    if table.level == "nominal":
        return np.column_stack([counts, _differing(table)])
    first, second = _corner(len(table.values))
    by_size = counts / (table.sizes - 1)[:, np.newaxis]
    products = by_size[:, first] * counts[:, second] * np.where(first == second, 1, 2)
    return np.column_stack([counts, by_size * table.sizes[:, np.newaxis], products])


def _corner(values: int) -> tuple[Integers, Integers]:
    """Every two values once, and every value with itself: two arrays of places."""
    first, second = np.triu_indices(values)
    return first.astype(np.int64), second.astype(np.int64)


def _differing(table: ValuesByUnits) -> Floats:
    """What a unit of each pattern adds to n D_o at the nominal level (P,)."""
    differing: Floats = (table.sizes**2 - (table.counts**2).sum(axis=1)) / (table.sizes - 1)
    return differing


def _positions(table: ValuesByUnits, marginals: Floats) -> Floats | None:
    """Where values stand on their scale, (1, K) for all replicates or (R, K); None without one."""
    if table.level == "nominal":
        return None
    if table.level == "ordinal":
        midranks = marginals.cumsum(axis=1) - marginals / 2
        centred: Floats = midranks - marginals.sum(axis=1, keepdims=True) / 2
        return centred
    # Alpha does not depend on the origin of the scale; near 0 the moments are exact enough.
    centre = np.average(table.scaled, weights=table.units @ table.counts)
    moved: Floats = (table.scaled - centre)[np.newaxis, :]
    return moved


def _ratios(marginals: Floats, observed: Floats, positions: Floats | None) -> Floats:
    """Alpha (R,) of n D_o (R,), by ratings per value (R, K)."""
    ratings = marginals.sum(axis=1)
    if positions is None:
        expected = (ratings**2 - (marginals**2).sum(axis=1)) / (ratings - 1)
    else:
        squares = (marginals * positions**2).sum(axis=1)
        sums = (marginals * positions).sum(axis=1)
        expected = 2 * (ratings * squares - sums**2) / (ratings - 1)
    defined = (np.count_nonzero(marginals, axis=1) > 1) & (expected > 0)
    unknown = np.full(len(observed), np.nan)
    ratios: Floats = np.divide(observed, expected, out=unknown, where=defined)
    return 1 - ratios
