"""How far one rater agrees with the rest, with which labels they differ, and kappa.

A rating is compared with the votes of all others on its item, of which each counts the same: o_i
is the share of them that disagree, or the mean cost of the disagreements where these are weighted.
Over the rater's n ratings that have others to compare with, O is the mean of o_i, p_a the share of
the ratings with label a, q_b the mean share of the others' votes with label b, and

    kappa = 1 - O / E    with    E = sum over a, b of w_ab p_a q_b.

With one other rater this is Cohen's kappa. It is the agreement of an isolated rater with a group
of Vanbelle and Albert 2009 ("Agreement between an isolated rater and a group of raters",
Statistica Neerlandica 63), with 1 as its highest value, as Schouten (1982, Statistica Neerlandica
36) has it: so a rater falls short of 1 also where the rest disagree among themselves.

The standard error is by the delta method over the ratings; where there is one other rater it is
that of Fleiss, Cohen and Everitt (1969, Psychological Bulletin 72). The interval is normal for
artanh kappa (Fisher's z, which Lin 1989, Biometrics 45, takes for his coefficient of concordance).
So it lies between -1 and 1 as kappa does, and holds the true value more often than one cut off.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from tomahto.estimates.bootstrap import CONFIDENCE
from tomahto.estimates.estimate import Estimate, undefined
from tomahto.raters.agreement_windows import share_of_agreement
from tomahto.reliability.kappa import KAPPA_WEIGHTS, KappaWeights, disagreement_weights
from tomahto.types import Floats, Integers
from tomahto.votes.rating_rows import RatingRows
from tomahto.votes.scheme import LabelScheme

_ALONE = "nobody else has rated the same items"


@dataclass(frozen=True, slots=True)
class RaterAndRest:
    """A rater against all others; the `n` of the estimates counts their comparable ratings.

    `agreement` is the mean share of the others who gave the same label. `table[a][b]` sums, over
    the rater's ratings with label a, the share of the others' votes with label b: a row adds up
    to the comparable ratings with its label. Labels stand in the order of the scheme.
    """

    rater: str
    agreement: Estimate
    kappa: Mapping[KappaWeights, Estimate]
    table: tuple[tuple[float, ...], ...]


def raters_and_rest(rows: RatingRows, scheme: LabelScheme) -> tuple[RaterAndRest, ...]:
    """Every rater of `rater_names`, in their order; no rater may have rated an item twice.

    Raises ValueError if the labels of the rows are not those of the scheme.
    """
    if rows.label_names != scheme.labels:
        raise ValueError(f"labels {rows.label_names} are not those of the scheme")
    others = rows.others
    return tuple(_compared(rows, others, rater, scheme) for rater in range(len(rows.rater_names)))


def _compared(
    rows: RatingRows, all_others: Integers, rater: int, scheme: LabelScheme
) -> RaterAndRest:
    own = np.flatnonzero(rows.raters == rater)
    others = all_others[own]
    sizes = others.sum(axis=1)
    labels = rows.labels[own][sizes > 0]
    shares: Floats = others[sizes > 0] / sizes[sizes > 0, np.newaxis]
    given: Floats = np.eye(len(scheme.labels))[labels]
    n = len(labels)
    same = shares[np.arange(n), labels]
    return RaterAndRest(
        rater=rows.rater_names[rater],
        agreement=share_of_agreement(same) if n else undefined(_ALONE, n=0),
        kappa={weights: _kappa(labels, shares, scheme, weights) for weights in KAPPA_WEIGHTS},
        table=tuple(tuple(row) for row in (given.T @ shares).tolist()),
    )


def _kappa(
    labels: Integers, shares: Floats, scheme: LabelScheme, weights: KappaWeights
) -> Estimate:
    n, cost = len(labels), disagreement_weights(scheme, weights)
    if not n:
        return undefined(_ALONE, n=0)
    costs = (cost[labels] * shares).sum(axis=1)
    own, rest = np.bincount(labels, minlength=len(cost)) / n, shares.mean(axis=0)
    observed, expected = float(costs.mean()), float(own @ cost @ rest)
    if expected <= 0:
        what = "label" if weights == "unweighted" else "rank"
        return undefined(f"expected agreement is 1: all used one {what} only", n=n)
    value = 1 - observed / expected
    # what each rating contributes to O and E, and so to kappa
    by_chance = cost[labels] @ rest + shares @ (cost @ own) - 2 * expected
    influence = (observed / expected * by_chance - (costs - observed)) / expected
    return _with_interval(value, float(np.sqrt((influence**2).mean() / n)), n)


def _with_interval(value: float, error: float, n: int) -> Estimate:
    if error < 1e-12 or abs(value) >= 1:
        return Estimate(value=value, n=n, reason="all ratings are alike: no spread, no interval")
    centre = math.atanh(value)
    reach = NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * error / (1 - value**2)
    return Estimate(
        value=value,
        n=n,
        low=math.tanh(centre - reach),
        high=math.tanh(centre + reach),
        confidence=CONFIDENCE,
    )
