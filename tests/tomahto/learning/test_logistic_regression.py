import math

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from tomahto.learning.logistic_regression import (
    NotConvergedError,
    fit_logistic_regression,
    probabilities,
)
from tomahto.learning.token_rows import SparseMatrix
from tomahto.types import Floats


def sparse(dense: Floats) -> SparseMatrix:
    row, column = np.nonzero(dense)
    n_rows, n_columns = dense.shape
    return SparseMatrix(n_rows, n_columns, row, column, dense[row, column])


@pytest.mark.parametrize("l2", [0.1, 1.0, 20.0])
def test_fit_equals_that_of_scikit_learn(l2: float) -> None:
    generator = np.random.default_rng(7)
    features = generator.normal(size=(300, 12)) * (generator.random((300, 12)) < 0.3)
    labels = (features[:, 0] - features[:, 1] + generator.normal(size=300) > 0.2).astype(float)
    golden = LogisticRegression(C=1 / l2, tol=1e-10, max_iter=10_000).fit(features, labels)

    fit = fit_logistic_regression(sparse(features), labels, l2=l2)

    np.testing.assert_allclose(fit.weights, golden.coef_[0], atol=1e-5)
    assert fit.intercept == pytest.approx(golden.intercept_[0], abs=1e-5)


def test_fit_without_features_gives_the_log_odds() -> None:
    # Three of four labels are 1, the intercept is not penalised: b = ln(3 / 1).
    fit = fit_logistic_regression(sparse(np.zeros((4, 1))), np.array([1.0, 1, 1, 0]), l2=1.0)

    assert fit.weights.tolist() == [0.0]
    assert fit.intercept == pytest.approx(math.log(3), abs=1e-6)


def test_fit_refuses_a_single_label() -> None:
    with pytest.raises(ValueError, match="all 2 labels are the same"):
        fit_logistic_regression(sparse(np.eye(2)), np.ones(2), l2=1.0)


@pytest.mark.parametrize("l2", [0.0, -1.0, math.nan])
def test_fit_refuses_a_penalty_that_is_not_positive(l2: float) -> None:
    with pytest.raises(ValueError, match="the penalty must be positive"):
        fit_logistic_regression(sparse(np.eye(2)), np.array([0.0, 1.0]), l2=l2)


def test_fit_says_when_the_minimum_cannot_be_reached() -> None:
    # The slope rounds to steps far above the tolerance.
    huge = np.random.default_rng(0).normal(size=(50, 3)) * 1e12
    labels = (np.arange(50) % 2).astype(np.float64)
    with pytest.raises(NotConvergedError):
        fit_logistic_regression(sparse(huge), labels, l2=1.0)


def test_probabilities_hold_at_the_extremes() -> None:
    logits = np.array([-1e4, -math.log(3), 0.0, math.log(3), 1e4])

    assert probabilities(logits).tolist() == pytest.approx([0.0, 0.25, 0.5, 0.75, 1.0])


def test_the_minimum_is_as_exact_as_the_arithmetic() -> None:
    # Whoever adds up in another order, as other processors do, must come to the same digits.
    generator = np.random.default_rng(0)
    values = generator.normal(size=(200, 30)) * np.geomspace(0.01, 10, 30)
    labels = (values[:, -1] + generator.normal(size=200) * 10 > 0).astype(np.float64)

    weights, intercept = fit_logistic_regression(sparse(values), labels, l2=1.0)

    residuals = 1 / (1 + np.exp(-(values @ weights + intercept))) - labels
    assert np.abs(values.T @ residuals + weights).max() / 200 < 1e-12
    assert abs(residuals.sum()) / 200 < 1e-12
