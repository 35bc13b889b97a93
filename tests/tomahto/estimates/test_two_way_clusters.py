"""Golden values: statsmodels 0.15.0, OLS with cov_cluster_2groups.

Its correction also multiplies by (N - 1) / (N - K), which is taken out here.
"""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tomahto.estimates.two_way_clusters import (
    Clustered,
    Clusters,
    clustered_difference,
    clustered_mean,
)

RATERS = np.array([0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3])
ITEMS = np.array([0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2])
CLUSTERS = Clusters(RATERS, ITEMS)
AGREES = np.array([1, 1, 1, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 1, 0.0])
TIMES = np.array([2.1, 3.5, 2.2, 4.0, 1.0, 1.1, 2.5, 0.3, 5.5, 4.1, 4.4, 3.8, 2.0, 2.2, 3.9])
IS_SHOWN = np.array([1, 0, 1, 0, 1, 0, 1, 0, 0, 1, 0, 0, 1, 1, 0]) > 0


def test_clustered_difference_equals_statsmodels() -> None:
    found = clustered_difference(AGREES, IS_SHOWN, CLUSTERS)
    assert (found.df, found.n) == (3, 15)
    assert found.value == pytest.approx(0.60714286, abs=5e-9)
    # by raters 0.05328, by items 0.06346: the two-way sum is the largest
    assert found.standard_error**2 == pytest.approx(0.07288792430237383, rel=1e-12)


def test_clustered_difference_takes_the_larger_one_way_variance() -> None:
    found = clustered_difference(TIMES, IS_SHOWN, CLUSTERS)
    assert found.value == pytest.approx(-1.0125, abs=1e-12)
    # statsmodels: two-way 0.80266, by raters 0.44222, by items as here
    assert found.standard_error**2 == pytest.approx(0.8244399713010181, rel=1e-12)


def test_clustered_difference_within_raters_equals_statsmodels_with_a_constant_per_rater() -> None:
    found = clustered_difference(AGREES, IS_SHOWN, CLUSTERS, within_raters=True)
    assert found.value == pytest.approx(0.5609756097560984, abs=1e-12)
    # Uncorrected: raters 0.06271, items 0.05285, both ways 0.07092, so the intersections are
    # 0.06271 + 0.05285 - 0.07092. Corrections: 4/3, 4/3 and 15/14.
    raters, items, both_ways = 0.06270594009896824, 0.05285160351494701, 0.07092319555687837
    intersections = raters + items - both_ways
    variance = (raters + items) * 4 / 3 - intersections * 15 / 14
    assert found.standard_error**2 == pytest.approx(variance, rel=1e-11)


def test_clustered_mean_equals_statsmodels() -> None:
    found = clustered_mean(AGREES, CLUSTERS)
    assert found.value == pytest.approx(8 / 15, abs=1e-15)
    # statsmodels: two-way 0.03137, by raters 0.01312, by items as here
    assert found.standard_error**2 == pytest.approx(0.036029629629629634, rel=1e-12)


def test_clustered_mean_by_hand() -> None:
    # Two raters, two items: 1 1 / 1 0. Mean 3/4, residuals 1/4 1/4 1/4 -3/4, over 4 each.
    # Sums by rater 1/8, -1/8 and by item likewise: 2 * (1/64 + 1/64) = 1/16 each way.
    # Intersections: 4/3 * (3 * 1/256 + 9/256) = 1/16. 1/16 + 1/16 - 1/16
    clusters = Clusters(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]))
    found = clustered_mean(np.array([1.0, 1, 1, 0]), clusters)
    assert found == Clustered(value=0.75, standard_error=0.25, df=1, n=4)


def test_clustered_believes_no_variance_below_the_floor() -> None:
    found = clustered_mean(np.ones(15), CLUSTERS, floor=0.04)
    assert found == Clustered(value=1, standard_error=0.2, df=3, n=15)


def test_clustered_interval_and_minimum_detectable_by_hand() -> None:
    # t with 3 degrees of freedom: 3.182446 at 0.975, 0.978472 at 0.8
    found = Clustered(value=0.1, standard_error=0.5, df=3, n=9)
    assert found.interval() == pytest.approx((0.1 - 1.591223, 0.1 + 1.591223), abs=1e-6)
    assert found.minimum_detectable() == pytest.approx(0.5 * (3.182446 + 0.978472), abs=1e-6)


@given(st.permutations(range(15)), st.permutations(range(4)), st.permutations(range(4)))
def test_clustered_difference_ignores_order_and_names(
    order: list[int], raters: list[int], items: list[int]
) -> None:
    renamed = Clusters(np.array(raters)[RATERS[order]], np.array(items)[ITEMS[order]] * 1000)
    ours = clustered_difference(AGREES, IS_SHOWN, CLUSTERS)
    theirs = clustered_difference(AGREES[order], IS_SHOWN[order], renamed)
    assert (theirs.df, theirs.n) == (ours.df, ours.n)
    assert theirs.value == pytest.approx(ours.value, abs=1e-12)
    assert theirs.standard_error == pytest.approx(ours.standard_error, rel=1e-9)


def test_clustered_mean_covers_where_raters_and_items_differ() -> None:
    covered = 0
    for seed in range(400):
        generator = np.random.default_rng(seed)
        raters, items = np.tile(np.arange(12), 20), np.repeat(np.arange(20), 12)
        values = (
            generator.normal(0, 1, 12)[raters]
            + generator.normal(0, 1, 20)[items]
            + generator.normal(0, 1, 240)
        )
        low, high = clustered_mean(values, Clusters(raters, items)).interval()
        covered += low <= 0 <= high
    assert 0.93 <= covered / 400 <= 0.98  # 0.95 with standard deviation 0.011


def test_clustered_needs_two_raters_two_items_and_two_arms() -> None:
    one = np.zeros(15, dtype=np.int64)
    with pytest.raises(ValueError, match="one rater cannot speak for others"):
        clustered_mean(AGREES, Clusters(one, ITEMS))
    with pytest.raises(ValueError, match="one item cannot speak for others"):
        clustered_mean(AGREES, Clusters(RATERS, one))
    with pytest.raises(ValueError, match="cannot be compared"):
        clustered_difference(AGREES, np.full(15, True), CLUSTERS)
    with pytest.raises(ValueError, match="cannot be compared"):
        clustered_difference(AGREES, RATERS > 1, CLUSTERS, within_raters=True)
    assert math.isfinite(clustered_difference(AGREES, RATERS > 1, CLUSTERS).standard_error)
