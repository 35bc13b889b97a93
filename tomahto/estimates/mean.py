"""A mean of scores whose interval counts answers to one question as dependent."""

import math

from tomahto.estimates.bootstrap import CONFIDENCE
from tomahto.estimates.estimate import Estimate, undefined
from tomahto.estimates.share_interval import share_estimate
from tomahto.estimates.student_t import t_quantile
from tomahto.estimates.two_way_clusters import cluster_variance
from tomahto.types import Floats, Integers


def mean_with_interval(values: Floats, questions: Integers) -> Estimate:
    """The mean of scores from 0 to 1 (n,), each of a question (n,), with its 95 % interval.

    The standard error is that of clusters (`tomahto.estimates.two_way_clusters`), the quantile
    Student's with one degree of freedom less than there are questions, the interval Wilson's
    (`tomahto.estimates.share_interval`). One question has no interval, and neither have questions
    without any spread.

    Raises ValueError if a value is not between 0 and 1.
    """
    n = len(values)
    if not n:
        return undefined("there is no value", n=0)
    if not ((values >= 0) & (values <= 1)).all():
        raise ValueError("a value is not between 0 and 1")
    mean = min(1.0, max(0.0, float(values.mean())))
    df = len(set(questions.tolist())) - 1
    if not df:
        return Estimate(value=mean, n=n, reason="values of one question give no interval")
    error = math.sqrt(cluster_variance((values - mean) / n, questions))
    quantile = t_quantile((1 + CONFIDENCE) / 2, df)
    alike = "all questions are alike: no spread, no interval"
    return share_estimate(mean, error, quantile, n=n, alike=alike)
