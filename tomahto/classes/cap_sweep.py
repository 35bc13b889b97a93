"""CAP's formula with other weights, with a part left out, and on items held out.

The score of an item is linear in what an inference model says of it (CAP eq. 2 and 3), so stored
probabilities give every variant without running a model again.

A sweep (CAP App. C.3, Tab. 11, and App. E.1, Tab. 13) names its best weights on the items it was
made of; how good they are is told by items they were not chosen on (`held_out`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, get_args

import numpy as np

from tomahto.estimates.bootstrap import Bootstrap, percentile_estimate
from tomahto.estimates.estimate import Estimate, undefined
from tomahto.ranking.order_counts import OrderedItems
from tomahto.ranking.order_intervals import OrderIntervals, order_intervals
from tomahto.types import Floats, Integers

HARD_NEIGHBOURS = (
    ("equivalent", "partial"),
    ("overinclusive-valid", "partial"),
    ("overinclusive-valid", "overinclusive-invalid"),
    ("alternative-correct", "invalid"),
)
"""Those that are hardest to tell apart (CAP Tab. 4)."""

AMBIGUOUS_PAIRS = (("overinclusive-valid", "partial"),)
"""Strictly ordered by rank, yet context-dependent (CAP eq. 1)."""

Objective = Literal["spearman", "kendall_tau_b", "pairwise_accuracy"]
OBJECTIVES: tuple[Objective, ...] = get_args(Objective)


class CapWeights(NamedTuple):
    """`alpha` weighs reference → candidate, `neutral` (the paper's λ) is the neutral's credit."""

    alpha: float
    neutral: float


DEFAULT = CapWeights(0.85, 0.30)
"""Found best in the paper (App. C.3)."""

ABLATIONS: tuple[tuple[str, CapWeights], ...] = (
    ("forward entailment (α = 1, λ = 0)", CapWeights(1.0, 0.0)),
    ("forward only (α = 1)", CapWeights(1.0, DEFAULT.neutral)),
    ("backward entailment (α = 0, λ = 0)", CapWeights(0.0, 0.0)),
    ("backward only (α = 0)", CapWeights(0.0, DEFAULT.neutral)),
    ("mean of both entailments (α = 0.5, λ = 0)", CapWeights(0.5, 0.0)),
    ("entailment only (λ = 0)", CapWeights(DEFAULT.alpha, 0.0)),
    ("full CAP", DEFAULT),
)
"""The variants of Tab. 13 and, as the last but one, the default α without the neutral class."""


@dataclass(frozen=True, eq=False)
class CapItems:
    """Items with what an inference model said of them.

    `forward` and `backward` are the probabilities of entailment and of neutral (N, 2), from the
    reference's statement to the candidate's and back. The scores of `items` are not read.

    Raises ValueError if the shapes differ or the two probabilities are not ones.
    """

    items: OrderedItems
    forward: Floats
    backward: Floats

    def __post_init__(self) -> None:
        for name, values in (("forward", self.forward), ("backward", self.backward)):
            if values.shape != (self.items.n, 2):
                raise ValueError(f"{name}: {values.shape} probabilities of {self.items.n} items")
            if not ((values >= 0).all() and (values.sum(axis=1) <= 1 + 1e-3).all()):
                raise ValueError(f"{name}: entailment and neutral are not from 0 to 1 together")

    def scored(self, weights: CapWeights) -> OrderedItems:
        """The items with the scores of these weights (CAP eq. 3), kept from 0 to 1."""
        ahead, back = (
            values[:, 0] + weights.neutral * values[:, 1]
            for values in (self.forward, self.backward)
        )
        scores = weights.alpha * ahead + (1 - weights.alpha) * back
        return self.items.with_scores(np.clip(scores, 0.0, 1.0))

    def of_items(self, chosen: Integers) -> "CapItems":
        return CapItems(self.items.of_items(chosen), self.forward[chosen], self.backward[chosen])


def weights_grid(alphas: Sequence[float], neutrals: Sequence[float]) -> list[CapWeights]:
    """Every α with every λ. Raises ValueError if there is none or one is not from 0 to 1."""
    grid = [CapWeights(alpha, neutral) for alpha in alphas for neutral in neutrals]
    if not grid:
        raise ValueError("a sweep needs at least one α and one λ")
    for value in (*alphas, *neutrals):
        if not 0 <= value <= 1:
            raise ValueError(f"{value} is not from 0 to 1")
    return grid


ALPHAS = (0.0, 0.15, 0.3, 0.5, 0.7, 0.85, 1.0)
NEUTRALS = (0.0, 0.15, 0.3, 0.5)
"""A grid that holds the paper's (Tab. 11) and its default weights."""


@dataclass(frozen=True, eq=False)
class CapSweep:
    """The orders of all weights of a grid, row by row, and of the default weights."""

    items: CapItems
    objective: Objective
    grid: tuple[tuple[CapWeights, OrderIntervals], ...]
    default: OrderIntervals

    @cached_property
    def best(self) -> tuple[CapWeights, OrderIntervals]:
        """The cell of the highest objective; of equally good ones the first."""
        values = [order.statistic(self.objective).value for _, order in self.grid]
        known = [-np.inf if value is None else value for value in values]
        return self.grid[known.index(max(known))]

    @property
    def equally_good(self) -> int:
        """The number of cells with the objective of the best."""
        best = self.best[1].statistic(self.objective).value
        return sum(order.statistic(self.objective).value == best for _, order in self.grid)

    @property
    def gain(self) -> Estimate:
        """The best cell's objective less the default's on the items it was chosen on."""
        return self.best[1].difference(self.default, self.objective)

    @property
    def share_better(self) -> float | None:
        """The share of replicates in which the best cell beats the default; equal is not better.

        None if no replicate tells. As the cell was chosen on these items, the share is too high.
        """
        return self.best[1].share_above(self.default, self.objective)


def cap_sweep(
    items: CapItems,
    bootstrap: Bootstrap,
    *,
    alphas: Sequence[float],
    neutrals: Sequence[float],
    objective: Objective = "spearman",
) -> CapSweep:
    """Every α with every λ. Raises ValueError as `weights_grid`."""
    weights = weights_grid(alphas, neutrals)
    return CapSweep(
        items,
        objective,
        tuple((each, order_intervals(items.scored(each), bootstrap)) for each in weights),
        order_intervals(items.scored(DEFAULT), bootstrap),
    )


def ablation(items: CapItems, bootstrap: Bootstrap) -> tuple[tuple[str, OrderIntervals], ...]:
    """The order of each variant in `ABLATIONS`; all draws are paired."""
    return tuple(
        (name, order_intervals(items.scored(weights), bootstrap)) for name, weights in ABLATIONS
    )


FOLDS = 5


class Choice(NamedTuple):
    """Items that weights are chosen on, and others that they are judged on: places, ascending."""

    chosen_on: Integers
    judged_on: Integers


@dataclass(frozen=True, slots=True)
class HeldOut:
    """The quality of chosen weights on items they were not chosen on.

    `chosen` are those of each choice. `value` is the mean over the choices of the objective on the
    items each is judged on, `default` that of the default weights on the same items, `difference`
    the first less the second. Intervals take the choices as they are and draw the questions they
    are judged on.
    """

    chosen: tuple[CapWeights, ...]
    value: Estimate
    default: Estimate
    difference: Estimate


def folds_of(items: OrderedItems, *, seed: int, folds: int = FOLDS) -> tuple[Choice, ...]:
    """Choices for cross-validation: questions are dealt out at random, each judged once.

    There are fewer folds where there are fewer questions, and none for a single question.
    """
    folds = min(folds, items.clusters)
    if folds < 2:
        return ()
    dealt = np.random.default_rng(seed).permutation(items.clusters) % folds
    fold_of = dealt[items.questions]
    return tuple(
        Choice(np.flatnonzero(fold_of != fold), np.flatnonzero(fold_of == fold))
        for fold in range(folds)
    )


def held_out(
    items: CapItems,
    choices: Sequence[Choice],
    bootstrap: Bootstrap,
    *,
    alphas: Sequence[float],
    neutrals: Sequence[float],
    objective: Objective = "spearman",
) -> HeldOut:
    """Chooses weights on some items and judges them on others, for every choice.

    `n` of the estimates is the number of items judged. Undefined without a choice, and where the
    objective is undefined on the items of one. Raises ValueError as `weights_grid`.
    """
    weights = weights_grid(alphas, neutrals)
    judged = [items.of_items(choice.judged_on) for choice in choices]
    chosen = tuple(
        _best_on(items.of_items(choice.chosen_on), weights, objective) for choice in choices
    )
    pairs = [
        (one.scored(each), one.scored(DEFAULT)) for one, each in zip(judged, chosen, strict=True)
    ]
    if not pairs:
        nothing = undefined("one question cannot be held out", n=0, seed=bootstrap.seed)
        return HeldOut(chosen, nothing, nothing, nothing)
    best, default = np.mean([[_point(one, objective) for one in pair] for pair in pairs], axis=0)
    n, clusters = sum(one.n for one, _ in pairs), sum(one.clusters for one, _ in pairs)
    estimates = []
    for value, drawn in zip(
        (best, default, best - default), _drawn_means(pairs, objective, bootstrap), strict=True
    ):
        if np.isnan(value):
            reason = "the items that weights are judged on give no order"
            estimates.append(undefined(reason, n=n, seed=bootstrap.seed))
            continue
        estimate = percentile_estimate(
            float(value), drawn, n=n, clusters=clusters, bootstrap=bootstrap
        )
        estimates.append(estimate)
    return HeldOut(chosen, *estimates)


def _point(items: OrderedItems, objective: Objective) -> float:
    """The objective of the items; NaN if it is undefined."""
    return float(getattr(items.statistics(), objective)[0])


def _best_on(items: CapItems, weights: Sequence[CapWeights], objective: Objective) -> CapWeights:
    """Those of the highest objective; of equally good ones the first."""
    values = [_point(items.scored(each), objective) for each in weights]
    return weights[int(np.argmax(np.nan_to_num(values, nan=-np.inf)))]


def _drawn_means(
    pairs: Sequence[tuple[OrderedItems, OrderedItems]], objective: Objective, bootstrap: Bootstrap
) -> Iterable[Floats | None]:
    """Of chosen weights, default weights and their difference, the mean over the choices in each
    replicate (R,).

    The questions of each choice are drawn on their own; None if one has a single question.
    """
    if any(chosen.clusters == 1 for chosen, _ in pairs):
        return [None] * 3
    drawn = [
        [
            getattr(items.drawn(Bootstrap(bootstrap.replicates, bootstrap.seed + place)), objective)
            for items in pair
        ]
        for place, pair in enumerate(pairs)
    ]
    best, default = np.mean(drawn, axis=0)
    return best, default, best - default
