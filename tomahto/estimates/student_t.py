"""Student's t distribution: its distribution function and quantiles."""

import math
from functools import lru_cache

_TINY = 1e-300
_TERMS = 10_000


def t_cdf(t: float, df: float) -> float:
    """The probability of a value up to `t` with `df` degrees of freedom.

    P(T <= t) = 1 - I_x(df / 2, 1 / 2) / 2 for t >= 0, with x = df / (df + t^2) and I the
    regularised incomplete beta function (Abramowitz and Stegun 1964, 26.7.1). An infinite `t`
    is allowed.

    Raises ValueError unless `df` is above 0 and finite and `t` is a number.
    """
    if not 0 < df < math.inf:
        raise ValueError(f"{df} degrees of freedom")
    if math.isnan(t):
        raise ValueError("t is not a number")
    if math.isinf(t):
        return float(t > 0)
    square = t * t
    tail = _beta_ratio(df / 2, 0.5, df / (df + square), square / (df + square)) / 2
    return 1 - tail if t > 0 else tail


@lru_cache(maxsize=1024)  # the same few are asked for again and again, and each takes a search
def t_quantile(probability: float, df: float) -> float:
    """The value that is not exceeded with a probability strictly between 0 and 1.

    Found by halving. Raises ValueError for another probability or `df` not above 0.
    """
    if not 0 < probability < 1:
        raise ValueError(f"probability {probability} is not between 0 and 1")
    if probability < 0.5:
        return -t_quantile(1 - probability, df)
    low, high = 0.0, 1.0
    while t_cdf(high, df) < probability:
        low, high = high, 2 * high
    while low < (middle := (low + high) / 2) < high:
        if t_cdf(middle, df) < probability:
            low = middle
        else:
            high = middle
    return high


def _beta_ratio(a: float, b: float, x: float, rest: float) -> float:
    """I_x(a, b), with `rest` = 1 - x given apart so that nothing is lost near 1."""
    if x <= 0 or rest <= 0:
        return float(rest <= 0)
    if x > (a + 1) / (a + b + 2):  # there the other tail's fraction converges faster
        return 1 - _beta_ratio(b, a, rest, x)
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    log_front += a * math.log(x) + b * math.log(rest)
    return math.exp(log_front) / a / _continued_fraction(a, b, x)


def _continued_fraction(a: float, b: float, x: float) -> float:
    """1 + d_1 / (1 + d_2 / (1 + ...)) of DLMF 8.17.22, by the method of Lentz (1976)."""
    value, c, d = 1.0, 1.0, 0.0
    for term in range(1, _TERMS):
        m = term // 2
        if term % 2:
            step = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            step = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d = 1 / _nonzero(1 + step * d)
        c = _nonzero(1 + step / c)
        value *= c * d
        if abs(c * d - 1) < 1e-15:
            return value
    raise ArithmeticError(f"no convergence for a={a}, b={b}, x={x}")


def _nonzero(number: float) -> float:
    return number if abs(number) > _TINY else _TINY
