"""Outcomes of ratings, drawn by a seed.

A rater knows an item's outcome with a chance of 0.8, unless told otherwise, and else guesses, so
that every kind of disagreement occurs.
"""

import numpy as np
from numpy.typing import NDArray

_KNOWS = 0.8
_SEED = 4


def drawn_outcomes(
    outcomes: int, items: int, overlap: int, *, knows: float = _KNOWS
) -> NDArray[np.int16]:
    """The outcome of every rating (items, overlap), by its place among the outcomes there are."""
    generator = np.random.default_rng(_SEED)
    shape = (items, overlap)
    true = generator.integers(0, outcomes, (items, 1), dtype=np.int16)
    guessed = generator.integers(0, outcomes, shape, dtype=np.int16)
    return np.where(generator.random(shape, dtype=np.float32) < knows, true, guessed)
