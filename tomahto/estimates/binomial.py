"""A one-sided bound on a binomial rate, and a two-sided interval."""

import math
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from tomahto.estimates.share_interval import score_interval


def upper_bound(events: int, trials: int, *, gamma: float) -> float:
    """The rate that is exceeded with probability `gamma` at most (Clopper and Pearson 1934).

    It is the p at which so few events have probability gamma, P(X <= k | n, p) = gamma; in terms
    of the regularised incomplete beta function I_p(k + 1, n - k) = 1 - gamma, that is SciPy's
    `betaincinv(k + 1, n - k, 1 - gamma)`. Nothing bounds the rate where all trials are events,
    or there is none: then it is 1.

    Raises ValueError unless 0 <= events <= trials and 0 < gamma < 1.
    """
    if not 0 <= events <= trials:
        raise ValueError(f"{events} events in {trials} trials")
    if not 0 < gamma < 1:
        raise ValueError(f"gamma {gamma} is not between 0 and 1")
    if events == trials:
        return 1.0
    counts = np.arange(events + 1)
    log_choices = _log_choices(events, trials)
    low, high = 0.0, 1.0
    while low < (middle := (low + high) / 2) < high:
        logs = log_choices + counts * math.log(middle) + (trials - counts) * math.log1p(-middle)
        if math.fsum(np.exp(logs)) > gamma:
            low = middle
        else:
            high = middle
    return high


def wilson_interval(events: float, trials: int, *, confidence: float = 0.95) -> tuple[float, float]:
    """An interval for a rate from its events in a number of trials (Wilson 1927).

    `events` may be a sum of shares: values between 0 and 1 of the same mean spread less than
    zeros and ones, so the interval is then rather too wide than too narrow.

    Raises ValueError unless 0 <= events <= trials, trials > 0 and 0 < confidence < 1.
    """
    if not 0 <= events <= trials or not trials:
        raise ValueError(f"{events} events in {trials} trials")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence {confidence} is not between 0 and 1")
    return score_interval(events / trials, trials, NormalDist().inv_cdf((1 + confidence) / 2))


def _log_choices(events: int, trials: int) -> NDArray[np.float64]:
    """The logarithms of the binomial coefficients (trials over 0), ..., (trials over events)."""
    logs, choices = [0.0], 1
    for count in range(events):
        choices = choices * (trials - count) // (count + 1)
        logs.append(math.log(choices))
    return np.array(logs)
