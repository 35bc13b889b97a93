import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tomahto.learning.lbfgs import NotConvergedError, minimise
from tomahto.types import Floats


def rosenbrock(point: Floats) -> tuple[float, Floats]:
    """(1 − x)² + 100·(y − x²)²: a bent valley whose minimum is at (1, 1)."""
    x, y = point
    bend = y - x**2
    return float((1 - x) ** 2 + 100 * bend**2), np.array([2 * (x - 1) - 400 * x * bend, 200 * bend])


def test_minimise_follows_a_bent_valley_to_the_minimum() -> None:
    minimum = minimise(rosenbrock, np.array([-1.2, 1.0]), tolerance=1e-8)

    np.testing.assert_allclose(minimum.point, [1.0, 1.0], atol=1e-7)
    assert minimum.value == pytest.approx(0.0, abs=1e-14)


def test_minimise_stops_only_below_the_tolerance() -> None:
    minimum = minimise(rosenbrock, np.array([-1.2, 1.0]), tolerance=1e-3)

    slope = float(np.max(np.abs(rosenbrock(minimum.point)[1])))
    assert slope == minimum.largest_slope <= 1e-3


def test_minimise_at_the_minimum_takes_no_step() -> None:
    minimum = minimise(rosenbrock, np.array([1.0, 1.0]), tolerance=1e-8)

    assert (minimum.point.tolist(), minimum.iterations) == ([1.0, 1.0], 0)


@settings(deadline=None)
@given(st.lists(st.tuples(st.floats(0.01, 100), st.floats(-100, 100)), min_size=1, max_size=8))
def test_minimise_solves_quadratics(axes: list[tuple[float, float]]) -> None:
    # Σ c/2·(x − m)² has its minimum at m; |c·(x − m)| ≤ 1e-7 means |x − m| ≤ 1e-7 / c ≤ 1e-5.
    curvature, middle = np.array(axes).T

    def quadratic(point: Floats) -> tuple[float, Floats]:
        slopes: Floats = curvature * (point - middle)
        return float(slopes @ (point - middle)) / 2, slopes

    minimum = minimise(quadratic, np.zeros(len(axes)), tolerance=1e-7)

    np.testing.assert_allclose(minimum.point, middle, atol=1e-5)


def test_minimise_says_when_iterations_run_out() -> None:
    with pytest.raises(NotConvergedError, match="after 3 iterations the gradient is still"):
        minimise(rosenbrock, np.array([-1.2, 1.0]), tolerance=1e-8, max_iterations=3)


def test_minimise_says_when_no_step_helps() -> None:
    def wrong_gradient(point: Floats) -> tuple[float, Floats]:
        return float(point @ point), -2 * point

    with pytest.raises(NotConvergedError, match=r"no step decreases the value 1\.0"):
        minimise(wrong_gradient, np.array([1.0]), tolerance=1e-8)
