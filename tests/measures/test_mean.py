"""Golden values: scipy.stats.t.interval."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import sem, t

from measures.estimate import Estimate
from measures.mean import mean_with_interval


@given(st.lists(st.floats(0, 1), min_size=2, max_size=50).filter(lambda each: np.ptp(each) > 1e-6))
def test_mean_with_interval_equals_scipy(values: list[float]) -> None:
    found = mean_with_interval(np.array(values))
    low, high = t.interval(0.95, len(values) - 1, loc=np.mean(values), scale=sem(values))
    assert [found.low, found.value, found.high] == pytest.approx([low, np.mean(values), high])
    assert found.n == len(values)


def test_mean_with_interval_of_too_few() -> None:
    assert mean_with_interval(np.array([])) == Estimate(value=None, n=0, reason="there is no value")
    assert mean_with_interval(np.array([0.25])) == Estimate(
        value=0.25, n=1, reason="one value gives no interval"
    )
