"""Alpha as the `krippendorff` package computes it: the value we publish.

The only module that imports the package, which is licensed GPL-3.0-or-later.
"""

import krippendorff
import numpy as np
from numpy.typing import NDArray

from tomahto.estimates.estimate import Estimate, undefined
from tomahto.types import Integers
from tomahto.votes.patterns import VotePatterns
from tomahto.votes.scheme import Level
from tomahto.votes.values_by_units import ValuesByUnits, values_by_units


def package_alpha(patterns: VotePatterns, *, level: Level | None = None) -> Estimate:
    """The package's alpha of the pairable items at a level, the scheme's by default.

    Undefined where the package raises or divides by zero: without an item with two ratings, and
    where all their ratings have one value. `n` is the number of items with at least two ratings.
    """
    table = values_by_units(patterns, level)
    if table.why_undefined:
        return undefined(table.why_undefined, n=table.n)
    differ = ~_is_unanimous(table)
    disagreeing = np.repeat(table.counts[differ], table.units[differ], axis=0)
    value = krippendorff.alpha(
        value_counts=np.concatenate([_unanimous_units(table), disagreeing]),
        value_domain=table.scaled,
        level_of_measurement=table.level,
    )
    return Estimate(value=float(value), n=table.n)


def package_cells(patterns: VotePatterns, *, level: Level | None = None) -> int:
    """Size of the package's working arrays for these patterns, in numbers of eight bytes.

    The package makes a matrix values x values for every unit it is handed, three at a time.
    """
    table = values_by_units(patterns, level)
    units = len(table.values) + int(table.units[~_is_unanimous(table)].sum())
    return units * len(table.values) ** 2


def _is_unanimous(table: ValuesByUnits) -> NDArray[np.bool_]:
    unanimous: NDArray[np.bool_] = table.counts.max(axis=1, initial=0) == table.sizes
    return unanimous


def _unanimous_units(table: ValuesByUnits) -> Integers:
    """One unit per value (K, K) that stands for all units which got this value only.

    a equal ratings of a unit add a (a - 1) / (a - 1) = a coincidences of the value with itself.
    That is additive in a, so one large unit equals many small ones, and most units are such.
    """
    unanimous = _is_unanimous(table)
    return np.diag(table.units[unanimous] @ table.counts[unanimous])
