"""The mean of all units where only some are known, from strata of which the sizes are.

Answers that match a reference exactly are known to be right without being judged, all others as
far as people have judged them. To pool what is known would count the exact matches too often.
So the mean of each stratum's known units stands for all its units:

    mean = sum over strata s of N_s m_s / sum over s of N_s

(post-stratification: Cochran 1977, "Sampling Techniques", section 5A.9). It assumes that within
a stratum the known units are like the others.

For the interval, `post_stratified_mean` draws units of one group. A `StratifiedTable` has the same
mean of many groups at once, and draws whole questions, the same for all groups, so that groups can
be compared in pairs.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tomahto.estimates.bootstrap import Bootstrap, percentile_estimate, ratio
from tomahto.estimates.estimate import Estimate, undefined
from tomahto.types import Floats, Integers

_Cell = tuple[str, float | None]
Cells = Mapping[_Cell, int]


def post_stratified_mean(
    cells: Cells, bootstrap: Bootstrap, ends: Mapping[str, tuple[float, float]] | None = None
) -> Estimate:
    """The mean over all units with a 95 % percentile interval over units.

    `cells` counts the units by stratum and value, None for a unit whose value is not known. `n`
    is the number of known units. Undefined without a unit, and where a stratum has units but none
    is known. A replicate draws as many units as there are; one in which the mean is undefined is
    left out of the interval and counted. `ends` are those between which the values of a stratum
    lie: half a unit of either is drawn along (`tomahto.estimates.bootstrap`), if they differ.

    Raises ValueError if a count is negative.
    """
    if any(units < 0 for units in cells.values()):
        raise ValueError("a cell counts less than 0 units")
    table = {cell: units for cell, units in sorted(cells.items(), key=_order) if units}
    known = sum(units for (_stratum, value), units in table.items() if value is not None)
    total = sum(table.values())
    if reason := _why_undefined(table):
        return undefined(reason, n=known, seed=bootstrap.seed)
    counts = np.array(list(table.values()), dtype=np.float64)
    value = float(_means(table, counts[np.newaxis, :])[0])
    if total == 1:
        reason = "one unit cannot be resampled into an interval"
        return Estimate(value=value, n=known, reason=reason, seed=bootstrap.seed)
    drawn_from: Mapping[_Cell, float] = table
    if bootstrap.is_widened and ends:
        drawn_from = _with_ends(table, ends)
    weights = np.array(list(drawn_from.values()), dtype=np.float64)
    generator = np.random.default_rng(bootstrap.seed)
    drawn = generator.multinomial(total, weights / weights.sum(), size=bootstrap.replicates)
    means = _means(drawn_from, drawn.astype(np.float64))
    return percentile_estimate(
        value, means, n=known, clusters=known, bootstrap=bootstrap, name="the mean"
    )


def _with_ends(table: Cells, ends: Mapping[str, tuple[float, float]]) -> Mapping[_Cell, float]:
    """With half a unit of either end, shared by the strata whose values can differ as their units
    are."""
    smoothed: dict[_Cell, float] = dict(table)
    units = Counter[str]()
    for (stratum, _value), number in table.items():
        units[stratum] += number if ends[stratum][0] < ends[stratum][1] else 0
    for stratum, number in (+units).items():
        for end in ends[stratum]:
            cell = stratum, end
            smoothed[cell] = smoothed.get(cell, 0) + 0.5 * number / units.total()
    return dict(sorted(smoothed.items(), key=_order))


def _order(cell: tuple[_Cell, float]) -> tuple[str, bool, float]:
    (stratum, value), _units = cell
    return stratum, value is None, value or 0.0


def _why_undefined(table: Cells) -> str | None:
    if not table:
        return "there is nothing to take the mean of"
    known = {stratum for stratum, value in table if value is not None}
    for stratum, _value in table:
        if stratum not in known:
            return f"none of those that are {stratum} is judged"
    return None


def _means(table: Mapping[_Cell, float], counts: Floats) -> Floats:
    """The mean in each replicate (R,), from its units by cell (R, K); NaN where undefined."""
    totals = np.zeros(len(counts))
    # in their order: with another one a sum of floats is another in its last digit
    for stratum in dict.fromkeys(stratum for stratum, _value in table):
        of_stratum = [place for place, (name, _value) in enumerate(table) if name == stratum]
        values = [list(table)[place][1] for place in of_stratum]
        known = [
            place for place, value in zip(of_stratum, values, strict=True) if value is not None
        ]
        weights = np.array([value for value in values if value is not None])
        units, judged = counts[:, of_stratum].sum(axis=1), counts[:, known].sum(axis=1)
        sums = counts[:, known] @ weights
        unknown = np.where(units > 0, np.nan, 0.0)
        totals += units * np.divide(sums, judged, out=unknown, where=judged > 0)
    means: Floats = totals / counts.sum(axis=1)
    return means


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
    """The sum over all units of the stratum in each replicate (R, G, J), known or not."""
    shape = len(weights), stratum.units.shape[1], -1
    sums = (weights @ stratum.values).reshape(shape)
    if stratum.is_known:
        return sums
    units = (weights @ stratum.units)[..., np.newaxis]
    known = (weights @ stratum.known).reshape(shape)
    total: Floats = sums * np.where(units > 0, ratio(units, known), 0.0)
    return total
