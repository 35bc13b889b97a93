"""How good chosen weights of CAP's formula are on items they were not chosen on."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from tomahto.classes.cap_items import DEFAULT, CapItems, CapWeights, Objective, weights_grid
from tomahto.estimates.bootstrap import Bootstrap, percentile_estimate
from tomahto.estimates.estimate import Estimate, undefined
from tomahto.ranking.order_counts import OrderedItems
from tomahto.types import Floats, Integers

FOLDS = 5


class Choice(NamedTuple):
    """Items that weights are chosen on, and others that they are judged on: places, ascending."""

    chosen_on: Integers
    judged_on: Integers


@dataclass(frozen=True, slots=True)
class HeldOut:
    """What choosing the weights comes to on items they were not chosen on.

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
    values = np.array([[_point(items, objective) for items in pair] for pair in pairs])
    drawn = _drawn_means(pairs, objective, bootstrap)
    means = values.mean(axis=0) if pairs else np.full(2, np.nan)
    estimate = partial(
        _mean_estimate,
        n=sum(one.n for one, _ in pairs),
        clusters=sum(one.clusters for one, _ in pairs),
        bootstrap=bootstrap,
    )
    best, default = (
        estimate(means[place], None if drawn is None else drawn[place]) for place in (0, 1)
    )
    gain = None if drawn is None else drawn[0] - drawn[1]
    return HeldOut(chosen, best, default, estimate(means[0] - means[1], gain))


def _point(items: OrderedItems, objective: Objective) -> float:
    """The objective of the items; NaN if it is undefined."""
    return float(getattr(items.statistics(), objective)[0])


def _best_on(items: CapItems, weights: Sequence[CapWeights], objective: Objective) -> CapWeights:
    """Those of the highest objective; of equally good ones the first."""
    values = [_point(items.scored(each), objective) for each in weights]
    return weights[int(np.argmax(np.nan_to_num(values, nan=-np.inf)))]


def _drawn_means(
    pairs: Sequence[tuple[OrderedItems, OrderedItems]], objective: Objective, bootstrap: Bootstrap
) -> Floats | None:
    """Of chosen and default weights, the mean over the choices in each replicate (2, R).

    The questions of each choice are drawn on their own; None if one has a single question.
    """
    if not pairs or any(chosen.clusters == 1 for chosen, _ in pairs):
        return None
    drawn = [
        [
            getattr(items.drawn(Bootstrap(bootstrap.replicates, bootstrap.seed + place)), objective)
            for items in pair
        ]
        for place, pair in enumerate(pairs)
    ]
    means: Floats = np.mean(drawn, axis=0)
    return means


def _mean_estimate(
    value: float, drawn: Floats | None, *, n: int, clusters: int, bootstrap: Bootstrap
) -> Estimate:
    if not n:
        return undefined("one question cannot be held out", n=0, seed=bootstrap.seed)
    if np.isnan(value):
        reason = "the items that weights are judged on give no order"
        return undefined(reason, n=n, seed=bootstrap.seed)
    return percentile_estimate(float(value), drawn, n=n, clusters=clusters, bootstrap=bootstrap)
