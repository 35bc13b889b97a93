"""Vote patterns as arrays: values by units, as Krippendorff's alpha counts them, and replicates.

The names are those of Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability": a unit
is an item, a value is what was given to it.

A bootstrap draws questions. Those whose items have the same patterns are alike, so a replicate is
one multinomial draw of these kinds of question. Where nothing is known of questions, every item is
drawn by itself. Of many questions only sums are drawn (`tomahto.estimates.drawn_sums`).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tomahto.estimates.bootstrap import Bootstrap, LeftOut, blocks_of, drawn_units
from tomahto.estimates.drawn_sums import ClusterKinds
from tomahto.types import Floats, Integers
from tomahto.votes.patterns import QuestionKinds, VotePatterns
from tomahto.votes.scheme import LabelScheme, Level

MANY = 20_000  # clusters; so many, each of a kind of its own, take 10 s to draw themselves


@dataclass(frozen=True)
class ValuesByUnits:
    """The number of times that each value was given to units with at least two ratings.

    `values` (K,) are the values that occur in such units: at the nominal level the places of
    the labels in the scheme, otherwise the ranks, ascending; labels of equal rank are then one
    value. `counts` (P, K) holds one row per pattern, `units` (P,) the number of units that have
    the pattern; `patterns` are the same with the questions they stand together in.
    """

    level: Level
    values: Floats
    counts: Integers
    units: Integers
    patterns: VotePatterns

    @cached_property
    def sizes(self) -> Integers:
        """Ratings of one unit of each pattern (P,), all at least 2."""
        sizes: Integers = self.counts.sum(axis=1)
        return sizes

    @cached_property
    def scaled(self) -> Floats:
        """The values in a unit in which no square overflows."""
        return scaled(self.values)

    @cached_property
    def n(self) -> int:
        """Number of units."""
        return int(self.units.sum())

    @cached_property
    def why_undefined(self) -> str | None:
        """Why alpha has no value here, or None if it has one."""
        return why_alpha_is_undefined(self.n, len(self.values), self.level)


def values_by_units(patterns: VotePatterns, level: Level | None = None) -> ValuesByUnits:
    """The pairable items of the patterns at a level of measurement, the scheme's by default."""
    level = level or patterns.scheme.level
    values, columns = value_columns(patterns.scheme, level)
    pairable = patterns.pairable()
    by_label, units = pattern_table(pairable)
    counts = np.zeros((len(units), len(values)), dtype=np.int64)
    for label, column in enumerate(columns):
        counts[:, column] += by_label[:, label]
    occurring = counts.any(axis=0)
    return ValuesByUnits(level, values[occurring], counts[:, occurring], units, pairable)


def pattern_table(patterns: VotePatterns) -> tuple[Integers, Integers]:
    """The patterns as counts by label (P, K), and how many items have each (P,)."""
    shape = len(patterns.counts), len(patterns.scheme.labels)
    counts = np.array(list(patterns.counts), dtype=np.int64).reshape(shape)
    return counts, np.array(list(patterns.counts.values()), dtype=np.int64)


def value_columns(scheme: LabelScheme, level: Level) -> tuple[Floats, Integers]:
    """The values of a scheme and for each label the place of its value."""
    if level == "nominal":
        places = np.arange(len(scheme.labels))
        return places.astype(np.float64), places
    return np.unique(np.array(scheme.ranks, dtype=np.float64), return_inverse=True)


def scaled(values: Floats) -> Floats:
    """The values times a power of two, at most 1 in size, so that no square overflows.

    Such a factor rounds nothing, and alpha does not depend on the unit of the scale.
    """
    exponent = np.frexp(np.abs(values).max(initial=0))[1]
    in_unit: Floats = np.ldexp(values, -exponent)
    return in_unit


def why_alpha_is_undefined(items: int, values: int, level: Level) -> str | None:
    """Why so many items with two ratings, which have so many values, give no alpha, if so."""
    if items == 0:
        return "no item has two ratings"
    if values == 1:
        what = "label" if level == "nominal" else "rank"
        return f"only one {what} occurs, so no disagreement can be expected by chance"
    return None


def drawn_patterns(
    patterns: VotePatterns, bootstrap: Bootstrap, width: int = 0
) -> Iterator[Integers]:
    """The number of items with each pattern (r, P), in the order of `patterns.counts`, for a few
    replicates at a time. `width` is as for `drawn_weights`."""
    if not patterns.questions:
        units = np.array(list(patterns.counts.values()), dtype=np.int64)
        yield from drawn_units(units, width, bootstrap)
        return
    kinds, starts, items = _items_of_kinds(patterns.questions)
    for drawn in drawn_units(patterns.questions.times, max(width, len(kinds)), bootstrap):
        yield np.add.reduceat(drawn[:, kinds] * items, starts, axis=1)


def sums_of(columns: Sequence[Integers | Floats], units: Integers) -> Floats:
    """The sums of columns over so many items with each pattern (r, P), side by side (r, C)."""
    return np.column_stack([units @ column for column in columns])


@dataclass(frozen=True, eq=False)
class Resampling:
    """A statistic of patterns that follows from sums over items, under a bootstrap over questions.

    `columns` are numbers of an item of each pattern, one each (P,) or several (P, C). `of_sums`
    makes the values (r, …) of their sums side by side (r, C), `of_units` of how many items have
    each pattern (r, P): by the columns, if it is None.

    From MANY clusters on the sums are drawn, otherwise the clusters: also without columns, and for
    intervals as in releases of the first version.
    """

    patterns: VotePatterns
    bootstrap: Bootstrap
    columns: Sequence[Integers | Floats]
    of_sums: Callable[[Floats], Floats]
    of_units: Callable[[Integers], Floats] | None = None

    def drawn(self, width: int) -> Floats:
        """The values of all replicates (R, …). `width` is as for `drawn_weights`."""
        if self._clusters:
            return self.of_sums(self._clusters.drawn(self.bootstrap))
        blocks = drawn_patterns(self.patterns, self.bootstrap, width)
        return np.concatenate([self._values(units) for units in blocks])

    def left_out(self) -> LeftOut:
        """The values without each question, or item where nothing is known of questions."""
        if self._clusters:
            return self._clusters.without_each(self.of_sums)
        each = without_each(self.patterns, self._values)
        return LeftOut(each, np.ones_like(each, dtype=np.int64))

    def _values(self, units: Integers) -> Floats:
        if self.of_units:
            return self.of_units(units)
        return self.of_sums(sums_of(self.columns, units))

    @cached_property
    def _clusters(self) -> ClusterKinds | None:
        if not (self.columns and self.bootstrap.is_widened and self.patterns.clusters >= MANY):
            return None
        return cluster_kinds(self.patterns, np.column_stack(self.columns).astype(np.float64))


def cluster_kinds(patterns: VotePatterns, columns: Floats) -> ClusterKinds:
    """The sums of columns (P, C) over the items of each question, or of items where nothing is
    known of questions."""
    units = np.array(list(patterns.counts.values()), dtype=np.int64)
    questions = patterns.questions
    if not questions:
        return ClusterKinds(units, units @ columns, columns.__getitem__)
    places, bounds = questions.patterns, np.flatnonzero(np.diff(questions.kinds, prepend=-1))
    bounds = np.append(bounds, len(places))

    def rows(part: slice) -> Floats:
        starts = bounds[part.start : part.stop + 1]
        items = columns[places[starts[0] : starts[-1]]]
        return np.add.reduceat(items, starts[:-1] - starts[0], axis=0)

    return ClusterKinds(questions.times, units @ columns, rows)


def without_each(patterns: VotePatterns, value_of: Callable[[Integers], Floats]) -> Floats:
    """The value without each question in turn (Q,), or item where nothing is known of questions.

    `value_of` gives the values (r,) of rows that say how many items have each pattern (r, P).
    """
    units = np.array(list(patterns.counts.values()), dtype=np.int64)
    alone = np.arange(len(units))
    together = patterns.questions or QuestionKinds(alone, alone, units)
    values, start = [], 0
    for size in blocks_of(len(together.times), len(units)):
        rows = np.repeat(units[np.newaxis], size, axis=0)
        first, last = np.searchsorted(together.kinds, [start, start + size])
        taken = together.kinds[first:last] - start, together.patterns[first:last]
        np.subtract.at(rows, taken, 1)
        values.append(value_of(rows))
        start += size
    return np.repeat(np.concatenate(values), together.times)


def _items_of_kinds(questions: QuestionKinds) -> tuple[Integers, Integers, Integers]:
    """Of every pattern in turn the kinds of question that have it, and on how many items: kinds and
    items (E,) side by side, and where each pattern begins (P,)."""
    width = len(questions.times)
    entries, items = np.unique(questions.patterns * width + questions.kinds, return_counts=True)
    places, kinds = np.divmod(entries, width)
    return kinds, np.flatnonzero(np.diff(places, prepend=-1)), items
