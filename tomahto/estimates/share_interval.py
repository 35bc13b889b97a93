"""Intervals of shares, and of means of values between 0 and 1, that end where the values do.

The interval value -+ q se leaves 0 to 1 near its ends, and cut off there it holds the true mean too
rarely. Wilson (1927) asks instead for which true shares p the value would be no surprise,
|value - p| <= q sqrt(p (1 - p) / n). Where the standard error is not that of n independent zeros
and ones, but comes from values between, from clusters or from predictions, n is the effective
number of observations,

    n* = m (1 - m) / se^2,

those that would give a share near m the same standard error (Dean and Pagano 2015, "Evaluating
Confidence Interval Methods for Binomial Proportions in Clustered Surveys", Journal of Survey
Statistics and Methodology 3; Franco, Little, Louis and Slud 2019, the same journal, 7).
"""

import math
from typing import Final

from tomahto.estimates.estimate import Estimate

_NOTHING: Final = 1e-12  # a standard error below is rounding


def score_interval(value: float, size: float, quantile: float) -> tuple[float, float]:
    """Wilson's interval of a share from 0 to 1 that rests on `size` observations.

    `quantile` is how many standard errors the interval reaches. The value lies inside.
    """
    square = quantile * quantile / size
    centre = value + square / 2
    reach = math.sqrt(square * value * (1 - value) + square * square / 4)
    low, high = (centre - reach) / (1 + square), (centre + reach) / (1 + square)
    return min(value, max(0.0, low)), max(value, min(1.0, high))


def share_estimate(
    value: float,
    error: float,
    quantile: float,
    *,
    n: int,
    alike: str,
    typical: float | None = None,
    confidence: float = 0.95,
) -> Estimate:
    """A share with the interval for its standard error; none where nothing varies, which `alike`
    says.

    `typical` is the share m at which `error` was found, by default the value: a share may itself
    be 0 or 1 although its standard error is not 0. `confidence` is that of the `quantile`.
    """
    m = value if typical is None else typical
    if error < _NOTHING or not 0 < m < 1:
        return Estimate(value=value, n=n, reason=alike)
    low, high = score_interval(value, m * (1 - m) / error**2, quantile)
    return Estimate(value=value, n=n, low=low, high=high, confidence=confidence)
