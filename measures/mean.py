"""A mean with Student's interval."""

import math

from measures.bootstrap import CONFIDENCE, Floats
from measures.estimate import Estimate, undefined
from measures.student_t import t_quantile


def mean_with_interval(values: Floats) -> Estimate:
    """The mean of independent values (n,) with its 95 % interval, mean -+ t s / sqrt(n).

    s is the standard deviation with n - 1, t the quantile for n - 1 degrees of freedom (Student
    1908, "The Probable Error of a Mean"). One value has no interval.
    """
    n = len(values)
    if not n:
        return undefined("there is no value", n=0)
    mean = float(values.mean())
    if n == 1:
        return Estimate(value=mean, n=1, reason="one value gives no interval")
    reach = t_quantile((1 + CONFIDENCE) / 2, n - 1) * float(values.std(ddof=1)) / math.sqrt(n)
    return Estimate(value=mean, n=n, low=mean - reach, high=mean + reach, confidence=CONFIDENCE)
