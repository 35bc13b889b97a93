"""A mean from few human labels and many scores of a matcher: prediction-powered inference.

With n items that have a human value Y and a prediction f, and N further items that have only a
prediction, drawn alike,

    theta   = lambda * mean of the N predictions + mean over the n of (Y - lambda f)
    se^2    = lambda^2 var(f over N) / N + var(Y - lambda f) / n

(Angelopoulos et al. 2023, "Prediction-powered inference", Science 382, with lambda = 1;
Angelopoulos, Duchi and Zrnic 2023, "PPI++", arXiv 2311.01453.) A
prediction may be wrong in any way: what it is wrong by on average is measured on the n and taken
off. lambda = 0 is the classical mean. PPI++ takes the lambda of least variance,

    lambda = cov(Y, f) / ((1 + n / N) var(f over all)), kept between 0 and 1,

so that with many labels the interval is never wider than the classical one. Human values are
shares, so the interval is Wilson's, within 0 and 1 (`tomahto.estimates.estimate`), and an
estimate beyond is taken to the end.

Few labels, or labels that are nearly all alike, say little of their spread. So the interval's
standard error is that with two labels of half a weight added, one of 1 with the prediction 0 and
one of 0 with the prediction 1, and its quantile Student's with n - 1 degrees of freedom. Without
predictions and with labels of 0 and 1 that is Wilson's interval for n labels, also where all are
alike.
"""

import math
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np

from tomahto.estimates.bootstrap import CONFIDENCE
from tomahto.estimates.estimate import Estimate, share_estimate, undefined
from tomahto.types import Floats

_ONE_LABEL: Final = "an interval needs two human labels"


class Spread(NamedTuple):
    """The share of labels, and the standard error of an estimate, with the added labels."""

    share: float
    error: float


@dataclass(frozen=True, slots=True)
class PredictionPowered:
    """The mean by predictions and labels, and by the labels alone.

    `n` of both estimates is the number of human labels; `predicted` is that of the items with a
    prediction only. `error` is the standard error of `estimate`, `spread` what its interval is made
    of. `effective_n` is how many labels the classical mean would need for the same error, None
    where it cannot be said.
    """

    estimate: Estimate
    classical: Estimate
    weight: float
    predicted: int
    error: float
    effective_n: float | None
    spread: Spread | None = None


def prediction_powered_mean(
    human: Floats,
    predictions: Floats,
    further: Floats,
    *,
    weight: float | None = None,
    confidence: float = CONFIDENCE,
) -> PredictionPowered:
    """The mean human value over all items, from a random part of them that people labelled.

    `human` (n,) and `predictions` (n,) belong to the labelled items, `further` (N,) are the
    predictions of the others. Human values lie between 0 and 1: for a system's accuracy they are
    0 or 1, the predictions a matcher's scores. The labelled items must be a random part: labels of
    hard items only make any weight wrong. `weight` is lambda; by default it is tuned.

    Without further items the weight is 0. With a single label there is a value and no interval;
    without one there is no value.

    Raises ValueError if human values and predictions differ in number, a value is not finite, or
    a human value, `weight` or `confidence` is not between 0 and 1.
    """
    _check(human, predictions, further, weight, confidence)
    n = len(human)
    if not n:
        nothing = undefined("no item has a human label", n=0)
        return PredictionPowered(nothing, nothing, weight or 0.0, len(further), 0.0, None)
    if not len(further):
        weight = 0.0
    elif weight is None:
        weight = _tuned_weight(human, predictions, further)
    classical_error = math.sqrt(float(human.var()) / n)
    error = math.sqrt(float((human - weight * predictions).var()) / n)
    value = float((human - weight * predictions).mean())
    beyond = 0.0
    if weight:
        value += weight * float(further.mean())
        beyond = weight * math.sqrt(float(further.var()) / len(further))
        error = math.hypot(error, beyond)
    spread = _spread(human, predictions, weight, beyond)
    estimate = _share_estimate(value, spread, n, confidence)
    alone = _spread(human, predictions, 0.0, 0.0)
    classical = _share_estimate(float(human.mean()), alone, n, confidence)
    return PredictionPowered(
        estimate=estimate,
        classical=classical,
        weight=weight,
        predicted=len(further),
        error=error,
        effective_n=n * (classical_error / error) ** 2 if error else None,
        spread=spread,
    )


def with_known(found: PredictionPowered, *, right: int, wrong: int, total: int) -> Estimate:
    """The mean over `total` items, `right` of which are 1 and `wrong` 0 without a label.

    `found` is of the others; `n` counts known items and labels. All are a sample of items like
    them, and so are the shares p = right / total and r of the others: with u, the mean of these,

        m = p + r u    and    se^2 = r^2 se(u)^2 + (p + r u^2 - m^2) / total,

    the spread within the others and that between the three kinds. Raises ValueError unless `found`
    has a value and there are others.
    """
    value, spread = found.estimate.value, found.spread
    others = total - right - wrong
    if value is None or spread is None or min(right, wrong, others - 1) < 0:
        raise ValueError(f"{right} + {wrong} of {total} items are known, and the others {value}")
    known, rest = right / total, others / total
    mean = known + rest * value
    between = max(0.0, known + rest * value * value - mean * mean) / total
    error = math.hypot(rest * spread.error, math.sqrt(between))
    of_all = Spread(known + rest * spread.share, error)
    estimate = _share_estimate(mean, of_all, found.estimate.n, CONFIDENCE)
    return replace(estimate, n=estimate.n + right + wrong)


def _check(
    human: Floats, predictions: Floats, further: Floats, weight: float | None, confidence: float
) -> None:
    if len(human) != len(predictions):
        raise ValueError(f"{len(human)} human values but {len(predictions)} predictions")
    if not all(np.isfinite(values).all() for values in (human, predictions, further)):
        raise ValueError("a value is not finite")
    if not ((human >= 0) & (human <= 1)).all():
        raise ValueError("a human value is not between 0 and 1")
    if weight is not None and not 0 <= weight <= 1:
        raise ValueError(f"weight {weight} is not between 0 and 1")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence {confidence} is not between 0 and 1")


def _tuned_weight(human: Floats, predictions: Floats, further: Floats) -> float:
    together = np.concatenate([predictions, further])
    spread = float(together.var(ddof=1))
    if spread == 0:  # predictions that are all alike say nothing
        return 0.0
    covariance = float(((human - human.mean()) * (predictions - predictions.mean())).mean())
    return min(1.0, max(0.0, covariance / ((1 + len(human) / len(further)) * spread)))


def _spread(human: Floats, predictions: Floats, weight: float, beyond: float) -> Spread:
    """`beyond` is the standard error of the weighted mean of the further predictions."""
    n = len(human)
    counts = np.append(np.ones(n), [0.5, 0.5])
    labels = np.append(human, [1.0, 0.0])
    errors = np.append(human - weight * predictions, [1.0, -weight])
    variance = np.average((errors - np.average(errors, weights=counts)) ** 2, weights=counts)
    share = float(np.average(labels, weights=counts))
    return Spread(share, math.hypot(math.sqrt(float(variance) / n), beyond))


def _share_estimate(value: float, spread: Spread, n: int, confidence: float) -> Estimate:
    """The estimate of a share from `n` human labels; one of them gives no interval."""
    value = min(1.0, max(0.0, value))
    if n < 2:
        return Estimate(value=value, n=n, reason=_ONE_LABEL)
    return share_estimate(
        value,
        spread.error,
        n - 1,
        n=n,
        alike=_ONE_LABEL,  # never: the added labels differ
        typical=spread.share,
        confidence=confidence,
    )
