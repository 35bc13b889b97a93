"""A sweep over the weights of CAP's formula, and what is left without a part of it.

CAP App. C.3, Tab. 11, and App. E.1, Tab. 13. A sweep names its best weights on the items it was
made of; how good they are is told by items they were not chosen on (`cap_held_out`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tomahto.classes.cap_items import (
    ABLATIONS,
    DEFAULT,
    CapItems,
    CapWeights,
    Objective,
    weights_grid,
)
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.estimate import Estimate
from tomahto.ranking.order_intervals import OrderIntervals, order_intervals

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
        values = [_sortable(order.statistic(self.objective)) for _, order in self.grid]
        return self.grid[values.index(max(values))]

    @property
    def equally_good(self) -> int:
        """How many cells have the objective of the best."""
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


def _sortable(estimate: Estimate) -> float:
    return -np.inf if estimate.value is None else estimate.value
