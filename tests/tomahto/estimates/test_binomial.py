"""Golden values: scipy.stats.binomtest; bounds by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from tomahto.estimates.estimate import upper_bound, wilson_interval


@pytest.mark.parametrize(
    ("events", "trials", "bound"),
    [
        (0, 240, 1 - 0.01 ** (1 / 240)),  # (1 - p)^n = gamma
        (4, 5, 0.99 ** (1 / 5)),  # 1 - p^n = gamma
        *((trials, trials, 1) for trials in (0, 1, 7)),  # nothing bounds the rate
    ],
)
def test_upper_bound_by_hand(events: int, trials: int, bound: float) -> None:
    assert upper_bound(events, trials, gamma=0.01) == pytest.approx(bound, rel=1e-13)


def test_upper_bound_is_kept_in_99_of_100_samples() -> None:
    # For rate 0.1 and n = 50: the bound fails to cover iff so few events occur.
    covered = [k for k in range(51) if upper_bound(k, 50, gamma=0.01) >= 0.1]
    chance = math.fsum(math.comb(50, k) * 0.1**k * 0.9 ** (50 - k) for k in covered)
    assert 0.99 <= chance < 1


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
    ("events", "trials", "level", "message"),
    [
        (3, 2, 0.9, "3 events in 2 trials"),
        (-1, 2, 0.9, "-1 events in 2 trials"),
        (1, 2, 0.0, "0.0 is not between 0 and 1"),
        (1, 2, 1.0, "1.0 is not between 0 and 1"),
    ],
)
def test_what_is_no_sample_is_refused(events: int, trials: int, level: float, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        upper_bound(events, trials, gamma=level)
    with pytest.raises(ValueError, match=message):
        wilson_interval(events, trials, confidence=level)


def test_wilson_interval_needs_a_trial() -> None:
    with pytest.raises(ValueError, match="0 events in 0 trials"):
        wilson_interval(0, 0)
