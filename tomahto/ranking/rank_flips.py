"""Pairs of systems that two judges put in opposite order, and how far to trust that.

Systems can change places with the way in which they are judged (CFMatch, Tab. 4), or seem to
because they are too close to be told apart. Two systems are compared on the questions that both
have answered, so those that answered different questions can be compared, too.
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from tomahto.estimates.bootstrap import ONE_QUESTION, percentile_estimate
from tomahto.estimates.estimate import Estimate, turned, undefined
from tomahto.estimates.ratio import ratio
from tomahto.ranking.system_differences import SystemDifferences
from tomahto.types import Floats


@dataclass(frozen=True, slots=True)
class RankFlip:
    """`judge` puts `system` above `other_system`, `other_judge` below it.

    Both differences are of `system` less `other_system`, over the questions both answered; on `n`
    of them all judges know both answers. `probability` is the share of replicates in which both
    judges hold their order strictly: one in which either sees a tie, or no question of both is
    drawn, does not count for the flip.
    """

    system: str
    other_system: str
    judge: str
    other_judge: str
    n: int
    difference: Estimate
    other_difference: Estimate
    probability: Estimate


@dataclass(frozen=True, slots=True)
class RankAgreement:
    """How far two judges order the systems alike.

    Of `pairs` pairs of systems with a difference on questions in common, the judges agree on the
    order of `concordant`, flip `flipped`, and one of them or both see a tie in the others. `tau` is
    Kendall's tau-b, and `n` of it the number of pairs.
    """

    judge: str
    other_judge: str
    pairs: int
    concordant: int
    flipped: int
    tau: Estimate


def rank_flips(differences: SystemDifferences) -> tuple[RankFlip, ...]:
    """Every pair of systems that two judges put in opposite order, pairs of judges in order."""
    values = differences.values
    return tuple(
        _flip(differences, pair, one, other)
        for one, other in combinations(range(values.shape[1]), 2)
        for pair in range(values.shape[0])
        if values[pair, one] * values[pair, other] < 0
    )


def rank_agreement(differences: SystemDifferences, judge: str, other: str) -> RankAgreement:
    """Kendall's tau-b of the systems' orders under two judges (Kendall 1945).

    tau-b = (C - D) / sqrt(U V), with C concordant and D flipped pairs of systems, and U and V pairs
    that the one and the other judge see no tie in. It is undefined where a judge sees only ties.
    """
    one, two = (differences.answers.judges.index(name) for name in (judge, other))
    orders = np.nan_to_num(np.sign(differences.values))
    products = orders[:, one] * orders[:, two]
    return RankAgreement(
        judge=judge,
        other_judge=other,
        pairs=int(differences.compared(one, two).sum()),
        concordant=int((products > 0).sum()),
        flipped=int((products < 0).sum()),
        tau=_tau(differences, one, two),
    )


def _flip(differences: SystemDifferences, pair: int, one: int, two: int) -> RankFlip:
    """The system that the first judge prefers is named first."""
    names, judges = differences.answers.systems, differences.answers.judges
    system, other = (names[place] for place in differences.pairs[pair])
    estimates = [differences.estimate(pair, judge) for judge in (one, two)]
    if differences.values[pair, one] < 0:
        system, other = other, system
        estimates = [turned(estimate) for estimate in estimates]
    return RankFlip(
        system=system,
        other_system=other,
        judge=judges[one],
        other_judge=judges[two],
        n=int(differences.n[pair]),
        difference=estimates[0],
        other_difference=estimates[1],
        probability=_flip_probability(differences, pair, one, two),
    )


def _flip_probability(differences: SystemDifferences, pair: int, one: int, two: int) -> Estimate:
    n, seed = int(differences.n[pair]), differences.bootstrap.seed
    if differences.answers.questions == 1:
        return undefined(ONE_QUESTION, n=n, seed=seed)
    places = [one, two]
    order = np.sign(differences.values[pair, places])
    holds = (np.sign(differences.drawn[:, pair, places]) == order).all(axis=1)
    return Estimate(
        value=float(holds.mean()),
        n=n,
        reason="a share of replicates has no interval of its own",
        replicates=len(holds),
        seed=seed,
    )


def _tau(differences: SystemDifferences, one: int, two: int) -> Estimate:
    n, bootstrap = int(differences.compared(one, two).sum()), differences.bootstrap
    value = float(_taus(differences.values[np.newaxis], one, two)[0])
    if not n:
        reason = "no two systems have answered a question in common"
        return undefined(reason, n=0, seed=bootstrap.seed)
    if np.isnan(value):
        return undefined("all systems are tied", n=n, seed=bootstrap.seed)
    drawn = _taus(differences.drawn, one, two) if differences.answers.questions > 1 else None
    return percentile_estimate(
        value,
        drawn,
        n=n,
        clusters=differences.answers.questions,
        bootstrap=bootstrap,
        name="tau",
    )


def _taus(differences: Floats, one: int, two: int) -> Floats:
    """tau-b of each replicate (R,), from differences (R, P, J); NaN where all are tied."""
    orders = np.nan_to_num(np.sign(differences))
    first, second = orders[..., one], orders[..., two]
    untied = np.sqrt((first**2).sum(axis=1) * (second**2).sum(axis=1))
    return ratio((first * second).sum(axis=1), untied)
