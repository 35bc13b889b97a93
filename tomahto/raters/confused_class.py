"""Labels, and pairs of labels, that are confused more than their frequency explains.

In Krippendorff's coincidences (`tomahto.reliability.alpha`) item u adds n_uc n_uk / (n_u - 1) to
the pair of labels c, k. Chance would give the pair n_c n_k / (n - 1). If nothing but frequency
mattered, every pair would have the same part 1 - alpha of that: raters who sometimes do not know
give any label as often as it occurs. What a pair has beyond it is its excess; a label's is the sum
over its pairs. All excesses of pairs add up to 0, so where one is high others are low.

Whether an excess is more than luck is told by drawing who is confused with whom anew: every item
keeps the sizes of its groups of equal votes (3 against 1, say), a disagreeing item gets labels
with chances proportional to the product of their frequencies, an agreeing one as agreeing items
have them. The largest deviate over all labels and pairs of such a draw is what an observed one
is compared with (Westfall and Young 1993, "Resampling-Based Multiple Testing"), so
the chance of any false finding is at most the level. The deviate is that of Freeman and Tukey
(1950), sqrt(o) + sqrt(o + 1) - sqrt(4 e + 1), in which rare pairs do not drown the others.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from tomahto.estimates.bootstrap import (
    Bootstrap,
    blocks_of,
    growing_rounds,
    percentile_estimate,
    ratio,
    sequential_p_values,
)
from tomahto.estimates.estimate import Estimate
from tomahto.types import Floats, Integers
from tomahto.votes.patterns import Pattern, VotePatterns
from tomahto.votes.values_by_units import Resampling, sums_of, values_by_units

INTERVAL_REPLICATES = 2000


@dataclass(frozen=True, slots=True)
class Confusion:
    """The disagreement about one label, or between two.

    Of one label, `observed` is the chance that a rating's counterpart on the item differs where
    the rating has the label. Of two, it is the chance that two ratings of an item are these two.
    `expected` is what frequencies and alpha give, and `excess` the difference: its interval is
    from the bootstrap over questions, its `n` the number of items with two ratings. `p_value` is
    corrected for all labels and pairs; `is_confused` says whether it is at most the level.
    """

    labels: tuple[str, ...]
    observed: float
    expected: float
    excess: Estimate
    p_value: float
    is_confused: bool


@dataclass(frozen=True, slots=True)
class Confusions:
    """All labels that occur and all their pairs, most striking first, or why there are none.

    `n` is the number of items with at least two ratings.
    """

    n: int
    labels: tuple[Confusion, ...]
    pairs: tuple[Confusion, ...]
    reason: str | None = None


def confusions(patterns: VotePatterns, *, bootstrap: Bootstrap, level: float = 0.05) -> Confusions:
    """The excess disagreement of every label and every pair of labels that occur.

    `bootstrap` gives the number and the seed of the draws of the test and of the replicates of the
    intervals, which are INTERVAL_REPLICATES at most. Undefined if fewer than three labels occur
    in items with two ratings, because then there is but one pair, and if no two ratings of an
    item differ.

    Raises ValueError if the draws are too few for any p-value to reach `level`.
    """
    bootstrap.require_level(level)
    values = values_by_units(patterns, "nominal")
    names = tuple(patterns.scheme.labels[int(place)] for place in values.values)
    if reason := _why_undefined(values.counts):
        return Confusions(values.n, (), (), reason)
    table = _Table(values.counts, values.units)
    sums = sums_of(table.columns, values.units[np.newaxis])
    observed, expected = (one[0] for one in table.coincidences(sums))
    draws = _redrawn(table, bootstrap)
    p_values = sequential_p_values(_deviates(observed, expected), draws, bootstrap, level)
    intervals = Bootstrap(min(bootstrap.replicates, INTERVAL_REPLICATES), bootstrap.seed)
    resampling = Resampling(values.patterns, intervals, table.columns, table.excesses)
    drawn = resampling.drawn(len(values.counts))
    shares = table.shares(sums)[:, 0]
    found = [
        Confusion(
            labels=tuple(names[place] for place in places),
            observed=float(shares[0, at]),
            expected=float(shares[1, at]),
            excess=percentile_estimate(
                float(shares[0, at] - shares[1, at]),
                drawn[:, at],
                n=values.n,
                clusters=values.patterns.clusters,
                bootstrap=intervals,
                drew=values.patterns.drawn,
            ),
            p_value=p_values[at],
            is_confused=p_values[at] <= level,
        )
        for at, places in enumerate(table.cells)
    ]
    found.sort(key=lambda one: (one.p_value, -(one.excess.value or 0)))
    return Confusions(
        n=values.n,
        labels=tuple(one for one in found if len(one.labels) == 1),
        pairs=tuple(one for one in found if len(one.labels) == 2),
    )


def _why_undefined(counts: Integers) -> str | None:
    if not len(counts):
        return "no item has two ratings"
    if counts.shape[1] < 3:
        return "fewer than three labels occur, so there is no pair to single out"
    if not (np.count_nonzero(counts, axis=1) > 1).any():
        return "no two ratings of an item differ"
    return None


def _deviates(observed: Floats, expected: Floats) -> Floats:
    deviates: Floats = np.sqrt(observed) + np.sqrt(observed + 1) - np.sqrt(4 * expected + 1)
    return deviates


@dataclass(frozen=True, eq=False)
class _Table:
    """Patterns (P, K) of labels that occur, each of so many `units` (P,).

    The cells (C) are the pairs of labels and then the labels.
    """

    counts: Integers
    units: Integers

    @cached_property
    def label_pairs(self) -> list[tuple[int, int]]:
        return list(combinations(range(self.counts.shape[1]), 2))

    @cached_property
    def cells(self) -> list[tuple[int, ...]]:
        return [*self.label_pairs, *((label,) for label in range(self.counts.shape[1]))]

    @cached_property
    def columns(self) -> tuple[Floats, Integers]:
        """The part that an item of each pattern adds to each pair (P, pairs), and its ratings by
        label (P, K)."""
        first, second = np.array(self.label_pairs).T
        sizes = self.counts.sum(axis=1, keepdims=True)
        return self.counts[:, first] * self.counts[:, second] / (sizes - 1), self.counts

    @cached_property
    def _cells_of_pairs(self) -> Floats:
        """The pairs that make up each cell (pairs, C)."""
        belongs = [[set(cell) <= set(pair) for cell in self.cells] for pair in self.label_pairs]
        return np.array(belongs, dtype=np.float64)

    def coincidences(self, sums: Floats) -> tuple[Floats, Floats]:
        """Observed and expected coincidences of every cell for sums of the columns: two (R, C)."""
        observed, ratings = np.split(sums, [len(self.label_pairs)], axis=1)
        first, second = np.array(self.label_pairs).T
        chance = ratings[:, first] * ratings[:, second]
        totals = chance.sum(axis=1, keepdims=True)
        part = np.nan_to_num(ratio(observed.sum(axis=1, keepdims=True), totals))
        return observed @ self._cells_of_pairs, part * chance @ self._cells_of_pairs

    def shares(self, sums: Floats) -> Floats:
        """Both coincidences as `Confusion` has them (2, R, C); NaN for a label not drawn."""
        ratings = sums[:, len(self.label_pairs) :]
        halves = np.repeat(ratings.sum(axis=1, keepdims=True) / 2, len(self.label_pairs), axis=1)
        totals = np.concatenate([halves, ratings], axis=1)
        return ratio(np.stack(self.coincidences(sums)), totals)

    def excesses(self, sums: Floats) -> Floats:
        excesses: Floats = np.subtract(*self.shares(sums))
        return excesses


def _redrawn(table: _Table, bootstrap: Bootstrap) -> Iterator[tuple[int, Floats]]:
    """The largest deviates of tables in which frequency alone decides who is confused with whom."""
    shapes: dict[Pattern, int] = {}
    for pattern, units in zip(table.counts.tolist(), table.units.tolist(), strict=True):
        shape = tuple(sorted(pattern, reverse=True))
        shapes[shape] = shapes.get(shape, 0) + units
    patterns = [np.array(list(_arrangements(shape))) for shape in shapes]
    chances = [_chances(table, one) for one in patterns]
    generators = [np.random.default_rng([bootstrap.seed, at]) for at in range(len(shapes))]
    whole = _Table(np.concatenate(patterns), np.empty(0, dtype=np.int64))
    for more in growing_rounds(bootstrap.replicates):
        for size in blocks_of(more, len(whole.counts)):
            drawn = [
                one.multinomial(units, chance, size=size)
                for one, units, chance in zip(generators, shapes.values(), chances, strict=True)
            ]
            sums = sums_of(whole.columns, np.concatenate(drawn, axis=1))
            deviates = _deviates(*whole.coincidences(sums))
            yield size, deviates.max(axis=1)


def _chances(table: _Table, patterns: Integers) -> Floats:
    is_agreed = np.count_nonzero(table.counts, axis=1) == 1
    if np.count_nonzero(patterns[0]) == 1:
        weights = (table.units[is_agreed] @ (table.counts[is_agreed] > 0)).astype(np.float64)
    else:
        weights = (table.units @ table.counts).astype(np.float64)
    products = np.where(patterns > 0, weights / weights.sum(), 1).prod(axis=1)
    chances: Floats = products / products.sum()
    return chances


def _arrangements(shape: Pattern) -> Iterator[Pattern]:
    if not shape:
        yield ()
    for number in sorted(set(shape)):
        at = shape.index(number)
        for rest in _arrangements(shape[:at] + shape[at + 1 :]):
            yield (number, *rest)
