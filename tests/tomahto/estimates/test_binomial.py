"""Golden values: scipy.stats.binomtest; bounds by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from tomahto.estimates.binomial import upper_bound, wilson_interval


def test_upper_bound_of_no_events_by_hand() -> None:
    # (1 - p)^n = gamma
    assert upper_bound(0, 240, gamma=0.01) == pytest.approx(1 - 0.01 ** (1 / 240), rel=1e-13)


def test_upper_bound_of_one_less_than_all_by_hand() -> None:
    # 1 - p^n = gamma
    assert upper_bound(4, 5, gamma=0.01) == pytest.approx(0.99 ** (1 / 5), rel=1e-15)


@pytest.mark.parametrize("trials", [0, 1, 7])
def test_upper_bound_is_one_where_nothing_bounds_the_rate(trials: int) -> None:
    assert upper_bound(trials, trials, gamma=0.01) == 1


def test_upper_bound_is_kept_in_99_of_100_samples() -> None:
    # For rate 0.1 and n = 50: the bound fails to cover iff so few events occur.
    covered = [k for k in range(51) if upper_bound(k, 50, gamma=0.01) >= 0.1]
    chance = math.fsum(math.comb(50, k) * 0.1**k * 0.9 ** (50 - k) for k in covered)
    assert 0.99 <= chance < 1


@pytest.mark.parametrize(
    ("events", "trials", "gamma", "message"),
    [
        (3, 2, 0.01, "3 events in 2 trials"),
        (-1, 2, 0.01, "-1 events in 2 trials"),
        (1, 2, 0.0, "gamma 0.0 is not between 0 and 1"),
        (1, 2, 1.0, "gamma 1.0 is not between 0 and 1"),
    ],
)
def test_upper_bound_refuses_what_is_no_sample(
    events: int, trials: int, gamma: float, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        upper_bound(events, trials, gamma=gamma)


@given(st.data(), st.integers(1, 3000), st.sampled_from([0.5, 0.9, 0.95, 0.999]))
def test_wilson_interval_equals_scipy(data: st.DataObject, trials: int, confidence: float) -> None:
    events = data.draw(st.integers(0, trials))
    golden = binomtest(events, trials).proportion_ci(confidence, method="wilson")
    found = wilson_interval(events, trials, confidence=confidence)
    assert found == pytest.approx((golden.low, golden.high), abs=1e-12)


def test_wilson_interval_of_half_the_trials_by_hand() -> None:
    # 1/2 -+ z / 2 / sqrt(n + z^2), with z = 1.959964 and n = 16
    reach = 1.959964 / 2 / math.sqrt(16 + 1.959964**2)
    assert wilson_interval(8.0, 16) == pytest.approx((0.5 - reach, 0.5 + reach), abs=1e-7)


@pytest.mark.parametrize(
    ("events", "trials", "confidence"), [(0, 0, 0.95), (3, 2, 0.95), (-1, 2, 0.95), (1, 2, 1.0)]
)
def test_wilson_interval_refuses_what_is_no_sample(
    events: int, trials: int, confidence: float
) -> None:
    with pytest.raises(ValueError, match=r"events in|is not between"):
        wilson_interval(events, trials, confidence=confidence)
