"""Logistic regression with an l2 penalty."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from tomahto.learning.lbfgs import minimise
from tomahto.learning.sparse_matrix import SparseMatrix
from tomahto.types import Floats

TOLERANCE = 1e-7  # of the mean loss's gradient
_NEWTON_STEPS = 3
_CG_TOLERANCE = 1e-8  # of the residual, relative to what it starts from
_CG_STEPS = 1000


class LogisticFit(NamedTuple):
    """Weights per column and the intercept; `iterations` the minimiser took."""

    weights: Floats
    intercept: float
    iterations: int


def fit_logistic_regression(features: SparseMatrix, labels: Floats, *, l2: float) -> LogisticFit:
    """The weights w and intercept b that minimise Σ log(1 + exp(−y·(x·w + b))) + l2/2 · ‖w‖².

    `labels` are 1 and 0 (y = 1 and −1), one per row of `features`. The intercept carries no
    penalty, as in scikit-learn's LogisticRegression with C = 1 / l2. The function is strictly
    convex in w: there is one minimum, the search starts from 0, nothing is random. Newton steps
    bring it as close as the arithmetic allows, so that neither the order of the rows nor the
    processor shows in the digits that a weights file keeps.

    Raises ValueError if l2 is not positive or only one label occurs, NotConvergedError.
    """
    if not l2 > 0:
        raise ValueError(f"l2 is {l2}: the penalty must be positive")
    if not 0 < labels.sum() < len(labels):
        raise ValueError(f"all {len(labels)} labels are the same: there is nothing to learn")

    def objective(point: Floats) -> tuple[float, Floats]:
        return _penalised_loss(point, features, labels, l2)

    # The intercept is the last entry of the point.
    minimum = minimise(objective, np.zeros(features.n_columns + 1), tolerance=TOLERANCE)
    point = minimum.point
    for _ in range(_NEWTON_STEPS):
        point = point - _newton_step(point, features, labels, l2)
    return LogisticFit(point[:-1], float(point[-1]), minimum.iterations)


def probabilities(logits: Floats) -> Floats:
    """1 / (1 + exp(−z)) in the form that cannot overflow."""
    result: Floats = 0.5 * (1 + np.tanh(0.5 * logits))
    return result


def _penalised_loss(
    point: Floats, features: SparseMatrix, labels: Floats, l2: float
) -> tuple[float, Floats]:
    """Value and gradient of the objective, both divided by the number of rows."""
    weights, intercept = point[:-1], point[-1]
    logits = features.times(weights) + intercept
    # log(1 + exp(z)) − y·z for y in {0, 1} is the same loss as the one with y = ±1.
    loss = np.logaddexp(0, logits).sum() - labels @ logits + 0.5 * l2 * (weights @ weights)
    residuals = probabilities(logits) - labels
    slopes = features.transposed_times(residuals) + l2 * weights
    gradient = np.append(slopes, residuals.sum())
    return float(loss) / len(labels), gradient / len(labels)


def _newton_step(point: Floats, features: SparseMatrix, labels: Floats, l2: float) -> Floats:
    """H⁻¹·g, with the Hessian H = XᵀDX + l2·I of the objective (no l2 for the intercept)."""
    predicted = probabilities(features.times(point[:-1]) + point[-1])
    spread = predicted * (1 - predicted)

    def hessian_times(vector: Floats) -> Floats:
        weighted = spread * (features.times(vector[:-1]) + vector[-1])
        slopes = features.transposed_times(weighted) + l2 * vector[:-1]
        return np.append(slopes, weighted.sum()) / len(labels)

    return _solve(hessian_times, _penalised_loss(point, features, labels, l2)[1])


def _solve(matrix_times: Callable[[Floats], Floats], target: Floats) -> Floats:
    """Conjugate gradients for a positive definite matrix (Nocedal and Wright, Alg. 5.2)."""
    solution = np.zeros_like(target)
    residual = direction = target
    size = wanted = float(residual @ residual)
    for _ in range(_CG_STEPS):
        if size <= wanted * _CG_TOLERANCE**2:
            break
        image = matrix_times(direction)
        length = size / float(direction @ image)
        solution = solution + length * direction
        residual = residual - length * image
        size, previous = float(residual @ residual), size
        direction = residual + size / previous * direction
    return solution
