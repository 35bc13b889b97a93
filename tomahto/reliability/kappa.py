"""Cohen's kappa of two raters, unweighted and weighted by the distance of ranks."""

from typing import Literal, get_args

import numpy as np

from tomahto.estimates.estimate import Estimate, undefined
from tomahto.types import Floats
from tomahto.votes.patterns import PairTable
from tomahto.votes.scheme import LabelScheme

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
    joint = _joint_counts(table, scheme)
    if not table.items:
        return undefined("no item is shared", n=0)
    cost = disagreement_weights(scheme, weights)
    expected = joint.sum(axis=1) @ cost @ joint.sum(axis=0)
    if expected == 0:
        what = "label" if weights == "unweighted" else "rank"
        return undefined(f"expected agreement is 1: both used one {what} only", n=table.items)
    observed = table.items * (cost * joint).sum()
    return Estimate(value=float(1 - observed / expected), n=table.items)


def _joint_counts(table: PairTable, scheme: LabelScheme) -> Floats:
    """Items by label of the first (rows) and of the second rater (columns)."""
    joint = np.zeros((len(scheme.labels), len(scheme.labels)))
    for (first, second), items in table.counts.items():
        for label in (first, second):
            if label not in scheme.index_of:
                raise ValueError(f"raters {table.raters}: label {label!r} is not in the scheme")
        joint[scheme.index_of[first], scheme.index_of[second]] = items
    return joint


def disagreement_weights(scheme: LabelScheme, weights: KappaWeights) -> Floats:
    """What a disagreement of every two labels of the scheme costs (K, K), as in `cohen_kappa`."""
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
