import numpy as np
import pytest

from tomahto.estimates import bootstrap as module
from tomahto.estimates.bootstrap import (
    Bootstrap,
    drawn_ratios,
    drawn_weights,
    growing_rounds,
    percentile_estimate,
)
from tomahto.estimates.estimate import Estimate


def test_drawn_weights_draw_as_many_clusters_as_there_are() -> None:
    weights = np.concatenate(list(drawn_weights(7, 1, Bootstrap(500, seed=2))))
    assert weights.shape == (500, 7)
    assert set(weights.sum(axis=1)) == {7.0}
    # Each of 3500 draws hits a cluster with chance 1/7: 500 expected, standard deviation 21.
    assert np.abs(weights.sum(axis=0) - 500).max() < 4 * 21


def test_drawn_weights_do_not_depend_on_the_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = np.concatenate(list(drawn_weights(7, 9, Bootstrap(11, seed=2))))
    monkeypatch.setattr(module, "_CELLS", 30)
    blocks = list(drawn_weights(7, 9, Bootstrap(11, seed=2)))
    assert [len(block) for block in blocks] == [3, 3, 3, 2]
    assert np.concatenate(blocks).tolist() == whole.tolist()


def test_drawn_ratios_spread_as_the_ratio_of_a_sample_does() -> None:
    # 400 clusters of one item, 30 % correct: the standard error is sqrt(0.3 * 0.7 / 400).
    correct, items = np.array([1.0] * 120 + [0.0] * 280), np.ones(400)
    ratios = drawn_ratios(correct, items, Bootstrap(4000, seed=1))
    assert ratios.mean() == pytest.approx(0.3, abs=0.002)
    assert ratios.std() == pytest.approx((0.3 * 0.7 / 400) ** 0.5, rel=0.05)


def test_drawn_ratios_draw_whole_clusters() -> None:
    # Two clusters, of 3 items all correct and of 1 item wrong: drawn 2-0, 1-1 or 0-2 times.
    ratios = drawn_ratios(np.array([3.0, 0.0]), np.array([3.0, 1.0]), Bootstrap(1000, seed=4))
    assert set(ratios) == {1.0, 0.75, 0.0}
    assert (ratios == 0.75).mean() == pytest.approx(0.5, abs=0.06)


def test_drawn_ratios_do_not_depend_on_the_order_of_clusters() -> None:
    correct, items = np.array([3.0, 0.0, 1.0]), np.array([3.0, 1.0, 2.0])
    forwards = drawn_ratios(correct, items, Bootstrap(50, seed=4))
    backwards = drawn_ratios(correct[::-1], items[::-1], Bootstrap(50, seed=4))
    assert forwards.tolist() == backwards.tolist()


def test_percentile_estimate_takes_the_middle_95_of_100() -> None:
    drawn = np.concatenate([np.arange(1001.0)[::-1], [np.nan] * 3])
    estimate = percentile_estimate(480.0, drawn, n=6, bootstrap=Bootstrap(1004, seed=9))
    assert (estimate.value, estimate.n, estimate.seed) == (480.0, 6, 9)
    assert (estimate.low, estimate.high) == pytest.approx((25, 975), rel=1e-12)
    assert (estimate.replicates, estimate.undefined_replicates) == (1004, 3)


def test_percentile_estimate_says_when_no_replicate_has_a_value() -> None:
    drawn = np.array([np.nan, np.nan])
    assert percentile_estimate(1.0, drawn, n=2, bootstrap=Bootstrap(2, seed=9)) == Estimate(
        value=1.0,
        n=2,
        reason="the value is undefined in all of 2 replicates",
        replicates=2,
        undefined_replicates=2,
        seed=9,
    )


def test_growing_rounds_draw_as_many_as_all_before() -> None:
    assert list(growing_rounds(1000)) == [100, 100, 200, 400, 200]
    assert list(growing_rounds(40)) == [40]
