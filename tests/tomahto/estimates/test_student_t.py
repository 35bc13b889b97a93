"""Quantiles of one and two degrees of freedom have closed forms."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tomahto.estimates.estimate import t_quantile


@given(st.floats(0.001, 0.999))
def test_t_quantile_equals_the_closed_forms(probability: float) -> None:
    cauchy = math.tan(math.pi * (probability - 0.5))
    assert t_quantile(probability, 1) == pytest.approx(cauchy, rel=1e-9, abs=1e-12)
    of_two = (2 * probability - 1) / math.sqrt(2 * probability * (1 - probability))
    assert t_quantile(probability, 2) == pytest.approx(of_two, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(
    ("probability", "df"), [(0.0, 3), (1.0, 3), (math.nan, 3), (0.5, 0), (0.5, -1), (0.5, math.nan)]
)
def test_t_quantile_needs_a_probability_and_degrees_of_freedom(
    probability: float, df: float
) -> None:
    with pytest.raises(ValueError, match="no quantile for"):
        t_quantile(probability, df)
