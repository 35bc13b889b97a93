"""Golden values: scipy.stats and scikit-learn."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau, rankdata, spearmanr
from sklearn.metrics import roc_auc_score

from tomahto.estimates.estimate import Estimate
from tomahto.ranking.ranking import (
    PairOutcomes,
    kendall_tau_b,
    midranks,
    pair_outcomes,
    spearman_rho,
    sum_of_outcomes,
)
from tomahto.types import Floats

# Few different values make ties likely; the last two lie closer than any sum could tell.
VALUES = st.sampled_from([-1e300, -2.5, 0.0, 0.1, 0.2, 0.3, 0.1 + 0.2])
PAIRED = st.lists(st.tuples(VALUES, VALUES), min_size=2, max_size=40)
Correlation = Callable[[Floats, Floats], Estimate]
NO_ORDER = "all values of a series are equal, so they give no order"


def _series(values: list[float]) -> Floats:
    return np.array(values, dtype=np.float64)


def test_pair_outcomes_count_every_pair_by_hand() -> None:
    # 3 beats 1, 2; ties with 3. 2 beats 1; ties with 2; loses to 3. 0 loses all.
    outcomes = pair_outcomes(_series([3, 2, 0]), _series([1, 2, 3]))
    assert outcomes == PairOutcomes(won=3, tied=2, lost=4)
    assert outcomes.accuracy == Estimate(value=3 / 9, n=9)
    assert outcomes.auc == Estimate(value=4 / 9, n=9)


def test_pair_outcomes_without_pairs_have_no_share() -> None:
    nothing = pair_outcomes(_series([1, 2]), _series([]))
    assert nothing == PairOutcomes(0, 0, 0)
    assert (
        nothing.accuracy
        == nothing.auc
        == Estimate(value=None, reason="there is no pair to compare", n=0)
    )


def test_sum_of_outcomes_pools_the_pairs() -> None:
    pooled = sum_of_outcomes([PairOutcomes(1, 2, 3), PairOutcomes(10, 20, 30)])
    assert pooled == PairOutcomes(11, 22, 33)


@given(st.lists(VALUES, min_size=1), st.lists(VALUES, min_size=1))
def test_auc_equals_scikit_learn(higher: list[float], lower: list[float]) -> None:
    outcomes = pair_outcomes(_series(higher), np.sort(_series(lower)))
    # Ranks keep the order and stay apart where scikit-learn would drop thresholds as collinear.
    ranks = rankdata([*higher, *lower], method="dense")
    golden = roc_auc_score([1] * len(higher) + [0] * len(lower), ranks)
    assert outcomes.auc.value == pytest.approx(golden, abs=1e-12)


def test_midranks_share_the_mean_of_tied_places() -> None:
    assert midranks(_series([5, 1, 5, 5, 0])).tolist() == [4.0, 2.0, 4.0, 4.0, 1.0]


@given(PAIRED)
def test_spearman_rho_equals_scipy(pairs: list[tuple[float, float]]) -> None:
    one, other = np.array(pairs, dtype=np.float64).T
    estimate = spearman_rho(one, other)
    if estimate.value is None:
        assert min(len(set(one)), len(set(other))) == 1
        assert estimate == Estimate(value=None, reason=NO_ORDER, n=len(pairs))
        return
    assert estimate.value == pytest.approx(spearmanr(one, other).statistic, abs=1e-12)


@given(PAIRED)
def test_kendall_tau_b_equals_scipy(pairs: list[tuple[float, float]]) -> None:
    one, other = np.array(pairs, dtype=np.float64).T
    estimate = kendall_tau_b(one, other)
    if estimate.value is None:
        assert min(len(set(one)), len(set(other))) == 1
        assert estimate == Estimate(value=None, reason=NO_ORDER, n=len(pairs))
        return
    golden = kendalltau(one, other, variant="b").statistic
    assert estimate.value == pytest.approx(golden, abs=1e-12)


def test_kendall_tau_b_by_hand() -> None:
    # (1, 2) (1, 1) (2, 3) (3, 1): n0 = 6, t1 = 1 (the 1s), t2 = 1 (the 1s, not both tied)
    # concordant: (1,2)-(2,3), (1,1)-(2,3); discordant: (1,2)-(3,1), (2,3)-(3,1); 0 / 5
    assert kendall_tau_b(_series([1, 1, 2, 3]), _series([2, 1, 3, 1])).value == 0
    # (1, 1) (2, 2) (2, 3): n0 = 3, t1 = 1; C = 2, D = 0; 2 / sqrt(2 * 3)
    tied = kendall_tau_b(_series([1, 2, 2]), _series([1, 2, 3]))
    assert tied.value == pytest.approx(2 / 6**0.5, abs=1e-15)


@pytest.mark.parametrize(
    ("correlation", "golden"), [(spearman_rho, spearmanr), (kendall_tau_b, kendalltau)]
)
def test_correlations_of_long_series_equal_scipy(
    correlation: Correlation, golden: Callable[..., Any]
) -> None:
    generator = np.random.default_rng(3)
    ranks = generator.integers(0, 8, 20_000).astype(np.float64)
    scores = np.round(ranks + generator.normal(0, 3, 20_000), 2)
    estimate = correlation(ranks, scores)
    assert estimate.value == pytest.approx(golden(ranks, scores).statistic, abs=1e-12)


@pytest.mark.parametrize("correlation", [spearman_rho, kendall_tau_b])
@pytest.mark.parametrize(("sign", "expected"), [(1, 1.0), (-1, -1.0)])
def test_correlations_reach_their_ends_exactly(
    correlation: Correlation, sign: int, expected: float
) -> None:
    series = np.random.default_rng(1).permutation(1000).astype(np.float64)
    assert correlation(series, sign * series).value == expected


@pytest.mark.parametrize("correlation", [spearman_rho, kendall_tau_b])
def test_correlations_say_why_they_are_undefined(correlation: Correlation) -> None:
    lonely = correlation(_series([1]), _series([2]))
    assert lonely == Estimate(value=None, reason="fewer than two items cannot be ranked", n=1)
    with pytest.raises(ValueError, match="2 values cannot be paired with 1"):
        correlation(_series([1, 2]), _series([2]))
