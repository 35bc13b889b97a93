"""A number that is published: its value, its interval, and how both came about.

Intervals of shares, and of means of values between 0 and 1, end where the values do. The interval
value -+ q se leaves 0 to 1 near its ends, and cut off there it holds the true mean too rarely.
Wilson (1927) asks instead for which true shares p the value would be no surprise, |value - p| <= q
sqrt(p (1 - p) / n). Where the standard error is not that of n independent zeros and ones, but comes
from values between, from clusters or from predictions, n is the effective number of observations,

    n* = m (1 - m) / se^2,

those that would give a share near m the same standard error (Dean and Pagano 2015, "Evaluating
Confidence Interval Methods for Binomial Proportions in Clustered Surveys", Journal of Survey
Statistics and Methodology 3; Franco, Little, Louis and Slud 2019, the same journal, 7).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Final, Literal

from tomahto.types import JsonObject

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Drawn = Literal["items", "questions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A value with its interval, or the reason why there is none.

    `n` is the number of observations the value rests on; the function that returns the estimate
    says what they are. `low` and `high` bound the interval at the level `confidence`; both are
    None if no interval was asked for or none exists. A bootstrap drew `replicates` samples with
    `seed`; in `undefined_replicates` of them the value was undefined, and the interval rests on
    the others. Where that is said, it `drew` questions or items, of which there are `clusters`.
    `reason` says why the value, or else the interval, is missing.

    Raises ValueError if these parts contradict each other.
    """

    value: float | None
    n: int
    reason: str | None = None
    low: float | None = None
    high: float | None = None
    replicates: int = 0
    undefined_replicates: int = 0
    seed: int | None = None
    drew: Drawn | None = None
    clusters: int = 0
    confidence: float = 0.95

    def __post_init__(self) -> None:
        if self.value is None and not self.reason:
            raise ValueError("an undefined value needs a reason")
        if self.value is not None and not math.isfinite(self.value):
            raise ValueError(f"value {self.value} is not finite: use None and a reason")
        self._check_interval()
        if self.n < 0:
            raise ValueError(f"n is {self.n}")
        if not 0 <= self.undefined_replicates <= self.replicates:
            raise ValueError(
                f"{self.undefined_replicates} of {self.replicates} replicates are undefined"
            )
        if self.replicates and self.seed is None:
            raise ValueError("replicates were drawn without a seed")

    def _check_interval(self) -> None:
        if self.low is None or self.high is None:
            if self.low is not self.high:
                raise ValueError(f"half an interval: {self.low} to {self.high}")
            return
        if self.value is None or self.reason is not None:
            raise ValueError("a defined interval belongs to a defined value without a reason")
        if not -math.inf < self.low <= self.high < math.inf:
            raise ValueError(f"interval from {self.low} to {self.high}")
        if not 0 < self.confidence < 1:
            raise ValueError(f"confidence {self.confidence} is not between 0 and 1")


def with_width(
    estimate: Estimate,
    reason: str = "all that is judged is alike: resampling it shows no uncertainty",
) -> Estimate:
    """Without its interval, if that has no width: a few values that are alike are no certainty."""
    if estimate.low is None or estimate.low != estimate.high:
        return estimate
    return replace(estimate, low=None, high=None, reason=reason)


def turned(estimate: Estimate) -> Estimate:
    """Of a difference, the one the other way round."""
    if estimate.value is None:
        return estimate
    if estimate.low is None or estimate.high is None:
        return replace(estimate, value=-estimate.value)
    return replace(estimate, value=-estimate.value, low=-estimate.high, high=-estimate.low)


def undefined(reason: str, *, n: int, seed: int | None = None) -> Estimate:
    """An estimate without a value; `seed` is the one an interval would have been drawn with."""
    return Estimate(value=None, reason=reason, n=n, seed=seed)


def estimate_as_json(estimate: Estimate) -> dict[str, Any]:
    """The estimate as a JSON object; what is undefined is null beside a "reason".

    "undefined_replicates" is there only where some were left out of the interval, "drew" and
    "clusters" where it is said what was drawn.
    """
    skipped = estimate.undefined_replicates
    return {
        "value": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
        "n": estimate.n,
        "replicates": estimate.replicates,
        "seed": estimate.seed,
        **({"undefined_replicates": skipped} if skipped else {}),
        **({"drew": estimate.drew, "clusters": estimate.clusters} if estimate.drew else {}),
        **reason_as_json(estimate),
    }


def reason_as_json(*estimates: Estimate) -> dict[str, Any]:
    """The key "reason" with every different reason once, or nothing where all is defined."""
    reasons = dict.fromkeys(estimate.reason for estimate in estimates if estimate.reason)
    return {"reason": "; ".join(reasons)} if reasons else {}


def fields_as_json(report: "DataclassInstance") -> JsonObject:
    """A report as a JSON object of its fields, in their order.

    A part is as its own `as_json` says if it has one, an estimate as `estimate_as_json` does, and
    any other dataclass by its fields. A "reason" is there only where there is one.
    """
    values = {field.name: getattr(report, field.name) for field in fields(report)}
    return {
        name: _part_as_json(value)
        for name, value in values.items()
        if name != "reason" or value is not None
    }


def _part_as_json(part: Any) -> Any:
    if isinstance(part, Estimate):
        return estimate_as_json(part)
    if hasattr(part, "as_json"):
        return part.as_json()
    if is_dataclass(part) and not isinstance(part, type):
        return fields_as_json(part)
    if isinstance(part, Mapping):
        return {str(key): _part_as_json(value) for key, value in part.items()}
    return list(map(_part_as_json, part)) if isinstance(part, list | tuple) else part


def estimate_from_json(content: Mapping[str, Any]) -> Estimate:
    """The estimate that `estimate_as_json` wrote, at 95 % unless the object has a "confidence".

    Raises TypeError without a value or n, and ValueError if the parts contradict each other.
    """
    names = {field.name for field in fields(Estimate)}
    return Estimate(**{name: content[name] for name in names & content.keys()})


def t_quantile(probability: float, df: float) -> float:
    """The value that is not exceeded with a probability strictly between 0 and 1.

    Raises ValueError for another probability or `df` not above 0.
    """
    from scipy.special import stdtrit  # slow to load, and few pages need it

    if not (0 < probability < 1 and df > 0):
        raise ValueError(f"no quantile for probability {probability}, {df} degrees of freedom")
    return float(stdtrit(df, probability))


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
    df: float,
    *,
    n: int,
    alike: str,
    typical: float | None = None,
    confidence: float = 0.95,
) -> Estimate:
    """A share with the interval for its standard error of `df` degrees of freedom; none where
    nothing varies, which `alike` says.

    `typical` is the share m at which `error` was found, by default the value: a share may itself
    be 0 or 1 although its standard error is not 0.
    """
    m = value if typical is None else typical
    if error < _NOTHING or not 0 < m < 1:
        return Estimate(value=value, n=n, reason=alike)
    quantile = t_quantile((1 + confidence) / 2, df)
    low, high = score_interval(value, m * (1 - m) / error**2, quantile)
    return Estimate(value=value, n=n, low=low, high=high, confidence=confidence)


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
