"""A rater's agreement with the others: rating by rating, over time, and as kappa.

The agreement of a rating is the share of the others' votes that give its label. What should be
expected depends on the item, for some are hard for everybody. Where two or more others rated it,
that is the agreement of those among themselves. Where only one did, it is learnt from the pairs
of votes that leave the rater out: the share in which the second vote is v where the first is v,
for the other's vote v. Neither depends on anything that the rater gave.

For kappa a rating is compared with the votes of all others on its item, of which each counts the
same: o_i is the share of them that disagree, or the mean cost of the disagreements where these are
weighted. Over the rater's n ratings that have others to compare with, O is the mean of o_i, p_a the
share of the ratings with label a, q_b the mean share of the others' votes with label b, and

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

from tomahto.estimates.bootstrap import CONFIDENCE, ratio
from tomahto.estimates.estimate import Estimate, undefined, wilson_share
from tomahto.reliability.chance_corrected import KAPPA_WEIGHTS, KappaWeights, disagreement_weights
from tomahto.types import Floats, Integers
from tomahto.votes.rating_rows import RatingRows
from tomahto.votes.scheme import LabelScheme


@dataclass(frozen=True, eq=False)
class AgreementWithOthers:
    """For every rating (N,) its rater, its agreement with the others and its expectation.

    Both are NaN where nobody else rated the item. The expectation from one other is NaN too
    where no two others share any item; from a label that no two others share, it is that of all
    labels.
    """

    raters: Integers
    agreement: Floats
    expected: Floats

    @classmethod
    def of(cls, rows: RatingRows, left_out: frozenset[int] = frozenset()) -> "AgreementWithOthers":
        """From ratings of which no rater rated an item twice.

        Nobody is compared with the raters left out; what is said of those is of no use.
        """
        is_left_out = np.isin(rows.raters, list(left_out))
        counts = rows.counts.copy()
        np.subtract.at(counts, (rows.items[is_left_out], rows.labels[is_left_out]), 1)
        others = counts[rows.items]
        others[np.arange(rows.n), rows.labels] -= ~is_left_out
        same = others[np.arange(rows.n), rows.labels]
        sizes = others.sum(axis=1)
        agreement = ratio(same, sizes)
        agreeing, pairs = _pairs_without_each(rows, counts, others, same, sizes)
        pooled = ratio(agreeing.sum(axis=1), pairs.sum(axis=1))[:, np.newaxis]
        chances = np.where(pairs > 0, ratio(agreeing, pairs), pooled)
        from_one = ratio((others * chances[rows.raters]).sum(axis=1), sizes)
        among_others = ratio((others * (others - 1)).sum(axis=1), sizes * (sizes - 1))
        return cls(rows.raters, agreement, np.where(sizes > 1, among_others, from_one))


def _pairs_without_each(
    rows: RatingRows, counts: Integers, others: Integers, same: Integers, sizes: Integers
) -> tuple[Integers, Integers]:
    """Ordered pairs of votes on an item that leave a rater out: two arrays (R, K).

    By rater left out and label of the first vote: those that agree, and all.
    """
    raters, labels = len(rows.rater_names), len(rows.label_names)
    pairs = np.tile((counts * (counts.sum(axis=1, keepdims=True) - 1)).sum(axis=0), (raters, 1))
    agreeing = np.tile((counts * (counts - 1)).sum(axis=0), (raters, 1))
    for label in range(labels):
        given = np.bincount(rows.raters, weights=others[:, label], minlength=raters)
        pairs[:, label] -= given.astype(np.int64)
    at = (rows.raters, rows.labels)
    np.subtract.at(pairs, at, sizes)
    np.subtract.at(agreeing, at, 2 * same)
    return agreeing, pairs


WINDOW = 50  # ratings that others can be compared with


@dataclass(frozen=True, slots=True)
class AgreementWindow:
    """A stretch of a rater's sequence: their ratings from place `start` up to before `end`.

    `n` of the agreement is the number of its ratings that others can be compared with.
    `expected` is what the rest would lead one to expect, None if the rest share no item.
    `before` is the rater's own agreement until `start`, None for the first window.
    """

    start: int
    end: int
    agreement: Estimate
    expected: float | None
    before: float | None


def agreement_windows(
    rows: RatingRows, *, window: int = WINDOW
) -> tuple[tuple[AgreementWindow, ...], ...]:
    """Every rater's windows, in the order of `rater_names`.

    `rows` stand in the order in which the ratings were given, and no rater rated an item twice.
    A window holds `window` ratings that others can be compared with, the last one up to twice as
    many less one. Who shares no item has no window.
    """
    votes = AgreementWithOthers.of(rows)
    raters = range(len(rows.rater_names))
    return tuple(AgreementSequence.of(votes, rater, window).windows() for rater in raters)


@dataclass(frozen=True, eq=False)
class AgreementSequence:
    """A rater's comparable ratings in order: places in all their ratings, and values (n,).

    `starts` are the first ratings of the windows, `ratings` is the number of all their ratings.
    """

    places: Integers
    agreement: Floats
    expected: Floats
    starts: Integers
    ratings: int

    @classmethod
    def of(cls, votes: AgreementWithOthers, rater: int, window: int) -> "AgreementSequence":
        own = votes.raters == rater
        agreement, expected = votes.agreement[own], votes.expected[own]
        places = np.flatnonzero(~np.isnan(agreement))
        starts = np.arange(max(1, len(places) // window)) * window
        return cls(places, agreement[places], expected[places], starts, int(own.sum()))

    @property
    def excess(self) -> Floats:
        """Agreement less expectation (n,); without an expectation the agreement itself."""
        known = np.where(np.isnan(self.expected), 0, self.expected)
        excess: Floats = self.agreement - known
        return excess

    def windows(self) -> tuple[AgreementWindow, ...]:
        if not len(self.places):
            return ()
        ends = np.append(self.starts[1:], len(self.places))
        return tuple(
            AgreementWindow(
                start=int(self.places[start]),
                end=int(self.places[end - 1]) + 1,
                agreement=share_of_agreement(self.agreement[start:end]),
                expected=_mean_of_known(self.expected[start:end]),
                before=float(self.agreement[:start].mean()) if start else None,
            )
            for start, end in zip(self.starts.tolist(), ends.tolist(), strict=True)
        )


def share_of_agreement(agreement: Floats) -> Estimate:
    """The mean of agreements (n,), each the share of the others that agree, with an interval."""
    return wilson_share(float(agreement.sum()), len(agreement))


def _mean_of_known(values: Floats) -> float | None:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else None


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
