"""Limited-memory BFGS, the minimiser that CFMatch is trained with.

Two-loop recursion after Nocedal and Wright, Numerical Optimization (2nd ed. 2006), Alg. 7.4 and
7.5; the step is found by halving until it decreases enough (Armijo, Alg. 3.1).
"""

from collections import deque
from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeAlias

import numpy as np

from tomahto.types import Floats

Objective: TypeAlias = Callable[[Floats], tuple[float, Floats]]

_SUFFICIENT_DECREASE = 1e-4
_HALVINGS = 40


class NotConvergedError(ArithmeticError):
    """The minimum was not reached to the wanted tolerance."""


class Minimum(NamedTuple):
    """Where the search ended; `largest_slope` is the gradient's largest absolute entry."""

    point: Floats
    value: float
    largest_slope: float
    iterations: int


class _Correction(NamedTuple):
    """A step taken, the change of gradient along it, and 1 / (step · change)."""

    step: Floats
    change: Floats
    rho: float


def minimise(
    objective: Objective,
    start: Floats,
    *,
    tolerance: float,
    max_iterations: int = 1000,
    memory: int = 10,
) -> Minimum:
    """The point where no entry of the gradient exceeds `tolerance` in absolute value.

    `objective` gives the value and the gradient at a point. Deterministic. Raises
    NotConvergedError after `max_iterations` steps, or when no step along the search direction
    decreases the value any more (the tolerance is finer than the arithmetic).
    """
    corrections: deque[_Correction] = deque(maxlen=memory)
    point, (value, gradient) = start, objective(start)
    for iteration in range(max_iterations + 1):
        slope = float(np.max(np.abs(gradient), initial=0.0))
        if slope <= tolerance:
            return Minimum(point, value, slope, iteration)
        direction = -_inverse_hessian_times(gradient, corrections)
        step, new_value, new_gradient = _line_search(objective, point, value, gradient, direction)
        _remember(corrections, step, new_gradient - gradient)
        point, value, gradient = point + step, new_value, new_gradient
    raise NotConvergedError(
        f"after {max_iterations} iterations the gradient is still {slope:.3g} > {tolerance:.3g}"
    )


def _line_search(
    objective: Objective,
    point: Floats,
    value: float,
    gradient: Floats,
    direction: Floats,
) -> tuple[Floats, float, Floats]:
    descent = float(gradient @ direction)
    length = 1.0
    for _ in range(_HALVINGS):
        step = length * direction
        new_value, new_gradient = objective(point + step)
        if new_value <= value + _SUFFICIENT_DECREASE * length * descent:
            return step, new_value, new_gradient
        length /= 2
    raise NotConvergedError(f"no step decreases the value {value!r} any further")


def _remember(corrections: deque[_Correction], step: Floats, change: Floats) -> None:
    curvature = float(step @ change)
    # Without positive curvature the step says nothing that keeps the direction a descent.
    if curvature > np.finfo(float).eps * float(change @ change):
        corrections.append(_Correction(step, change, 1 / curvature))


def _inverse_hessian_times(gradient: Floats, corrections: deque[_Correction]) -> Floats:
    result = gradient.copy()
    weights = []
    for step, change, rho in reversed(corrections):
        weight = rho * float(step @ result)
        result -= weight * change
        weights.append(weight)
    result *= _initial_scale(gradient, corrections)
    pairs: Iterable[tuple[_Correction, float]] = zip(corrections, reversed(weights), strict=True)
    for (step, change, rho), weight in pairs:
        result += (weight - rho * float(change @ result)) * step
    return result


def _initial_scale(gradient: Floats, corrections: deque[_Correction]) -> float:
    """The diagonal to start from (Eq. 7.20); the first step has length 1 at most."""
    if not corrections:
        return 1 / max(1.0, float(np.linalg.norm(gradient)))
    newest = corrections[-1]
    return 1 / (newest.rho * float(newest.change @ newest.change))
