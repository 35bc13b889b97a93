"""Quotients of arrays, undefined where there is nothing to divide by."""

import numpy as np

from tomahto.types import Floats, Integers


def ratio(numerators: Integers | Floats, denominators: Integers | Floats) -> Floats:
    """Element by element, of arrays that fit together; NaN where the denominator is not above 0."""
    unknown = np.full(np.broadcast(numerators, denominators).shape, np.nan)
    ratios: Floats = np.divide(numerators, denominators, out=unknown, where=denominators > 0)
    return ratios
