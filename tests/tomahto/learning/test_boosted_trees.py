import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import log_loss
from sklearn.tree import DecisionTreeRegressor

from tomahto.learning.boosted_trees import UNIT, BoostingOptions, SymmetricTrees, fit_trees
from tomahto.types import Floats

ONE_STUMP = BoostingOptions(
    trees=1, depth=1, learning_rate=1.0, l2=1e-9, row_share=1.1, feature_share=1.0
)


def test_sums_look_a_leaf_up_by_its_bits() -> None:
    trees = SymmetricTrees(
        intercept=10,
        feature=np.array([[0, 1], [1, 1]]),
        threshold=np.array([[0.5, 2.0], [0.0, 5.0]]),
        leaf=np.array([[1, 2, 3, 4], [100, 200, 300, 400]]),
    )
    # (1, 3): bits 1 and 1 of the first tree, 1 and 0 of the second. A value at the threshold
    # is not above it.
    rows = np.array([[1.0, 3.0], [0.5, 2.0], [0.0, 6.0]])

    assert trees.sums(rows).tolist() == [10 + 4 + 200, 10 + 1 + 200, 10 + 3 + 400]


def test_one_stump_takes_newtons_step() -> None:
    # Labels 0 0 | 0 1 1 1 cut after the second row. Start: log(3/3) = 0, so p = 1/2, each first
    # derivative is ±1/2, each second 1/4. Left: -(2/2) / (2/4) = -2; right: -(1/2 - 3/2) / 1 = 1.
    rows = np.array([[1.0], [1.0], [4.0], [4.0], [4.0], [4.0]])
    labels = np.array([False, False, False, True, True, True])

    trees = fit_trees(rows, labels, options=ONE_STUMP, seed=0)

    assert (trees.intercept, trees.feature.tolist(), trees.threshold.tolist()) == (
        0,
        [[0]],
        [[2.5]],
    )
    assert trees.leaf.tolist() == [[-2 * UNIT, 1 * UNIT]]


def test_one_stump_cuts_where_scikit_learn_does() -> None:
    generator = np.random.default_rng(3)
    rows = generator.integers(0, 20, size=(400, 3)).astype(np.float64)
    labels = rows[:, 1] + generator.normal(size=400) * 4 > 11

    trees = fit_trees(rows, labels, options=ONE_STUMP, seed=0)

    # With p the same everywhere Newton's gain and the variance's decrease order cuts alike.
    oracle = (
        DecisionTreeRegressor(max_depth=1, random_state=0).fit(rows, labels.astype(float)).tree_
    )
    assert (trees.feature.tolist(), trees.threshold.tolist()) == (
        [[int(oracle.feature[0])]],
        [[float(oracle.threshold[0])]],
    )


@pytest.mark.thorough
def test_trees_learn_about_as_much_as_scikit_learns() -> None:
    (rows, labels), (new_rows, new_labels) = _noisy_circle(0, 2000), _noisy_circle(1, 2000)
    options = BoostingOptions(trees=100, depth=4, learning_rate=0.1)

    trees = fit_trees(rows, labels, options=options, seed=0)
    oracle = HistGradientBoostingClassifier(max_iter=100, max_leaf_nodes=16, random_state=0)
    oracle.fit(rows, labels)

    own = log_loss(new_labels, 1 / (1 + np.exp(-trees.sums(new_rows) / UNIT)))
    other = log_loss(new_labels, oracle.predict_proba(new_rows)[:, 1])
    chance = log_loss(new_labels, np.full(len(new_labels), labels.mean()))
    assert own < 1.05 * other
    assert own < 0.75 * chance


def test_trees_depend_on_the_seed_and_nothing_else() -> None:
    rows, labels = _circle(0, 300)
    options = BoostingOptions(trees=5, depth=3)

    first, same, other = (
        fit_trees(rows, labels, options=options, seed=seed).sums(rows).tolist()
        for seed in (1, 1, 2)
    )

    assert first == same
    assert first != other


def test_weights_count_like_repeated_rows() -> None:
    rows = np.array([[0.0], [1.0], [2.0], [3.0]])
    labels = np.array([False, True, False, True])
    repeats = [3, 1, 1, 2]

    weighted = fit_trees(
        rows, labels, options=ONE_STUMP, seed=0, weights=np.array(repeats, dtype=np.float64)
    )
    repeated = fit_trees(
        np.repeat(rows, repeats, axis=0), np.repeat(labels, repeats), options=ONE_STUMP, seed=0
    )

    assert weighted.sums(rows).tolist() == repeated.sums(rows).tolist()


def test_many_values_are_cut_into_so_many_bins() -> None:
    rows, labels = _circle(0, 1000)

    trees = fit_trees(rows, labels, options=BoostingOptions(trees=60, bins=4), seed=0)

    for column in range(rows.shape[1]):
        assert len(set(trees.threshold[trees.feature == column].tolist())) <= 3


@pytest.mark.parametrize(
    ("rows", "labels", "error"),
    [
        ([[0.0], [1.0]], [True, True], "correct and incorrect"),
        ([[1.0], [1.0]], [True, False], "a feature that differs"),
    ],
)
def test_trees_say_what_cannot_be_learned(
    rows: list[list[float]], labels: list[bool], error: str
) -> None:
    with pytest.raises(ValueError, match=error):
        fit_trees(np.array(rows), np.array(labels), options=BoostingOptions(), seed=0)


def _noisy_circle(seed: int, n: int) -> tuple[Floats, NDArray[np.bool_]]:
    """A circle with one label in ten the wrong way round, as human labels are."""
    rows, labels = _circle(seed, n)
    return rows, labels ^ (np.random.default_rng(seed + 100).random(n) < 0.1)


def _circle(seed: int, n: int) -> tuple[Floats, NDArray[np.bool_]]:
    rows = np.random.default_rng(seed).normal(size=(n, 4))
    return rows, (rows[:, 0] ** 2 + rows[:, 1] ** 2) < 1.5


def test_options_refuse_leaves_without_penalty() -> None:
    with pytest.raises(ValueError, match="l2 must be above 0"):
        BoostingOptions(l2=0.0)
