import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tomahto.estimates.forecast import GAP, HORIZON, MAX_DAYS, Forecast, forecast

Draw = Callable[[np.random.Generator, int], NDArray[np.float64]]
WEEKDAYS = np.array([1.4, 1.3, 1.2, 1.2, 1.0, 0.5, 0.4])
DAYS_TO_COME = 1500


def test_forecast_of_a_steady_week_by_hand() -> None:
    # One mean m = 10 over k = 7 days. phi = (4 * 1^2 / 10) / (7 - 1) = 1/15; t(0.975, 6) = 2.447.
    # 100 ratings: E_10 = 100, so day 10. V_h = phi (10 h + 10 h^2 / 7).
    # Low: h = 9: 90 + 2.447 sqrt((90 + 115.7) / 15) = 99.06 < 100: day 10.
    # High: h = 10: 100 - 2.447 sqrt(242.9 / 15) = 90.2; h = 11: 110 - 2.447 sqrt(282.9 / 15) =
    # 99.4; h = 12: 120 - 2.447 sqrt(325.7 / 15) = 108.6: day 12.
    found = forecast([9, 11, 10, 10, 10, 9, 11], 100)
    assert found.dispersion == pytest.approx(1 / 15)
    assert replace(found, dispersion=None) == Forecast(
        remaining=100, n=7, days=10, low=10, high=12, per_day=10.0
    )


def test_forecast_knows_the_days_of_the_week() -> None:
    # Two weeks of 10 from Monday to Friday and nothing at weekends; Monday comes next. Nothing
    # varies, so phi is 0: the 60th rating comes on the second Monday, the eighth day.
    found = forecast([10] * 5 + [0, 0] + [10] * 5 + [0, 0], 60)
    assert (found.days, found.low, found.high, found.dispersion) == (8, 8, 8, 0.0)


def test_forecast_begins_anew_after_a_gap() -> None:
    after = [9, 11, 10, 10, 10, 9, 11]
    assert forecast([500, 500, *[0] * GAP, *after], 100) == forecast(after, 100)
    assert forecast([500, 500, *[0] * (GAP - 1), *after], 100) != forecast(after, 100)


def test_forecast_rests_on_the_last_days_only() -> None:
    recent = [8, 12] * (MAX_DAYS // 2)
    assert forecast([1000] * 30 + recent, 500) == forecast(recent, 500)


@pytest.mark.parametrize(
    ("counts", "remaining", "reason"),
    [
        ([5] * 10, 0, "no rating is missing"),
        ([], 5, "ratings of 0 whole days; a forecast needs 7"),
        ([5] * 6, 5, "ratings of 6 whole days; a forecast needs 7"),
        ([5] * 10 + [0] * 7, 5, "nobody rated on the last 7 whole days"),
        ([1] * 10, HORIZON + 1, "at the present rate it takes more than ten years"),
    ],
)
def test_no_forecast_says_why(counts: list[int], remaining: int, reason: str) -> None:
    found = forecast(counts, remaining)
    assert (found.days, found.low, found.high, found.reason) == (None, None, None, reason)
    assert found.as_json()["reason"] == reason


def test_forecast_has_no_last_day_where_nearly_nothing_is_known() -> None:
    # m = 41/7, phi = (4.86^2 + 5 * 5.86^2 + 34.1^2) / 5.86 / 6 = 38.7, t = 2.447. After 18 days
    # 105.4 + 2.447 sqrt(38.7 (105.4 + 18^2 * 5.86 / 7)) = 400.7 may be there, and at least
    # h (5.86 - 2.447 sqrt(38.7 * 5.86 / 7)) + … never is any number: 5.86 < 13.9.
    found = forecast([1, 0, 0, 0, 0, 0, 40], 400)
    assert (found.days, found.low, found.high) == (69, 18, None)


def test_days_before_the_first_rating_are_no_history() -> None:
    found = forecast([0, 0, 0, 0, 0, 0, 40], 400)
    assert (found.n, found.reason) == (1, "ratings of 1 whole days; a forecast needs 7")


@pytest.mark.parametrize(("counts", "remaining"), [([1, -1], 3), ([1, 1], -3)])
def test_forecast_refuses_negative_numbers(counts: list[int], remaining: int) -> None:
    with pytest.raises(ValueError, match="negative"):
        forecast(counts, remaining)


@given(st.lists(st.integers(0, 50), min_size=7, max_size=60), st.integers(1, 3000))
def test_forecast_lies_in_the_future_within_its_interval(counts: list[int], remaining: int) -> None:
    found = forecast(counts, remaining)
    if found.days is not None:
        assert found.low is not None
        assert 1 <= found.low <= found.days <= (found.high or math.inf)
    else:
        assert found.reason


def poisson(generator: np.random.Generator, days: int) -> NDArray[np.float64]:
    return generator.poisson(20, days).astype(np.float64)


def overdispersed(generator: np.random.Generator, days: int) -> NDArray[np.float64]:
    """Weekdays that differ, and days that vary far more than Poisson counts."""
    means = 20 * np.resize(WEEKDAYS, days) * generator.gamma(3, 1 / 3, days)
    return generator.poisson(means).astype(np.float64)


def by_weeks(generator: np.random.Generator, days: int) -> NDArray[np.float64]:
    """Weeks that differ as a whole."""
    weeks = np.repeat(generator.gamma(6, 1 / 6, days // 7 + 1), 7)[:days]
    return generator.poisson(20 * np.resize(WEEKDAYS, days) * weeks).astype(np.float64)


@pytest.mark.parametrize(
    ("draw", "history", "least", "widest"),
    [
        (poisson, 7, 0.93, 15),
        pytest.param(poisson, 28, 0.93, 10, marks=pytest.mark.thorough),
        pytest.param(overdispersed, 10, 0.92, 40, marks=pytest.mark.thorough),
        (overdispersed, 28, 0.93, 40),
        pytest.param(by_weeks, 28, 0.9, 80, marks=pytest.mark.thorough),
        (by_weeks, 56, 0.9, 40),
    ],
)
def test_interval_covers_the_day_on_which_it_ends(
    draw: Draw, history: int, least: float, widest: float
) -> None:
    """About 95 in 100 simulated campaigns end within it, and it says something."""
    generator, covered, widths, campaigns = np.random.default_rng(5), 0, [], 200
    for _ in range(campaigns):
        ratings = draw(generator, history + DAYS_TO_COME)
        found = forecast(ratings[:history].astype(int).tolist(), 500)
        ended = int(np.flatnonzero(ratings[history:].cumsum() >= 500)[0]) + 1
        assert found.low is not None
        high = math.inf if found.high is None else found.high
        covered += found.low <= ended <= high
        widths.append(high - found.low)
    assert covered >= least * campaigns
    assert np.median(widths) <= widest
