"""Logistic regression with an l2 penalty."""

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tomahto.learning.token_rows import SparseMatrix
from tomahto.types import Floats

if TYPE_CHECKING:
    from scipy.sparse import csr_array

TOLERANCE = 1e-7  # of the mean loss's gradient
_NEWTON_STEPS = 2
_CG_TOLERANCE = 1e-8  # of the residual, relative to what it starts from


class NotConvergedError(ArithmeticError):
    """The minimum was not reached to the wanted tolerance."""


class LogisticFit(NamedTuple):
    """Weights per column and the intercept."""

    weights: Floats
    intercept: float


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

    from scipy.optimize import minimize  # slow to load, and only training needs it
    from scipy.sparse import csr_array

    cells = (features.value, (features.row, features.column))
    matrix = csr_array(cells, shape=(features.n_rows, features.n_columns))
    problem = _Problem(matrix, labels, l2)
    # Few and long steps: beside other work, threads that split many short ones wait for each other.
    minimum = minimize(
        problem.loss,
        np.zeros(features.n_columns + 1),
        method="trust-ncg",
        jac=True,
        hessp=problem.hessian_times,
        options={"gtol": TOLERANCE},
    )
    if not minimum.success:
        raise NotConvergedError(minimum.message)
    point = minimum.x
    for _ in range(_NEWTON_STEPS):
        point = point - problem.newton_step(point)
    return LogisticFit(point[:-1], float(point[-1]))


def probabilities(logits: Floats) -> Floats:
    """1 / (1 + exp(−z)) in the form that cannot overflow."""
    result: Floats = 0.5 * (1 + np.tanh(0.5 * logits))
    return result


class _Problem(NamedTuple):
    """The objective over the number of rows. The intercept is the last entry of a point."""

    features: "csr_array"
    labels: Floats
    l2: float

    def loss(self, point: Floats) -> tuple[float, Floats]:
        """The value and its gradient."""
        weights, logits = point[:-1], self._logits(point)
        # log(1 + exp(z)) − y·z for y in {0, 1} is the same loss as the one with y = ±1.
        loss = np.logaddexp(0, logits).sum() - self.labels @ logits
        loss += 0.5 * self.l2 * (weights @ weights)
        gradient = self._slopes(probabilities(logits) - self.labels, weights)
        return float(loss) / len(self.labels), gradient

    def hessian_times(self, point: Floats, vector: Floats) -> Floats:
        """H·v, with H = XᵀDX + l2·I (no l2 for the intercept)."""
        predicted = probabilities(self._logits(point))
        return self._slopes(predicted * (1 - predicted) * self._logits(vector), vector[:-1])

    def newton_step(self, point: Floats) -> Floats:
        """H⁻¹·g"""
        from scipy.sparse.linalg import LinearOperator, cg

        shape = (len(point), len(point))
        hessian = LinearOperator(shape, partial(self.hessian_times, point), dtype=np.float64)
        step: Floats = cg(hessian, self.loss(point)[1], rtol=_CG_TOLERANCE)[0]
        return step

    def _logits(self, point: Floats) -> Floats:
        logits: Floats = self.features @ point[:-1] + point[-1]
        return logits

    def _slopes(self, by_row: Floats, weights: Floats) -> Floats:
        slopes = self.features.T @ by_row + self.l2 * weights
        return np.append(slopes, by_row.sum()) / len(self.labels)
