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
shares, so the interval is Wilson's for this standard error, within 0 and 1
(`tomahto.estimates.share_interval`), and an estimate beyond is taken to the end. With few labels
both se and lambda are uncertain, so there is no interval below MIN_LABELS.
"""

import math
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Final

import numpy as np

from tomahto.estimates.bootstrap import CONFIDENCE
from tomahto.estimates.estimate import Estimate, undefined
from tomahto.estimates.share_interval import share_estimate
from tomahto.types import Floats

MIN_LABELS = 30
_LABELS_ALIKE: Final = "all labels are alike, so their spread is unknown"
_ERRORS_ALIKE: Final = (
    "label less weighted prediction is the same wherever there is a label, and the other "
    "predictions are alike, so the spread is unknown"
)


@dataclass(frozen=True, slots=True)
class PredictionPowered:
    """The mean by predictions and labels, and by the labels alone.

    `n` of both estimates is the number of human labels; `predicted` is that of the items with a
    prediction only. `error` is the standard error of `estimate`. `effective_n` is how many labels
    the classical mean would need for the same one, None where it cannot be said.
    """

    estimate: Estimate
    classical: Estimate
    weight: float
    predicted: int
    error: float
    effective_n: float | None


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

    Without further items the weight is 0. Below MIN_LABELS labels, or where nothing varies,
    there is a value and no interval; without a label there is no value.

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
    if weight:
        value += weight * float(further.mean())
        error = math.hypot(error, weight * math.sqrt(float(further.var()) / len(further)))
    typical = float(human.mean())
    alike = _ERRORS_ALIKE if np.ptp(human) else _LABELS_ALIKE
    estimate, classical = (
        _share_estimate(mean, its_error, n, typical=typical, alike=alike, confidence=confidence)
        for mean, its_error in ((value, error), (typical, classical_error))
    )
    return PredictionPowered(
        estimate=estimate,
        classical=classical,
        weight=weight,
        predicted=len(further),
        error=error,
        effective_n=n * (classical_error / error) ** 2 if error else None,
    )


def with_known(found: PredictionPowered, *, right: int, wrong: int, total: int) -> Estimate:
    """The mean over `total` items, `right` of which are 1 and `wrong` 0 without a label.

    `found` is of the others; `n` counts known items and labels. All are a sample of items like
    them, and so are the shares p = right / total and r of the others: with u, the mean of these,

        m = p + r u    and    se^2 = r^2 se(u)^2 + (p + r u^2 - m^2) / total,

    the spread within the others and that between the three kinds. Raises ValueError unless `found`
    has a value and there are others.
    """
    value, labelled = found.estimate.value, found.classical.value
    others = total - right - wrong
    if value is None or labelled is None or min(right, wrong, others - 1) < 0:
        raise ValueError(f"{right} + {wrong} of {total} items are known, and the others {value}")
    known, rest = right / total, others / total
    mean = known + rest * value
    between = max(0.0, known + rest * value * value - mean * mean) / total
    estimate = _share_estimate(
        mean,
        math.hypot(rest * found.error, math.sqrt(between)),
        found.estimate.n,
        typical=known + rest * labelled,
        alike=found.estimate.reason or _ERRORS_ALIKE,
    )
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


def _share_estimate(
    value: float,
    error: float,
    n: int,
    *,
    typical: float,
    alike: str,
    confidence: float = CONFIDENCE,
) -> Estimate:
    """The estimate of a share from `n` human labels with its standard error.

    `typical` is as for `share_estimate`. There is no interval below MIN_LABELS labels, and none
    where nothing varies, for the reason `alike`.
    """
    value = min(1.0, max(0.0, value))
    if n < MIN_LABELS:
        reason = f"an interval needs {MIN_LABELS} human labels"
        return Estimate(value=value, n=n, reason=reason)
    quantile = NormalDist().inv_cdf((1 + confidence) / 2)
    return share_estimate(
        value, error, quantile, n=n, alike=alike, typical=typical, confidence=confidence
    )
