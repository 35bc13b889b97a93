"""A one-sided bound on a binomial rate, and a two-sided interval."""

from statistics import NormalDist

from tomahto.estimates.estimate import Estimate, undefined
from tomahto.estimates.share_interval import score_interval


def upper_bound(events: int, trials: int, *, gamma: float) -> float:
    """The rate that is exceeded with probability `gamma` at most (Clopper and Pearson 1934).

    It is the p at which so few events have probability gamma, P(X <= k | n, p) = gamma; in terms
    of the regularised incomplete beta function 1 - I_p(k + 1, n - k) = gamma. Nothing bounds the
    rate where all trials are events, or there is none: then it is 1.

    Raises ValueError unless 0 <= events <= trials and 0 < gamma < 1.
    """
    from scipy.special import betainccinv  # slow to load, and few pages need it

    if not 0 <= events <= trials:
        raise ValueError(f"{events} events in {trials} trials")
    if not 0 < gamma < 1:
        raise ValueError(f"gamma {gamma} is not between 0 and 1")
    if events == trials:
        return 1.0
    return float(betainccinv(events + 1, trials - events, gamma))


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


def wilson_share(events: float, trials: int, why_undefined: str = "nothing was tried") -> Estimate:
    """The rate with its `wilson_interval`; `n` counts the trials, of which there may be none."""
    if not trials:
        return undefined(why_undefined, n=0)
    low, high = wilson_interval(events, trials)
    return Estimate(value=events / trials, n=trials, low=low, high=high)
