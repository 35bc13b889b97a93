"""The ratings that benchmarks of agreement are measured on."""

import numpy as np
from numpy.typing import NDArray

_KNOWS = 0.8
_SEED = 4


def random_outcomes(outcomes: int, items: int, overlap: int) -> NDArray[np.int16]:
    """The outcome of every rating (items, overlap), by its place among the outcomes there are.

    A rater knows an item's outcome with a chance of 0.8 and else guesses, so that every kind of
    disagreement occurs.
    """
    generator = np.random.default_rng(_SEED)
    shape = (items, overlap)
    true = generator.integers(0, outcomes, (items, 1), dtype=np.int16)
    guessed = generator.integers(0, outcomes, shape, dtype=np.int16)
    return np.where(generator.random(shape, dtype=np.float32) < _KNOWS, true, guessed)
