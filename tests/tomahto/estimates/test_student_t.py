"""Golden values: scipy.stats.t."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tomahto.estimates.student_t import t_cdf, t_quantile

DEGREES = [0.5, 1.0, 2.0, 3.0, 7.5, 29.0, 400.0, 100_000.0]


@given(st.floats(0.01, 50) | st.floats(-50, -0.01), st.sampled_from(DEGREES))
def test_t_cdf_equals_scipy(t: float, df: float) -> None:
    assert t_cdf(t, df) == pytest.approx(stats.t.cdf(t, df), rel=1e-9, abs=1e-14)


@given(st.floats(-50, 50))
def test_t_cdf_equals_the_closed_forms(t: float) -> None:
    # near 0 too, where scipy loses digits; Cauchy's distribution, and that of two degrees
    assert t_cdf(t, 1) == pytest.approx(0.5 + math.atan(t) / math.pi, abs=1e-14)
    assert t_cdf(t, 2) == pytest.approx(0.5 + t / (2 * math.sqrt(2 + t * t)), abs=1e-14)


@given(st.floats(0.0001, 0.9999), st.sampled_from([1.0, 2.0, 7.5, 29.0, 400.0]))
def test_t_quantile_equals_scipy(probability: float, df: float) -> None:
    golden = stats.t.ppf(probability, df)
    assert t_quantile(probability, df) == pytest.approx(golden, rel=1e-9, abs=1e-12)


def test_t_cdf_with_one_degree_of_freedom_by_hand() -> None:
    # The Cauchy distribution: 1/2 + atan(t) / pi
    assert t_cdf(1.0, 1) == pytest.approx(0.75, abs=1e-15)
    assert t_cdf(-math.sqrt(3), 1) == pytest.approx(1 / 6, abs=1e-15)


def test_t_cdf_of_infinity_is_certain() -> None:
    assert (t_cdf(math.inf, 5), t_cdf(-math.inf, 5), t_cdf(0.0, 5)) == (1, 0, 0.5)


@pytest.mark.parametrize("df", [0, -1, math.inf, math.nan])
def test_t_cdf_needs_degrees_of_freedom(df: float) -> None:
    with pytest.raises(ValueError, match="degrees of freedom"):
        t_cdf(1.0, df)


def test_t_cdf_needs_a_number() -> None:
    with pytest.raises(ValueError, match="t is not a number"):
        t_cdf(math.nan, 3)


@pytest.mark.parametrize("probability", [0.0, 1.0, math.nan])
def test_t_quantile_needs_a_probability(probability: float) -> None:
    with pytest.raises(ValueError, match="not between 0 and 1"):
        t_quantile(probability, 3)
