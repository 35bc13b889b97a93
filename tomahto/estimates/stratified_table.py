"""Post-stratified means of many groups at once, for a bootstrap that draws whole questions.

The mean is that of `tomahto.estimates.post_stratified`, which has the formula; there units of one
group are drawn, here questions, the same for all groups, so that groups can be compared in pairs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tomahto.estimates.ratio import ratio
from tomahto.types import Floats, Integers


class _Stratum(NamedTuple):
    """The units of G groups by question (Q, G), which of their values are known (Q, G * J), and
    these values (Q, G * J), 0 elsewhere."""

    units: Floats
    known: Floats
    values: Floats

    @property
    def is_known(self) -> bool:
        """Whether all values of its units are."""
        groups, columns = self.units.shape[1], self.known.shape[1]
        return bool(self.known.sum() * groups == self.units.sum() * columns)


@dataclass(frozen=True, eq=False)
class StratifiedTable:
    """One unit at most of every group to a question, with J values. Strata of which all units are
    known are one: their means need no correction."""

    strata: Sequence[_Stratum]

    @classmethod
    def of(cls, strata: Integers, values: Floats) -> "StratifiedTable":
        """From each unit's stratum (G, Q), -1 without a unit, and values (G, Q, J), NaN where they
        are not known: some of a unit's may be."""
        is_known = ~np.isnan(values)
        is_open = np.isin(strata, np.unique(strata[(strata >= 0) & ~is_known.all(axis=2)]))
        parts = [strata == stratum for stratum in np.unique(strata[is_open])]
        of_known = (strata >= 0) & ~is_open
        return cls([_stratum(part, is_known, values) for part in (of_known, *parts)])

    @property
    def width(self) -> int:
        """Of the working arrays of `means`."""
        return int(self.strata[0].values.shape[1])

    def means(self, weights: Floats) -> Floats:
        """Means (R, G, J) over questions drawn `weights` (R, Q) times; NaN without a unit, and
        where a stratum has units but none is known."""
        units = sum(weights @ stratum.units for stratum in self.strata)
        totals = sum(_total(stratum, weights) for stratum in self.strata)
        means: Floats = ratio(np.asarray(totals), np.asarray(units)[..., np.newaxis])
        return means


def _stratum(part: NDArray[np.bool_], is_known: NDArray[np.bool_], values: Floats) -> _Stratum:
    groups, questions, values_of_unit = values.shape
    known = part[..., np.newaxis] & is_known
    by_question = (
        each.transpose(1, 0, 2).reshape(questions, groups * values_of_unit)
        for each in (known.astype(np.float64), np.where(known, values, 0.0))
    )
    return _Stratum(part.T.astype(np.float64), *by_question)


def _total(stratum: _Stratum, weights: Floats) -> Floats:
    """What all units of the stratum add up to in each replicate (R, G, J), known or not."""
    shape = len(weights), stratum.units.shape[1], -1
    sums = (weights @ stratum.values).reshape(shape)
    if stratum.is_known:
        return sums
    units = (weights @ stratum.units)[..., np.newaxis]
    known = (weights @ stratum.known).reshape(shape)
    total: Floats = sums * np.where(units > 0, ratio(units, known), 0.0)
    return total
