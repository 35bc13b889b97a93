"""Golden values: the same sums over items that are drawn kind by kind."""

import numpy as np
import pytest

import tomahto.estimates.resampled_sums as resampled_sums
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.resampled_sums import (
    MANY_ITEMS,
    MANY_KINDS,
    ResampledSums,
    Stratum,
    drawn_sums,
    is_large,
)
from tomahto.types import Floats, Integers

DRAWS = 20_000


def _kinds(seed: int) -> tuple[Integers, Floats]:
    """300 kinds of items that add to four columns: one that follows from two others, a rare one."""
    draw = np.random.default_rng(seed)
    first, second = draw.integers(0, 9, (2, 300)).astype(np.float64)
    rare = np.where(np.arange(300) < 3, 2.0, 0.0)
    units = draw.integers(100, 400, 300)
    units[:3] = 1, 2, 4
    return units, np.column_stack([first, second, first + second, rare])


def test_drawn_sums_have_the_moments_of_items_drawn_kind_by_kind() -> None:
    units, rows = _kinds(seed=1)
    sums = drawn_sums(units, rows, Bootstrap(DRAWS, seed=2))
    chances = units / units.sum()
    mean = chances @ rows
    covariance = units.sum() * ((rows * chances[:, np.newaxis]).T @ rows - np.outer(mean, mean))
    spread = np.sqrt(np.diag(covariance))
    assert sums.shape == (DRAWS, 4)
    # the mean of 20,000 draws lies within 4 standard errors, a covariance within 6 %
    assert np.abs(sums.mean(axis=0) - units @ rows).max() < (4 * spread / np.sqrt(DRAWS)).max()
    assert np.allclose(
        np.cov(sums.T) / np.outer(spread, spread), _correlation(covariance), atol=0.06
    )
    assert np.allclose(sums[:, 0] + sums[:, 1], sums[:, 2])


def test_drawn_sums_draw_rare_kinds_one_by_one() -> None:
    # 7 items have 2 in the last column: their number is 7 on average, and none at e^-7 = 0.0009
    units, rows = _kinds(seed=1)
    rare = drawn_sums(units, rows, Bootstrap(DRAWS, seed=3))[:, 3] / 2
    assert np.array_equal(rare, np.rint(rare))
    assert rare.min() == 0
    assert 4 < np.count_nonzero(rare == 0) < 40  # 18 expected


def test_drawn_sums_of_what_all_items_add_alike_do_not_vary() -> None:
    units = np.full(200, 1000)
    sums = drawn_sums(units, np.full((200, 1), 3.0), Bootstrap(50, seed=1))
    assert np.allclose(sums, 600_000, rtol=1e-12)


def test_drawn_sums_depend_on_the_seed_alone() -> None:
    units, rows = _kinds(seed=1)
    sums = drawn_sums(units, rows, Bootstrap(30, seed=1))
    assert np.array_equal(sums, drawn_sums(units, rows, Bootstrap(30, seed=1)))
    assert not np.array_equal(sums, drawn_sums(units, rows, Bootstrap(30, seed=2)))


def test_sums_over_strata_keep_what_each_stratum_adds() -> None:
    # stratum i draws its items between kinds that add to column i and one that adds nothing
    rows = np.zeros((2, 3, 2))
    rows[0, :2, 0], rows[1, :2, 1] = (1, 2), (4, 8)
    chances = np.array([0.25, 0.25, 0.5])
    sums = ResampledSums.of(
        [Stratum(items, chances, of) for items, of in zip((40_000, 90_000), rows, strict=True)]
    )
    generators = [np.random.default_rng(seed) for seed in (1, 2)]
    drawn = np.concatenate(list(sums.draw(generators, DRAWS)))
    # means 0.75 and 3; variances 1.25 - 0.75^2 = 0.6875 and 20 - 9 = 11
    assert np.allclose(drawn.mean(axis=0), [30_000, 270_000], rtol=1e-3)
    assert np.allclose(drawn.var(axis=0), [40_000 * 0.6875, 90_000 * 11], rtol=0.05)
    assert abs(np.corrcoef(drawn.T)[0, 1]) < 0.04


@pytest.mark.parametrize(
    ("kinds", "items", "large"),
    [
        (MANY_KINDS + 1, MANY_ITEMS, True),
        (MANY_KINDS + 1, MANY_ITEMS - 1, False),
        (MANY_KINDS, MANY_ITEMS * 9, False),
    ],
)
def test_few_items_and_few_kinds_are_drawn_one_by_one(kinds: int, items: int, large: bool) -> None:
    units = np.ones(kinds, dtype=np.int64)
    units[0] += items - kinds
    assert is_large(units) is large


def test_sums_do_not_depend_on_the_scale_of_a_column(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resampled_sums, "RARE", 0)
    units, rows = _kinds(seed=4)
    small = drawn_sums(units, rows * np.array([1e-9, 1, 1, 1]), Bootstrap(20, seed=1))
    assert np.allclose(small[:, 0] * 1e9, drawn_sums(units, rows, Bootstrap(20, seed=1))[:, 0])


def _correlation(covariance: Floats) -> Floats:
    spread = np.sqrt(np.diag(covariance))
    correlation: Floats = covariance / np.outer(spread, spread)
    return correlation
