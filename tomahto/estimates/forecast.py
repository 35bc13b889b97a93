"""When will the missing ratings be there, and how many more items does an interval need?

The forecast is made from the ratings of recent days. The ratings of a day are an overdispersed
Poisson count whose mean depends on the day of the week (quasi-Poisson with one factor: McCullagh
and Nelder 1989, "Generalized Linear Models", sections 6.2.3 and 4.5). With m_d the mean of weekday
d over its k_d days, and c_d the times that weekday occurs among the next h days,

    E_h = sum over d of c_d m_d
    V_h = phi * sum over d of (c_d m_d + c_d^2 m_d / k_d)

are the expected ratings of these days and the variance of the error of that expectation: what
the days themselves vary by, and what the means are unsure by. All r missing ratings are there
after h days with a probability of P(T <= (E_h - r) / sqrt(V_h)), T Student's t. So the interval
of the date follows without drawing anything: its ends are the first days on which the probability
reaches 2.5 % and 97.5 %.

phi is Pearson's statistic over its degrees of freedom. As days of one week are alike beyond their
weekday, phi from the sums of whole weeks counts, with its fewer degrees of freedom, if it makes
the interval wider. That takes three weeks: a shorter history cannot show how much weeks differ,
and where they do, its interval is too narrow. With fewer than two weeks all days share one mean.

The sample size is that at which an interval is as narrow as wanted. The standard error of a mean
over n independent items falls as 1 / sqrt(n), and so does that of every smooth function of such
means: alpha over the items with two ratings, a system's accuracy over judged items, the difference
of two systems over items judged for both. Hence from an interval of width w over n items, n (w /
target)^2 items give the width `target` (Cochran 1977, "Sampling Techniques", chapter 4).

It is assumed that the further items are like those so far: drawn alike, with as many ratings
each, and in clusters of the same size where clusters were resampled. Then the prediction is as
good as the width it starts from, which from 100 items on is known to about 10 %.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from itertools import pairwise
from typing import Literal

import numpy as np

from tomahto.estimates.estimate import Estimate, fields_as_json, t_quantile
from tomahto.types import Floats, JsonObject

WEEK = 7
MIN_DAYS = 7
MAX_DAYS = 56  # of history: what was longer ago says little about how people work now
GAP = 14  # days without a rating: what was before them is another stretch of work
HORIZON = 3652  # days: ten years
CONFIDENCE = 0.95
_MIN_WEEKS = 3  # before the sums of weeks say how much weeks vary


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """In how many days the missing ratings will be there: 1 is the first day after the history.

    `days` is the day on which they are expected, `low` and `high` bound the 95 % interval. They
    rest on the last `n` days, on which `per_day` ratings were made a day; `dispersion` is phi.
    If `days` is None, `reason` says why; if `high` alone is, no day is surely late enough.
    """

    remaining: int
    days: int | None = None
    low: int | None = None
    high: int | None = None
    n: int
    per_day: float | None = None
    dispersion: float | None = None
    confidence: float = CONFIDENCE
    reason: str | None = None

    def as_json(self) -> JsonObject:
        return fields_as_json(self)


def forecast(counts: Sequence[int], remaining: int) -> Forecast:
    """The day on which `remaining` further ratings will be there.

    `counts` are the ratings of consecutive whole days from the first with a rating on, oldest
    first; at most the last MAX_DAYS are used. Day 1 of the forecast is the day after the last.

    Raises ValueError if a count or `remaining` is negative.
    """
    if remaining < 0 or any(count < 0 for count in counts):
        raise ValueError("a number of ratings is negative")
    recent = _since_the_last_gap(np.array(counts[-MAX_DAYS:], dtype=np.float64))
    reason = _why_none(recent, remaining)
    if reason:
        return Forecast(remaining=remaining, n=len(recent), reason=reason)
    model = _Days.of(recent)
    days = model.first_day(remaining, -math.inf)
    if days is None:
        reason = "at the present rate it takes more than ten years"
        return Forecast(remaining=remaining, n=len(recent), reason=reason)
    low, high = (model.first_day(remaining, t) for t in model.quantiles)
    return Forecast(
        remaining=remaining,
        n=len(recent),
        days=days,
        low=low,
        high=high,
        per_day=float(recent.mean()),
        dispersion=model.dispersion,
    )


def _since_the_last_gap(recent: Floats) -> Floats:
    ends = np.flatnonzero(recent)
    for earlier, later in reversed(list(pairwise(ends))):
        if later - earlier > GAP:
            return recent[later:]
    return recent[ends[0] :] if len(ends) else recent


def _why_none(recent: Floats, remaining: int) -> str | None:
    if remaining == 0:
        return "no rating is missing"
    if len(recent) < MIN_DAYS:
        return f"ratings of {len(recent)} whole days; a forecast needs {MIN_DAYS}"
    if not recent[-WEEK:].any():
        return f"nobody rated on the last {WEEK} whole days"
    return None


@dataclass(frozen=True, eq=False)
class _Days:
    """The model: means by weekday (D,), the days each rests on (D,), phi and its t quantiles."""

    means: Floats
    observed: Floats
    next_day: int
    dispersion: float
    quantiles: tuple[float, float]

    @classmethod
    def of(cls, recent: Floats) -> "_Days":
        kinds = WEEK if len(recent) >= 2 * WEEK else 1
        kind = np.arange(len(recent)) % kinds
        observed = np.bincount(kind, minlength=kinds).astype(np.float64)
        means = np.bincount(kind, weights=recent, minlength=kinds) / observed
        expected = means[kind]
        some = expected > 0
        squares = float((((recent - expected)[some]) ** 2 / expected[some]).sum())
        df = int(some.sum()) - int((means > 0).sum())
        tail = (1 - CONFIDENCE) / 2
        choices = [(squares / df, t_quantile(1 - tail, df)), *_weekly(recent, tail)]
        dispersion, t = max(choices, key=lambda choice: choice[0] * choice[1] ** 2)
        return cls(means, observed, len(recent) % kinds, dispersion, (t, -t))

    def first_day(self, remaining: int, t: float) -> int | None:
        """The first day until which E_h + t sqrt(V_h) reaches `remaining`; E_h if t is infinite."""
        reached = self._expected if math.isinf(t) else self._expected + t * self._deviation
        enough = np.flatnonzero(reached >= remaining)
        return int(enough[0]) + 1 if len(enough) else None

    @cached_property
    def _occurrences(self) -> Floats:
        """The number of times that each weekday has occurred until each day of the horizon (H,
        D)."""
        kinds = (self.next_day + np.arange(HORIZON)) % len(self.means)
        return np.eye(len(self.means))[kinds].cumsum(axis=0)

    @cached_property
    def _expected(self) -> Floats:
        expected: Floats = self._occurrences @ self.means
        return expected

    @cached_property
    def _deviation(self) -> Floats:
        times = self._occurrences
        variance = times @ self.means + times**2 @ (self.means / self.observed)
        deviation: Floats = np.sqrt(self.dispersion * variance)
        return deviation


def _weekly(recent: Floats, tail: float) -> list[tuple[float, float]]:
    """phi of the sums of whole weeks and its t quantile, if there are enough of them."""
    weeks = len(recent) // WEEK
    if weeks < _MIN_WEEKS:
        return []
    sums = recent[len(recent) - weeks * WEEK :].reshape(weeks, WEEK).sum(axis=1)
    if not sums.mean():
        return []
    squares = float(((sums - sums.mean()) ** 2).sum() / sums.mean())
    return [(squares / (weeks - 1), t_quantile(1 - tail, weeks - 1))]


Period = Literal["day", "week", "month"]

_WEEKS_FROM = timedelta(weeks=3)
_MONTHS_FROM = timedelta(days=366)


def fitting_period(days: Iterable[date]) -> Period:
    """Days if the first and the last are less than three weeks apart, weeks up to a year."""
    known = list(days)
    span = max(known) - min(known) if known else timedelta()
    if span < _WEEKS_FROM:
        return "day"
    return "week" if span < _MONTHS_FROM else "month"


def start_of(period: Period, day: date) -> date:
    """The first day of the period that the day belongs to; weeks begin on Monday."""
    if period == "week":
        return day - timedelta(days=day.weekday())
    return day.replace(day=1) if period == "month" else day


MIN_ITEMS = 20


@dataclass(frozen=True, slots=True)
class SampleSize:
    """The sample size at which an interval is `target` wide.

    `n` items give the present `width`; `needed` are wanted in all, `more` beyond those, which
    takes `more_ratings` ratings. With `available` items in all, `is_reachable` says whether they
    suffice, and `best_width` is how wide the interval is once all are done; without a limit it
    is the target. If `reason` says why there is no prediction, all these are None.
    """

    target: float
    n: int
    available: int | None = None
    width: float | None = None
    needed: int | None = None
    more: int | None = None
    more_ratings: int | None = None
    is_reachable: bool | None = None
    best_width: float | None = None
    reason: str | None = None


def items_for_width(
    estimate: Estimate, target: float, *, available: int | None = None, ratings_each: int = 1
) -> SampleSize:
    """The items until the estimate's interval is at most `target` wide, low to high.

    The estimate's `n` counts items: those with two ratings for alpha. `available` is how many
    there can be in all. `ratings_each` is how many further ratings one more item costs: for
    alpha 1 if the item has a rating already, 2 if it has none.

    No prediction without an interval, or from fewer than MIN_ITEMS items, or from an interval
    without width. Raises ValueError if `target` is not above 0, `ratings_each` is less than 1,
    or fewer items are available than the estimate rests on.
    """
    if not target > 0:
        raise ValueError(f"target width {target} is not above 0")
    if ratings_each < 1:
        raise ValueError(f"{ratings_each} ratings for each item")
    if available is not None and available < estimate.n:
        raise ValueError(f"{available} items are available but {estimate.n} are used")
    if reason := _why_unpredictable(estimate):
        return SampleSize(target=target, n=estimate.n, available=available, reason=reason)
    width = predicted_width(estimate, estimate.n)
    # what rounding adds asks for no item more
    enough = math.ceil(estimate.n * (width / target) ** 2 * (1 - 1e-12))
    needed = max(estimate.n, enough)
    is_reachable = available is None or needed <= available
    return SampleSize(
        target=target,
        n=estimate.n,
        available=available,
        width=width,
        needed=needed,
        more=needed - estimate.n,
        more_ratings=(needed - estimate.n) * ratings_each,
        is_reachable=is_reachable,
        best_width=min(width, target)
        if available is None
        else predicted_width(estimate, available),
    )


def predicted_width(estimate: Estimate, n: int) -> float:
    """The width of the estimate's interval with `n` items.

    Raises ValueError if the estimate has no interval, or `n` is less than 1.
    """
    if estimate.low is None or estimate.high is None:
        raise ValueError("an estimate without an interval predicts no width")
    if n < 1:
        raise ValueError(f"{n} items have no interval")
    return (estimate.high - estimate.low) * math.sqrt(estimate.n / n)


def _why_unpredictable(estimate: Estimate) -> str | None:
    if estimate.low is None or estimate.high is None:
        return estimate.reason or "the estimate has no interval"
    if estimate.n < MIN_ITEMS:
        return f"fewer than {MIN_ITEMS} items do not tell how wide the interval is"
    if estimate.low == estimate.high:
        return "the interval has no width, so nothing is known of the spread"
    return None
