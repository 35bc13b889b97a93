"""The order of systems: what is certain of it, and where two judges see it otherwise.

All systems answer the same questions, so one bootstrap draws questions for all of them together.
Two systems are told apart if the simultaneous 95 % interval of the difference of their means,
studentised over all pairs, leaves out 0. A system's rank set follows by counting (Mogstad, Romano,
Shaikh and Wilhelm 2024, "Inference for Ranks", Review of Economic Studies 91): with 95 %
confidence all rank sets hold at once. Percentiles of drawn ranks promise no such thing where
systems are close (Hall and Miller 2009, Annals of Statistics 37).

Systems can change places with the way in which they are judged (CFMatch, Tab. 4), or seem to
because they are too close to be told apart. Two systems are compared on the questions that both
have answered, so those that answered different questions can be compared, too.
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from tomahto.estimates.bootstrap import (
    CONFIDENCE,
    ONE_QUESTION,
    Bootstrap,
    drawn_weights,
    percentile_estimate,
    ratio,
)
from tomahto.estimates.estimate import Estimate, turned, undefined, with_width
from tomahto.ranking.system_scores import SystemDifferences
from tomahto.types import Floats

UNIT = 10**6  # scores count to six decimals: sums of whole numbers are exact on every machine
_ALIKE = "all questions have the same score: resampling them shows no uncertainty"


@dataclass(frozen=True, slots=True)
class RankSet:
    """The ranks, from 1, that a system may have among all."""

    first: int
    last: int


@dataclass(frozen=True, eq=False)
class Standing:
    """S systems in the order given.

    `means` have intervals of their own, where resampling shows any uncertainty, and `rank_sets`
    hold together. `better` (S, S) is the share of replicates in which the system of the row has a
    higher mean than that of the column. `groups` are places of systems, best first: a new group
    begins where every system above is told apart from every one below.
    """

    means: tuple[Estimate, ...]
    rank_sets: tuple[RankSet, ...]
    better: Floats
    groups: tuple[tuple[int, ...], ...]


def standing(scores: Floats, bootstrap: Bootstrap) -> Standing:
    """Of scores (Q, S) from 0 to 1 of S systems on the same Q questions; `n` is Q.

    Raises ValueError without a question or without a replicate.
    """
    questions, systems = scores.shape
    if not questions or not bootstrap.replicates:
        raise ValueError(f"{questions} questions, {bootstrap.replicates} replicates")
    units = np.rint(scores * UNIT)
    sums = units.sum(axis=0)
    drawn = np.concatenate(
        [weights @ units for weights in drawn_weights(questions, systems, bootstrap)]
    )
    ahead = _ahead(sums, drawn, questions)
    scale = questions * UNIT
    means = [
        percentile_estimate(
            float(total) / scale, of_system, n=questions, clusters=questions, bootstrap=bootstrap
        )
        for total, of_system in zip(sums, drawn.T / scale, strict=True)
    ]
    return Standing(
        means=tuple(with_width(mean, _ALIKE) for mean in means),
        rank_sets=tuple(
            RankSet(1 + int(ahead[:, place].sum()), systems - int(ahead[place].sum()))
            for place in range(systems)
        ),
        better=np.array([(drawn[:, [each]] > drawn).mean(axis=0) for each in range(systems)]),
        groups=_groups(sums, ahead),
    )


def _ahead(sums: Floats, drawn: Floats, questions: int) -> NDArray[np.bool_]:
    """The systems (row) that are surely better than others (column), (S, S)."""
    systems = len(sums)
    errors, most = np.zeros((systems, systems)), np.zeros(len(drawn))
    for place in range(systems - 1):
        others = slice(place + 1, systems)
        off = (drawn[:, [place]] - drawn[:, others]) - (sums[place] - sums[others])
        errors[place, others] = error = off.std(axis=0)
        varies = error > 0
        if varies.any():
            np.maximum(most, np.abs(off[:, varies] / error[varies]).max(axis=1), out=most)
    errors += errors.T
    differences = sums[:, np.newaxis] - sums
    reach = float(np.quantile(most, CONFIDENCE))
    surely: NDArray[np.bool_] = differences > np.where(errors > 0, reach * errors, 0)
    if not _settles(questions, systems):
        surely &= errors > 0
    return surely


def _settles(questions: int, systems: int) -> bool:
    """Whether so many questions, all with the same difference, tell two systems apart.

    Resampling them shows nothing; a two-sided sign test does, corrected for all pairs.
    """
    pairs = max(1, systems * (systems - 1) // 2)
    return 2.0 ** (1 - questions) * pairs <= 1 - CONFIDENCE


def _groups(sums: Floats, ahead: NDArray[np.bool_]) -> tuple[tuple[int, ...], ...]:
    order = np.argsort(-sums, kind="stable")
    groups: list[list[int]] = []
    for start, place in enumerate(order.tolist()):
        if start == 0 or ahead[np.ix_(order[:start], order[start:])].all():
            groups.append([])
        groups[-1].append(place)
    return tuple(map(tuple, groups))


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
    """The likeness of two judges' orders of the systems.

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
