"""A number that is published: its value, its interval, and how both came about."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

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
        self._check_value()
        self._check_interval()
        self._check_counts()

    def _check_value(self) -> None:
        if self.value is None and not self.reason:
            raise ValueError("an undefined value needs a reason")
        if self.value is not None and not math.isfinite(self.value):
            raise ValueError(f"value {self.value} is not finite: use None and a reason")

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

    def _check_counts(self) -> None:
        if self.n < 0:
            raise ValueError(f"n is {self.n}")
        if not 0 <= self.undefined_replicates <= self.replicates:
            raise ValueError(
                f"{self.undefined_replicates} of {self.replicates} replicates are undefined"
            )
        if self.replicates and self.seed is None:
            raise ValueError("replicates were drawn without a seed")


def with_width(estimate: Estimate) -> Estimate:
    """Without its interval, if that has no width: a few values that are alike are no certainty."""
    if estimate.low is None or estimate.low != estimate.high:
        return estimate
    reason = "all that is judged is alike: resampling it shows no uncertainty"
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


def estimate_from_json(content: Mapping[str, Any]) -> Estimate:
    """The estimate that `estimate_as_json` wrote, at 95 % confidence.

    Raises KeyError if a part is missing, and ValueError if the parts contradict each other.
    """
    return Estimate(
        value=content["value"],
        n=content["n"],
        reason=content.get("reason"),
        low=content["low"],
        high=content["high"],
        replicates=content["replicates"],
        undefined_replicates=content.get("undefined_replicates", 0),
        seed=content["seed"],
        drew=content.get("drew"),
        clusters=content.get("clusters", 0),
    )
