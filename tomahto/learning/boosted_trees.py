"""Small gradient-boosted trees for two classes, learned and evaluated with numpy.

Boosting of the logistic loss (Friedman 2001, §4.4–4.5) with Newton steps and an l2 penalty on
the leaves (Chen and Guestrin 2016, Eq. 5 to 7), on histograms of the features. Every tree is
symmetric (Prokhorenkova et al. 2018, §5): all nodes of a level ask the same question, so a tree
is a few thresholds and a table, and all trees are evaluated together. Leaves are whole numbers;
their sum is exact in whatever order it is added.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tomahto.learning.token_rows import sums
from tomahto.types import Floats, Integers

UNIT = 1000  # leaves count thousandths of log-odds
_EDGE_DIGITS = 5  # significant digits of a threshold, rounded before learning
_PROBABILITY_DIGITS = 9


@dataclass(frozen=True, slots=True)
class BoostingOptions:
    """The options that decide the trees, given the examples and the seed.

    `depth` levels make 2 ** depth leaves. Each tree is learned from a random `row_share` of the
    examples and asks about a random `feature_share` of the features; a feature is cut into
    `bins` at most. `l2`, above 0, is added to a leaf's summed curvature.
    """

    trees: int = 300
    depth: int = 5
    learning_rate: float = 0.08
    l2: float = 3.0
    bins: int = 32
    row_share: float = 0.7
    feature_share: float = 0.4

    def __post_init__(self) -> None:
        if not self.l2 > 0:
            raise ValueError("l2 must be above 0: an empty leaf has no curvature of its own")


@dataclass(frozen=True, slots=True, eq=False)
class SymmetricTrees:
    """`feature` and `threshold` have shape (trees, depth), `leaf` (trees, 2 ** depth).

    Bit d of a row's leaf number is set if the feature of level d is above its threshold.
    """

    intercept: int
    feature: Integers
    threshold: Floats
    leaf: Integers

    def sums(self, rows: Floats) -> Integers:
        """For each row the intercept and its leaf of every tree, in thousandths of log-odds."""
        n_trees, depth = self.feature.shape
        columns = np.ascontiguousarray(rows.T)
        number = np.zeros((n_trees, len(rows)), dtype=np.intp)
        number += (np.arange(n_trees) << depth)[:, None]
        for level in range(depth):
            above = columns[self.feature[:, level]] > self.threshold[:, level, None]
            number += above.astype(np.intp) << level
        total: Integers = self.leaf.ravel()[number].sum(axis=0)
        return total + self.intercept


@dataclass(frozen=True, slots=True, eq=False)
class _Histograms:
    """Features as codes: code c of feature f lies between `edges[f][c - 1]` and `edges[f][c]`."""

    edges: list[Floats]
    codes: Integers

    @classmethod
    def of(cls, rows: Floats, bins: int) -> "_Histograms":
        edges = [_edges(column, bins) for column in rows.T]
        codes = [np.searchsorted(*pair) for pair in zip(edges, rows.T, strict=True)]
        return cls(edges, np.column_stack(codes))

    @property
    def n_cuts(self) -> Integers:
        """For each feature in how many places it can be cut."""
        return np.array([len(edges) for edges in self.edges])


@dataclass(frozen=True, slots=True, eq=False)
class _Slopes:
    """First and second derivative of every example's loss at its present log-odds."""

    first: Floats
    second: Floats

    def at(self, rows: Integers) -> "_Slopes":
        return _Slopes(self.first[rows], self.second[rows])

    def per_group(self, group: Integers, n_groups: int) -> tuple[Floats, Floats]:
        return sums(group, self.first, n_groups), sums(group, self.second, n_groups)


def fit_trees(
    rows: Floats,
    labels: NDArray[np.bool_],
    *,
    options: BoostingOptions,
    seed: int,
    weights: Floats | None = None,
) -> SymmetricTrees:
    """Trees learned from the rows (examples × features); the same input gives the same trees.

    `weights` says how much each example counts, by default 1. Raises ValueError if all labels
    are the same or no feature differs between examples.
    """
    weights = np.ones(len(rows)) if weights is None else weights
    share = float(weights @ labels / weights.sum())
    histograms = _Histograms.of(rows, options.bins)
    splittable = np.flatnonzero(histograms.n_cuts)
    if not 0 < share < 1:
        raise ValueError("trees need correct and incorrect examples")
    if not len(splittable):
        raise ValueError("trees need a feature that differs between examples")
    generator = np.random.default_rng(seed)
    intercept = round(UNIT * float(np.log(share / (1 - share))))
    total = np.full(len(rows), intercept)
    questions, leaves = [], []
    for _ in range(options.trees):
        # processors differ in the last digit of an exponential, and a tie of two cuts hangs on it
        probability = np.round(1 / (1 + np.exp(-total / UNIT)), _PROBABILITY_DIGITS)
        curvature = weights * probability * (1 - probability)
        slopes = _Slopes(weights * (probability - labels), curvature)
        sample = np.flatnonzero(generator.random(len(rows)) < options.row_share)
        n_asked = max(1, round(options.feature_share * len(splittable)))
        asked = np.sort(generator.choice(splittable, size=n_asked, replace=False))
        codes, n_cuts = histograms.codes[np.ix_(sample, asked)], histograms.n_cuts[asked]
        found = _questions(codes, n_cuts, slopes.at(sample), options)
        questions.append([(int(asked[column]), cut) for column, cut in found])
        number = _leaf_numbers(histograms.codes, questions[-1])
        leaves.append(_leaf_values(number[sample], slopes.at(sample), options))
        total += leaves[-1][number]
    return SymmetricTrees(
        intercept=intercept,
        feature=np.array([[column for column, _ in tree] for tree in questions]),
        threshold=np.array(
            [[histograms.edges[column][cut] for column, cut in tree] for tree in questions]
        ),
        leaf=np.array(leaves),
    )


def _questions(
    codes: Integers, n_cuts: Integers, slopes: _Slopes, options: BoostingOptions
) -> list[tuple[int, int]]:
    """For each level the column, and the code above which its bit is set: the best next cut.

    Its gain is the decrease of the penalised loss, summed over the level's nodes (Chen and
    Guestrin, Eq. 7, without what is the same for all cuts).
    """
    n_columns = codes.shape[1]
    places = codes + np.arange(n_columns) * options.bins
    repeated = _Slopes(np.repeat(slopes.first, n_columns), np.repeat(slopes.second, n_columns))
    questions: list[tuple[int, int]] = []
    for level in range(options.depth):
        node = _leaf_numbers(codes, questions)
        shape = (1 << level, n_columns, options.bins)
        cells = (places + node[:, None] * (n_columns * options.bins)).ravel()
        first, second = (
            np.cumsum(summed.reshape(shape), axis=2)
            for summed in repeated.per_group(cells, shape[0] * shape[1] * shape[2])
        )
        below = first**2 / (second + options.l2)
        above = (first[:, :, -1:] - first) ** 2 / (second[:, :, -1:] - second + options.l2)
        gain = (below + above).sum(axis=0)[:, :-1]
        gain[np.arange(options.bins - 1) >= n_cuts[:, None]] = -np.inf
        column, cut = divmod(int(np.argmax(gain)), options.bins - 1)
        questions.append((column, cut))
    return questions


def _leaf_numbers(codes: Integers, questions: list[tuple[int, int]]) -> Integers:
    number = np.zeros(len(codes), dtype=np.int64)
    for level, (column, cut) in enumerate(questions):
        number += (codes[:, column] > cut).astype(np.int64) << level
    return number


def _leaf_values(number: Integers, slopes: _Slopes, options: BoostingOptions) -> Integers:
    first, second = slopes.per_group(number, 1 << options.depth)
    value: Integers = np.rint(-UNIT * options.learning_rate * first / (second + options.l2)).astype(
        np.int64
    )
    return value


def _edges(column: Floats, bins: int) -> Floats:
    """At most bins - 1 thresholds halfway between values, at even shares of the examples."""
    values = np.unique(column)
    if len(values) > bins:
        shares = np.linspace(0, 1, bins)
        values = np.unique(np.quantile(column, shares, method="nearest"))
    halfway = (values[1:] + values[:-1]) / 2
    return np.unique([float(f"{value:.{_EDGE_DIGITS}g}") for value in halfway])
