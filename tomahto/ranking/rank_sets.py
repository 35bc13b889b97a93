"""Systems in order of their mean score, and what is certain of that order.

All systems answer the same questions, so one bootstrap draws questions for all of them together.
Two systems are told apart if the simultaneous 95 % interval of the difference of their means,
studentised over all pairs, leaves out 0. A system's rank set follows by counting (Mogstad, Romano,
Shaikh and Wilhelm 2024, "Inference for Ranks", Review of Economic Studies 91): with 95 %
confidence all rank sets hold at once. Percentiles of drawn ranks promise no such thing where
systems are close (Hall and Miller 2009, Annals of Statistics 37).
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tomahto.estimates.bootstrap import CONFIDENCE, Bootstrap, drawn_weights, percentile_estimate
from tomahto.estimates.estimate import Estimate
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
    return Standing(
        means=tuple(
            _mean(sums[place], drawn[:, place], questions, bootstrap) for place in range(systems)
        ),
        rank_sets=tuple(
            RankSet(1 + int(ahead[:, place].sum()), systems - int(ahead[place].sum()))
            for place in range(systems)
        ),
        better=np.array([(drawn[:, [each]] > drawn).mean(axis=0) for each in range(systems)]),
        groups=_groups(sums, ahead),
    )


def _mean(total: float, drawn: Floats, questions: int, bootstrap: Bootstrap) -> Estimate:
    scale = questions * UNIT
    estimate = percentile_estimate(
        float(total) / scale, drawn / scale, n=questions, clusters=questions, bootstrap=bootstrap
    )
    if estimate.low != estimate.high:
        return estimate
    return replace(estimate, low=None, high=None, reason=_ALIKE)


def _ahead(sums: Floats, drawn: Floats, questions: int) -> NDArray[np.bool_]:
    """Which system (row) is surely better than which (column), (S, S)."""
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
