import numpy as np
import pytest

from tomahto.estimates import bootstrap as module
from tomahto.estimates.bootstrap import (
    Bootstrap,
    LeftOut,
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
    bootstrap = Bootstrap(1004, seed=9, is_widened=False)
    estimate = percentile_estimate(480.0, drawn, n=6, clusters=6, bootstrap=bootstrap)
    assert (estimate.value, estimate.n, estimate.seed) == (480.0, 6, 9)
    assert (estimate.low, estimate.high) == pytest.approx((25, 975), rel=1e-12)
    assert (estimate.replicates, estimate.undefined_replicates) == (1004, 3)


def test_percentile_estimate_reaches_further_the_fewer_clusters_there_are() -> None:
    # 6 clusters: sqrt(6 / 5) t = 1.0954 * 2.5706 = 2.8159, and Phi(-2.8159) = 0.002432. Of 10,001
    # replicates that is the one numbered 24.32.
    drawn = np.arange(10_001.0)
    bootstrap = Bootstrap(10_001, seed=9)
    few = percentile_estimate(5000.0, drawn, n=9, clusters=6, bootstrap=bootstrap)
    assert (few.low, few.high) == pytest.approx((24.32, 9975.68), abs=0.05)
    assert (few.drew, few.clusters) == (None, 0)
    # 1,000 clusters: 1.0005 * 1.9623 = 1.9633, and 0.02480 below it
    many = percentile_estimate(5000.0, drawn, n=9, clusters=1000, bootstrap=bootstrap, drew="items")
    assert (many.low, many.high) == pytest.approx((248.0, 9752.0), abs=0.5)
    assert (many.drew, many.clusters) == ("items", 1000)


def test_percentile_estimate_allows_for_bias_and_skewness() -> None:
    # 30 % of the replicates lie below the value: z0 = -0.5244. Left out are 9 values 1 and one 0
    # below their mean 0.9: added are -0.1 nine times and 0.9 once, so the acceleration is
    # 0.72 / (6 * 0.9^1.5) = 0.14054. With 10 clusters the reach is sqrt(10 / 9) 2.2622 = 2.3845:
    # Phi(-0.5244 - 2.9089 / (1 + 0.14054 * 2.9089)) = Phi(-2.5897) = 0.0048 and
    # Phi(-0.5244 + 1.8601 / (1 - 0.14054 * 1.8601)) = Phi(1.9943) = 0.9769.
    found = percentile_estimate(
        3000.0,
        np.arange(10_001.0),
        n=10,
        clusters=10,
        bootstrap=Bootstrap(10_001, seed=9),
        left_out=LeftOut(np.array([1.0, 0.0, np.nan]), np.array([9, 1, 4])),
    )
    assert (found.low, found.high) == pytest.approx((48, 9769), abs=2)


def test_percentile_estimate_says_when_no_replicate_has_a_value() -> None:
    drawn = np.array([np.nan, np.nan])
    bootstrap = Bootstrap(2, seed=9)
    assert percentile_estimate(1.0, drawn, n=2, clusters=2, bootstrap=bootstrap) == Estimate(
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
