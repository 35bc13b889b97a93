"""Gwet's AC1 of all raters, and Cohen's kappa of two.

Gwet's AC1 is agreement beyond chance that does not fall when one label is rare:

    AC1 = (p_a - p_e) / (1 - p_e)

(Gwet 2008, "Computing inter-rater reliability and its variance in the presence of high
agreement", British Journal of Mathematical and Statistical Psychology 61; for missing ratings
Gwet 2014, "Handbook of Inter-Rater Reliability", 4th edition.) With n_ik the times item i
got label k, n_i its ratings, and q the labels of the scheme, whether they occur or not,

    p_a  = mean over items with n_i > 1 of sum over k of n_ik (n_ik - 1) / (n_i (n_i - 1))
    pi_k = mean over items with n_i > 0 of n_ik / n_i
    p_e  = sum over k of pi_k (1 - pi_k) / (q - 1)

p_a is `pair_agreement_item_mean`. An item with one rating enters p_e alone.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np

from tomahto.estimates.bootstrap import Bootstrap, percentile_estimate, ratio
from tomahto.estimates.estimate import Estimate, undefined
from tomahto.types import Floats, Integers
from tomahto.votes.patterns import PairTable, VotePatterns
from tomahto.votes.scheme import LabelScheme
from tomahto.votes.values_by_units import Resampling, pattern_table, sums_of


def gwet_ac1(patterns: VotePatterns) -> Estimate:
    """AC1 of the items; `n` of the estimate is the number of items with at least two ratings.

    AC1 is undefined without such an item, and for a scheme of fewer than two labels. Where all
    ratings have one label it is 1.
    """
    table = _Table(*pattern_table(patterns))
    if table.why_undefined:
        return undefined(table.why_undefined, n=table.n)
    return Estimate(value=table.value, n=table.n)


def gwet_ac1_with_interval(
    patterns: VotePatterns, *, seed: int, replicates: int = 2000, is_widened: bool = True
) -> Estimate:
    """AC1 with a 95 % percentile bootstrap interval over questions.

    Each replicate draws as many questions as have a rating, with replacement, or as many items
    where the patterns know of no questions. One without an item with two ratings has no AC1: it is
    counted in `undefined_replicates`. `is_widened` is as for `Bootstrap`.

    Raises ValueError if `replicates` is less than 1 or `seed` is negative.
    """
    bootstrap = Bootstrap(replicates, seed, is_widened)
    bootstrap.require_replicates()
    table = _Table(*pattern_table(patterns))
    if table.why_undefined:
        return undefined(table.why_undefined, n=table.n, seed=seed)
    drawn, left_out, clusters = None, None, patterns.pairable().clusters
    if clusters > 1:
        resampling = Resampling(patterns, bootstrap, table.columns, table.of_sums)
        drawn, left_out = resampling.drawn(table.counts.shape[1]), resampling.left_out()
    return percentile_estimate(
        table.value,
        drawn,
        n=table.n,
        clusters=clusters,
        bootstrap=bootstrap,
        name="AC1",
        drew=patterns.drawn,
        left_out=left_out,
    )


@dataclass(frozen=True, eq=False)
class _Table:
    """Patterns as counts (P, K), each that of so many `units` (P,), all with a rating."""

    counts: Integers
    units: Integers

    @property
    def n(self) -> int:
        return int(self.units[self.counts.sum(axis=1) > 1].sum())

    @property
    def why_undefined(self) -> str | None:
        if self.n == 0:
            return "no item has two ratings"
        if self.counts.shape[1] < 2:
            return "the scheme has one label, so agreement is certain"
        return None

    @property
    def value(self) -> float:
        return float(self.of_sums(sums_of(self.columns, self.units[np.newaxis, :]))[0])

    @cached_property
    def columns(self) -> tuple[Floats, ...]:
        """Of an item of each pattern whether it is pairable, its agreement, its labels' shares, and
        1."""
        sizes = self.counts.sum(axis=1)
        agreeing = (self.counts * (self.counts - 1)).sum(axis=1)
        return (
            (sizes > 1).astype(np.float64),
            agreeing / np.maximum(1, sizes * (sizes - 1)),
            self.counts / sizes[:, np.newaxis],
            np.ones(len(sizes)),
        )

    def of_sums(self, sums: Floats) -> Floats:
        """AC1 for each row of sums of the columns (R, K + 3); NaN where no item has two ratings."""
        observed = ratio(sums[:, 1], sums[:, 0])
        shares = sums[:, 2:-1] / sums[:, -1:]
        chance = (shares * (1 - shares)).sum(axis=1) / (self.counts.shape[1] - 1)
        values: Floats = (observed - chance) / (1 - chance)
        return values


KappaWeights = Literal["unweighted", "linear", "quadratic"]
KAPPA_WEIGHTS: tuple[KappaWeights, ...] = get_args(KappaWeights)


def cohen_kappa(table: PairTable, scheme: LabelScheme, weights: KappaWeights) -> Estimate:
    """Agreement of two raters beyond what their label frequencies alone would give.

        kappa = 1 - sum of w_ab f_ab / sum of w_ab f_a f_b / N

    with f_ab the items labelled a by the first and b by the second rater, f_a and f_b the
    totals, N all items (Cohen 1960 and 1968). The weight of a disagreement is 1 for different
    labels (`unweighted`), or the distance of the labels' ranks (`linear`) or its square
    (`quadratic`): labels of equal rank are no disagreement then, and a gap in the ranks counts
    as it stands.

    `n` is the number of shared items. Kappa is undefined without any, and where the expected
    disagreement is 0 because both raters used one and the same label (or rank) only.
    Raises ValueError if the table has a label that is not in the scheme.
    """
    return kappa_of_counts(_joint_counts(table, scheme), scheme, weights)


def kappa_of_counts(joint: Floats, scheme: LabelScheme, weights: KappaWeights) -> Estimate:
    """As `cohen_kappa`, from the items by label of the first (rows) and of the second rater."""
    n = int(joint.sum())
    if not n:
        return undefined("no item is shared", n=0)
    cost = disagreement_weights(scheme, weights)
    expected = joint.sum(axis=1) @ cost @ joint.sum(axis=0)
    if expected == 0:
        what = "label" if weights == "unweighted" else "rank"
        return undefined(f"expected agreement is 1: both used one {what} only", n=n)
    return Estimate(value=float(1 - n * (cost * joint).sum() / expected), n=n)


def _joint_counts(table: PairTable, scheme: LabelScheme) -> Floats:
    joint = np.zeros((len(scheme.labels), len(scheme.labels)))
    for (first, second), items in table.counts.items():
        for label in (first, second):
            if label not in scheme.index_of:
                raise ValueError(f"raters {table.raters}: label {label!r} is not in the scheme")
        joint[scheme.index_of[first], scheme.index_of[second]] = items
    return joint


def disagreement_weights(scheme: LabelScheme, weights: KappaWeights) -> Floats:
    """The cost of a disagreement of every two labels of the scheme (K, K), as in `cohen_kappa`."""
    if weights == "unweighted":
        return 1 - np.eye(len(scheme.labels))
    ranks = np.array(scheme.ranks, dtype=np.float64)
    distance = np.abs(ranks[:, np.newaxis] - ranks[np.newaxis, :])
    return distance if weights == "linear" else distance**2


def different_weights(scheme: LabelScheme) -> tuple[KappaWeights, ...]:
    """The weights that make coefficients of their own, unweighted first.

    At the nominal level ranks mean nothing. Else those whose costs are in proportion to others'
    give the same kappa: with two labels all three do, with two ranks linear and quadratic ones.
    """
    if scheme.level == "nominal":
        return ("unweighted",)
    kept: dict[bytes, KappaWeights] = {}
    for weights in KAPPA_WEIGHTS:
        cost = disagreement_weights(scheme, weights)
        kept.setdefault(np.round(cost / (cost.max() or 1.0), 12).tobytes(), weights)
    return tuple(kept.values())
