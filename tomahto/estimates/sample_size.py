"""How many more items until an interval is as narrow as wanted.

The standard error of a mean over n independent items falls as 1 / sqrt(n), and so does that of
every smooth function of such means: alpha over the items with two ratings, a system's accuracy
over judged items, the difference of two systems over items judged for both. Hence from an
interval of width w over n items, n (w / target)^2 items give the width `target` (Cochran 1977,
"Sampling Techniques", chapter 4).

It is assumed that the further items are like those so far: drawn alike, with as many ratings
each, and in clusters of the same size where clusters were resampled. Then the prediction is as
good as the width it starts from, which from 100 items on is known to about 10 %.
"""

import math
from dataclasses import dataclass

from tomahto.estimates.estimate import Estimate

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
    needed = max(estimate.n, _items(estimate.n, width, target))
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
    """How wide the estimate's interval will be with `n` items.

    Raises ValueError if the estimate has no interval, or `n` is less than 1.
    """
    if estimate.low is None or estimate.high is None:
        raise ValueError("an estimate without an interval predicts no width")
    if n < 1:
        raise ValueError(f"{n} items have no interval")
    return (estimate.high - estimate.low) * math.sqrt(estimate.n / n)


def _items(n: int, width: float, target: float) -> int:
    """The least number of items that is enough; what rounding adds asks for no item more."""
    return math.ceil(n * (width / target) ** 2 * (1 - 1e-12))


def _why_unpredictable(estimate: Estimate) -> str | None:
    if estimate.low is None or estimate.high is None:
        return estimate.reason or "the estimate has no interval"
    if estimate.n < MIN_ITEMS:
        return f"fewer than {MIN_ITEMS} items do not tell how wide the interval is"
    if estimate.low == estimate.high:
        return "the interval has no width, so nothing is known of the spread"
    return None
