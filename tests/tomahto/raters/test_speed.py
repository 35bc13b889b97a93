"""Golden values: scipy.stats.quantile_test, scipy.stats.median_abs_deviation."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import median_abs_deviation, quantile_test

from tests.sampling import IS_WHOLE, mostly
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.estimate import Estimate
from tomahto.raters.checks import median_with_interval, speeds
from tomahto.types import Floats
from tomahto.votes.rating_rows import RatingRows

pytestmark = pytest.mark.slow


DRAWS = Bootstrap(999, seed=1)


@given(st.lists(st.floats(0.1, 1000), min_size=6, max_size=60))
def test_median_with_interval_equals_scipy(values: list[float]) -> None:
    found = median_with_interval(np.array(values))
    golden = quantile_test(values, p=0.5).confidence_interval(0.95)
    assert (found.low, found.high) == (golden.low, golden.high)
    assert found.value == np.median(values)


def test_median_with_interval_by_hand() -> None:
    # Of 10 coins no head or one: 11/1024 = 1.1 %; two or fewer: 56/1024 = 5.5 %. So k = 2.
    values = np.arange(10, 0, -1.0)
    assert median_with_interval(values) == Estimate(value=5.5, n=10, low=2, high=9)
    # Of 5 coins none: 1/32 = 3.1 %, more than 2.5 %.
    assert median_with_interval(values[:5]) == Estimate(
        value=8, n=5, reason="fewer than 6 times give no interval"
    )
    assert median_with_interval(values[:0]) == Estimate(value=None, n=0, reason="no time is known")


def test_median_with_interval_of_very_many_values() -> None:
    # Normal approximation: k about (n - 1.96 sqrt(n)) / 2
    found = median_with_interval(np.arange(100_000.0))
    assert found.low == pytest.approx(50_000 - 0.98 * math.sqrt(100_000), abs=2)


def test_speeds_compare_with_the_median_of_the_others_by_hand() -> None:
    rows, seconds = _rows([[10, 20, 40, 80], [5, 5, math.nan, 20], [7, 0, math.nan, math.nan]])
    found = speeds(rows, seconds, bootstrap=DRAWS)
    # First item, others' medians on the logarithmic scale: of 20 40 80 it is 40, of 10 40 80 40,
    # of 10 20 80 20, of 10 20 40 20. Second: of 5 20 it is 10, twice, and of 5 5 5.
    ratios = [[10 / 40, 5 / 10], [20 / 40, 5 / 10], [40 / 20], [80 / 20, 20 / 5]]
    expected = [math.exp(np.mean(np.log(one))) for one in ratios]
    assert [one.pace for one in found] == pytest.approx(expected, rel=1e-12)
    assert [one.compared for one in found] == [2, 2, 1, 2]
    assert [one.seconds.n for one in found] == [3, 2, 1, 2]
    assert {(one.verdict, one.z, one.p_value, one.reason) for one in found} == {
        ("unknown", None, None, "fewer than 5 raters have 20 times to compare")
    }


def test_speeds_flag_who_rushes_and_who_dawdles() -> None:
    rows, seconds = _simulated(seed=1, raters=12, items=60, paces={3: 0.1, 7: 8.0})
    found = speeds(rows, seconds, bootstrap=DRAWS)
    verdicts = ["usual"] * 12
    verdicts[3], verdicts[7] = "fast", "slow"
    assert [one.verdict for one in found] == verdicts
    assert found[3].pace == pytest.approx(0.1, rel=0.5)
    assert found[3].p_value is not None
    assert found[3].p_value <= 0.05


def test_speeds_have_scipys_robust_scores() -> None:
    rows, seconds = _simulated(seed=2, raters=7, items=40)
    found = speeds(rows, seconds, bootstrap=DRAWS)
    paces = np.log([one.pace or math.nan for one in found])
    golden = (paces - np.median(paces)) / (1.4826 * median_abs_deviation(paces))
    assert [one.z for one in found] == pytest.approx(golden.tolist(), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("raters", mostly([5, 8, 15], 8))
def test_speeds_of_raters_of_a_kind_alarm_at_most_5_times_in_100(raters: int) -> None:
    alarms, campaigns = 0, 1000 if IS_WHOLE else 300
    for seed in range(campaigns):
        rows, seconds = _simulated(seed=seed, raters=raters, items=30)
        found = speeds(rows, seconds, bootstrap=Bootstrap(399, seed=seed + 1000))
        alarms += any(one.verdict != "usual" for one in found)
    deviation = (campaigns * 0.05 * 0.95) ** 0.5
    assert alarms <= round(campaigns * 0.05 + deviation)


def test_speeds_do_not_depend_on_how_long_items_take() -> None:
    rows, seconds = _simulated(seed=3, raters=6, items=40)
    longer = seconds * (1.0 + rows.items)
    ours, theirs = (speeds(rows, each, bootstrap=DRAWS) for each in (seconds, longer))
    for one, other in zip(ours, theirs, strict=True):
        assert other.z == pytest.approx(one.z, abs=1e-9)
        assert (other.p_value, other.verdict) == (one.p_value, one.verdict)


def test_speeds_skip_a_rater_with_few_times() -> None:
    rows, seconds = _simulated(seed=4, raters=6, items=40)
    few = np.where((rows.raters == 2) & (rows.items >= 19), np.nan, seconds)
    found = speeds(rows, few, bootstrap=DRAWS)
    assert (found[2].verdict, found[2].compared) == ("unknown", 19)
    assert found[2].reason == "fewer than 20 times to compare"
    assert {one.reason for one in found if one.rater != "rater 02"} == {None}


def test_speeds_of_equally_fast_raters_are_not_scored() -> None:
    rows, seconds = _simulated(seed=4, raters=6, items=40)
    found = speeds(rows, np.ones_like(seconds), bootstrap=DRAWS)
    assert {(one.verdict, one.pace, one.reason) for one in found} == {
        ("unknown", 1.0, "most raters are equally fast")
    }


def test_speeds_refuse_what_cannot_be_compared() -> None:
    rows, seconds = _simulated(seed=4, raters=6, items=40)
    with pytest.raises(ValueError, match="239 times for 240 ratings"):
        speeds(rows, seconds[1:], bootstrap=DRAWS)
    with pytest.raises(ValueError, match=r"18 draws cannot reach the level 0.05"):
        speeds(rows, seconds, bootstrap=Bootstrap(18, seed=1))


def _rows(times: list[list[float]]) -> tuple[RatingRows, Floats]:
    """Times by item and rater; everybody rates every item."""
    seconds = np.array(times, dtype=np.float64)
    items, raters = np.indices(seconds.shape)
    names = tuple(f"rater {number:02}" for number in range(seconds.shape[1]))
    labels = np.zeros(seconds.size, dtype=np.int64)
    return RatingRows(items.ravel(), raters.ravel(), labels, names, ("a",)), seconds.ravel()


def _simulated(
    *, seed: int, raters: int, items: int, paces: dict[int, float] | None = None
) -> tuple[RatingRows, Floats]:
    """Log-normal times: items and raters differ, and every rating is off by some 40 %."""
    generator = np.random.default_rng(seed)
    logs = (
        generator.normal(3, 0.5, (items, 1))
        + generator.normal(0, 0.3, (1, raters))
        + generator.normal(0, 0.4, (items, raters))
    )
    for rater, pace in (paces or {}).items():
        logs[:, rater] += math.log(pace)
    return _rows(np.exp(logs).tolist())
