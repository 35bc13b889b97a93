"""CAP scores of items from stored probabilities, for any weights of the formula.

The score of an item is linear in what an inference model says of it (CAP eq. 2 and 3), so stored
probabilities give every variant without running a model again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

import numpy as np

from tomahto.ranking.order_counts import OrderedItems
from tomahto.types import Floats, Integers

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
