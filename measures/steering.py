"""Does the suggestion steer the rater? Ratings with it shown against ratings with it hidden.

The policy `randomised` decides by lot, for every assignment, whether the rater sees the matcher's
suggestion. So the two arms differ by that alone, and if raters agree with the suggestion more
often where they see it, the suggestion made them. The interval of the difference counts ratings
of one rater and of one item as dependent (`measures.two_way_clusters`).

Where nearly all ratings agree, the clustered variance is near 0 and says too much. So it is never
taken to be below that of two independent shares with one success and one failure added to each
(Agresti and Caffo 2000, The American Statistician 54).
"""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from measures.alpha import alpha_with_interval
from measures.bootstrap import Bootstrap
from measures.estimate import Estimate, undefined
from measures.patterns import VotePatterns
from measures.rating_rows import RatingRows
from measures.scheme import LabelScheme
from measures.two_way_clusters import (
    Clustered,
    Clusters,
    Flags,
    Floats,
    Integers,
    clustered_difference,
    clustered_mean,
)

CONFIDENCE = 0.95
POWER = 0.8

SteeringVerdict = Literal["steers", "steers-away", "no-larger-effect", "cannot-tell", "undefined"]


@dataclass(frozen=True, eq=False)
class SteeringRows:
    """Ratings, and for each (N,) whether the suggestion was shown, which it was, and the time.

    `suggestions` are places in the ratings' `label_names`; `seconds` is NaN where the time is
    unknown.

    Raises ValueError if the arrays differ in length or a suggestion is no label.
    """

    ratings: RatingRows
    is_shown: Flags
    suggestions: Integers
    seconds: Floats

    def __post_init__(self) -> None:
        lengths = {len(self.is_shown), len(self.suggestions), len(self.seconds)}
        if lengths != {self.ratings.n}:
            raise ValueError("ratings, arms, suggestions and seconds differ in number")
        labels = len(self.ratings.label_names)
        if self.suggestions.min() < 0 or self.suggestions.max() >= labels:
            raise ValueError(f"a suggestion is numbered outside 0 to {labels - 1}")

    @property
    def agrees(self) -> Floats:
        """1 where the rater gave the suggested label, else 0."""
        agrees: Floats = (self.ratings.labels == self.suggestions).astype(np.float64)
        return agrees

    @property
    def clusters(self) -> Clusters:
        return Clusters(self.ratings.raters, self.ratings.items)


@dataclass(frozen=True, slots=True)
class SteeringArm:
    """The ratings of one arm: the share that agrees with the suggestion, and alpha among them.

    `n` of the agreement is the number of ratings, `n` of alpha that of items with two ratings
    in the arm.
    """

    agreement: Estimate
    alpha: Estimate


@dataclass(frozen=True, slots=True)
class SteeringEffect:
    """The arms compared, over all suggestions (`label` None) or those of one label.

    `difference` is the agreement shown less hidden. `minimum_detectable` is the difference that
    would have been found with a chance of 80 % at this size, None if there is no interval.
    `time_ratio` is how many times as long a rating takes with the suggestion as without, by the
    geometric mean and within raters; `n` counts the ratings whose time is known and above 0.
    Alpha of one label is that of this label against all others. The intervals of the labels'
    differences hold together at 95 % (Bonferroni), so each is wider than 95 %.
    """

    label: str | None
    shown: SteeringArm
    hidden: SteeringArm
    difference: Estimate
    minimum_detectable: float | None
    time_ratio: Estimate


@dataclass(frozen=True, slots=True)
class SteeringReport:
    """The effect overall and by suggested label, and what may be concluded.

    `steers` (or `steers-away`): the interval of the difference lies above (below) 0, `bound` is
    its end nearer to 0: the effect is at least so large. `no-larger-effect`: the interval lies
    within the margin, and no effect is larger than `bound`. `cannot-tell`: neither; an effect of
    `bound`, the minimum detectable one, could have been missed. `undefined`: no interval, the
    reason stands in the difference.
    """

    overall: SteeringEffect
    by_label: tuple[SteeringEffect, ...]
    verdict: SteeringVerdict
    bound: float | None
    margin: float


def steering_report(
    rows: SteeringRows, scheme: LabelScheme, *, bootstrap: Bootstrap, margin: float = 0.05
) -> SteeringReport:
    """Whether the suggestion steers, with every number the answer rests on.

    `margin` is the largest difference in agreement that does not matter. `bootstrap` is that of
    the intervals of alpha. Labels that are never suggested are left out.

    Raises ValueError if the scheme's labels are not those of the ratings, or `margin` is not
    above 0.
    """
    if scheme.labels != rows.ratings.label_names:
        raise ValueError("the scheme's labels are not those of the ratings")
    if not margin > 0:
        raise ValueError(f"margin {margin} is not above 0")
    overall = _effect(rows, scheme, bootstrap, CONFIDENCE)
    suggested = np.unique(rows.suggestions).tolist()
    confidence = 1 - (1 - CONFIDENCE) / len(suggested)
    by_label = tuple(
        _effect(rows, scheme, bootstrap, confidence, label=label) for label in suggested
    )
    verdict, bound = _conclusion(overall, margin)
    return SteeringReport(overall, by_label, verdict, bound, margin)


def steering_difference(rows: SteeringRows, *, confidence: float = CONFIDENCE) -> Estimate:
    """The agreement with the suggestion where it is shown less that where it is hidden.

    `n` is the number of ratings. Undefined unless both arms have ratings; without an interval if
    only one rater or one item is there.
    """
    return _difference(rows, confidence)[0]


def _effect(
    rows: SteeringRows,
    scheme: LabelScheme,
    bootstrap: Bootstrap,
    confidence: float,
    *,
    label: int | None = None,
) -> SteeringEffect:
    chosen = np.full(rows.ratings.n, True) if label is None else rows.suggestions == label
    difference, detectable = _difference(rows, confidence, chosen)
    return SteeringEffect(
        label=None if label is None else scheme.labels[label],
        shown=_arm(rows, chosen & rows.is_shown, scheme, bootstrap, label),
        hidden=_arm(rows, chosen & ~rows.is_shown, scheme, bootstrap, label),
        difference=difference,
        minimum_detectable=detectable,
        time_ratio=_time_ratio(rows, chosen),
    )


def _difference(
    rows: SteeringRows, confidence: float, chosen: Flags | None = None
) -> tuple[Estimate, float | None]:
    """The difference with its interval, and the minimum detectable one."""
    chosen = np.full(rows.ratings.n, True) if chosen is None else chosen
    agrees, is_shown, n = rows.agrees[chosen], rows.is_shown[chosen], int(chosen.sum())
    if is_shown.all() or not is_shown.any():
        missing = "hidden" if is_shown.all() else "shown"
        return undefined(f"no rating was given with the suggestion {missing}", n=n), None
    clusters = rows.clusters.where(chosen)
    if clusters.why_no_interval:
        value = float(agrees[is_shown].mean() - agrees[~is_shown].mean())
        return Estimate(value=value, n=n, reason=clusters.why_no_interval), None
    floor = _share_variance(agrees[is_shown]) + _share_variance(agrees[~is_shown])
    found = clustered_difference(agrees, is_shown, clusters, floor=floor)
    detectable = found.minimum_detectable(power=POWER, confidence=confidence)
    return _clipped(found, confidence, -1, 1), detectable


def _share_variance(agrees: Floats) -> float:
    """The variance of a share with one success and one failure added."""
    share = (float(agrees.sum()) + 1) / (len(agrees) + 2)
    return share * (1 - share) / (len(agrees) + 2)


def _clipped(found: Clustered, confidence: float, least: float, most: float) -> Estimate:
    """The estimate with the ends of its interval kept where the value can be."""
    low, high = (min(most, max(least, end)) for end in found.interval(confidence))
    return Estimate(value=found.value, n=found.n, low=low, high=high, confidence=confidence)


def _arm(
    rows: SteeringRows,
    chosen: Flags,
    scheme: LabelScheme,
    bootstrap: Bootstrap,
    label: int | None,
) -> SteeringArm:
    clusters, agrees = rows.clusters.where(chosen), rows.agrees[chosen]
    if not len(agrees):
        agreement = undefined("the arm has no rating", n=0)
    elif reason := clusters.why_no_interval:
        agreement = Estimate(value=float(agrees.mean()), n=len(agrees), reason=reason)
    else:
        mean = clustered_mean(agrees, clusters, floor=_share_variance(agrees))
        agreement = _clipped(mean, CONFIDENCE, 0, 1)
    patterns = _patterns(rows.ratings, chosen, scheme, label)
    alpha = alpha_with_interval(patterns, seed=bootstrap.seed, replicates=bootstrap.replicates)
    return SteeringArm(agreement, alpha)


def _patterns(
    ratings: RatingRows, chosen: Flags, scheme: LabelScheme, label: int | None
) -> VotePatterns:
    """The votes of the chosen ratings; of one label as that label against all others."""
    labels = ratings.labels[chosen]
    if label is not None:
        name = scheme.labels[label]
        scheme = LabelScheme((name, f"not {name}"), (1, 0))
        labels = (labels != label).astype(np.int64)
    columns = len(scheme.labels)
    cells = ratings.items[chosen] * columns + labels
    counts = np.bincount(cells, minlength=ratings.item_count * columns).reshape(-1, columns)
    patterns, items = np.unique(counts, axis=0, return_counts=True)
    return VotePatterns(
        scheme,
        {tuple(one): times for one, times in zip(patterns.tolist(), items.tolist(), strict=True)},
    )


def _time_ratio(rows: SteeringRows, chosen: Flags) -> Estimate:
    timed = chosen & np.isfinite(rows.seconds) & (rows.seconds > 0)
    clusters, is_shown, n = rows.clusters.where(timed), rows.is_shown[timed], int(timed.sum())
    if not n:
        return undefined("no rating has a time", n=0)
    if reason := clusters.why_no_interval:
        return undefined(reason, n=n)
    try:
        found = clustered_difference(
            np.log(rows.seconds[timed]), is_shown, clusters, within_raters=True
        )
    except ValueError:
        return undefined("no rater has times both with and without the suggestion", n=n)
    low, high = (math.exp(end) for end in found.interval())
    return Estimate(value=math.exp(found.value), n=n, low=low, high=high)


def _conclusion(effect: SteeringEffect, margin: float) -> tuple[SteeringVerdict, float | None]:
    low, high = effect.difference.low, effect.difference.high
    if low is None or high is None:
        return "undefined", None
    if low > 0:
        return "steers", low
    if high < 0:
        return "steers-away", high
    if max(-low, high) <= margin:
        return "no-larger-effect", max(-low, high)
    return "cannot-tell", effect.minimum_detectable
