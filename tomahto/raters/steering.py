"""Does the suggestion steer the rater? Ratings with it shown against ratings with it hidden.

The policy `randomised` decides by lot, for every assignment, whether the rater sees the matcher's
suggestion. So the two arms differ by that alone, and if raters agree with the suggestion more
often where they see it, the suggestion made them. The interval of the difference counts ratings
of one rater and of one item as dependent (`tomahto.estimates.two_way_clusters`).

Where nearly all ratings agree, the clustered variance is near 0 and says too much. So it is never
taken to be below that of two independent shares with one success and one failure added to each
(Agresti and Caffo 2000, The American Statistician 54).

The shift of labels (`label_shifts`) has intervals of the same kind.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from tomahto.estimates.bootstrap import CONFIDENCE, Bootstrap
from tomahto.estimates.estimate import Estimate, share_estimate, undefined
from tomahto.estimates.two_way_clusters import (
    Clusters,
    clustered_difference,
    clustered_mean,
)
from tomahto.raters.steering_rows import SteeringRows, time_ratio, typical_seconds
from tomahto.reliability.alpha import alpha_with_interval
from tomahto.types import Flags, Floats
from tomahto.votes.answer_patterns import patterns_of_labels
from tomahto.votes.patterns import VotePatterns
from tomahto.votes.rating_rows import RatingRows
from tomahto.votes.scheme import LabelScheme

POWER = 0.8
MARGIN = 0.05

SteeringVerdict = Literal["steers", "steers-away", "no-larger-effect", "cannot-tell", "undefined"]


@dataclass(frozen=True, slots=True)
class SteeringArm:
    """The ratings of one arm: the share that agrees with the suggestion, alpha, and the time.

    `n` of the agreement is the number of ratings, `n` of alpha that of items with two ratings
    in the arm. `seconds` is the geometric mean; `n` counts the ratings whose time is known and
    above 0.
    """

    agreement: Estimate
    alpha: Estimate
    seconds: Estimate


@dataclass(frozen=True, slots=True)
class SteeringEffect:
    """The arms compared, over all suggestions (`label` None) or those of one label.

    `difference` is the agreement shown less hidden. `minimum_detectable` is the difference that
    would have been found with a chance of 80 % at this size, None if there is no interval.
    `time_ratio` is how many times as long a rating takes with the suggestion as without, by the
    geometric mean and within raters; `n` counts the ratings whose time is known and above 0.
    Alpha of one label is that of this label against all others. The intervals of the labels'
    differences hold together at the report's confidence (Bonferroni), so each is wider.
    """

    label: str | None
    shown: SteeringArm
    hidden: SteeringArm
    difference: Estimate
    minimum_detectable: float | None
    time_ratio: Estimate


@dataclass(frozen=True, slots=True)
class SteeringConclusion:
    """The conclusion from the difference over all suggestions.

    `steers` (or `steers-away`): the interval of the difference lies above (below) 0, `bound` is
    its end nearer to 0: the effect is at least so large. `no-larger-effect`: the interval lies
    within the margin, and no effect is larger than `bound`. `cannot-tell`: neither; an effect of
    `bound`, the minimum detectable one, could have been missed. `undefined`: no interval, the
    reason stands in the difference.
    """

    verdict: SteeringVerdict
    bound: float | None
    margin: float
    difference: Estimate
    minimum_detectable: float | None


@dataclass(frozen=True, slots=True)
class SteeringReport:
    """The effect overall and by suggested label."""

    overall: SteeringEffect
    by_label: tuple[SteeringEffect, ...]


def steering_report(
    rows: SteeringRows,
    scheme: LabelScheme,
    *,
    bootstrap: Bootstrap,
    confidence: float = CONFIDENCE,
) -> SteeringReport:
    """The effects of the suggestion, with every number the conclusion rests on.

    `bootstrap` is that of the intervals of alpha, which are of 95 % as those of the arms;
    `confidence` is that of the differences. Labels that are never suggested are left out.

    Raises ValueError if the scheme's labels are not those of the ratings.
    """
    if scheme.labels != rows.ratings.label_names:
        raise ValueError("the scheme's labels are not those of the ratings")
    suggested = np.unique(rows.suggestions).tolist()
    together = 1 - (1 - confidence) / len(suggested)
    return SteeringReport(
        overall=_effect(rows, scheme, bootstrap, confidence),
        by_label=tuple(
            _effect(rows, scheme, bootstrap, together, label=label) for label in suggested
        ),
    )


def steering_conclusion(
    rows: SteeringRows, *, margin: float = MARGIN, confidence: float = CONFIDENCE
) -> SteeringConclusion:
    """Whether the suggestion steers; a false alarm has the chance 1 - `confidence`.

    `margin` is the largest difference in agreement that does not matter. Raises ValueError if it is
    not above 0, or `confidence` is not between 0 and 1.
    """
    if not margin > 0:
        raise ValueError(f"margin {margin} is not above 0")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence {confidence} is not between 0 and 1")
    difference, detectable = _difference(rows, confidence)
    verdict, bound = _verdict(difference, detectable, margin)
    return SteeringConclusion(verdict, bound, margin, difference, detectable)


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
        time_ratio=time_ratio(rows, chosen),
    )


def _difference(
    rows: SteeringRows, confidence: float, chosen: Flags | None = None
) -> tuple[Estimate, float | None]:
    """The difference with its interval, and the minimum detectable one."""
    chosen = np.full(rows.ratings.n, True) if chosen is None else chosen
    return share_difference(
        rows.agrees[chosen],
        rows.is_shown[chosen],
        rows.clusters.where(chosen),
        confidence=confidence,
    )


def share_difference(
    successes: Floats, is_shown: Flags, clusters: Clusters, *, confidence: float = CONFIDENCE
) -> tuple[Estimate, float | None]:
    """The share of successes (N,) where shown less that where hidden, and the detectable one.

    `n` is the number of ratings. The minimum detectable difference is None without an interval.
    """
    n = len(successes)
    if is_shown.all() or not is_shown.any():
        missing = "hidden" if is_shown.all() else "shown"
        return undefined(f"no rating was given with the suggestion {missing}", n=n), None
    shown, hidden = successes[is_shown], successes[~is_shown]
    if clusters.why_no_interval:
        value = float(shown.mean() - hidden.mean())
        return Estimate(value=value, n=n, reason=clusters.why_no_interval), None
    floor = _share_variance(shown) + _share_variance(hidden)
    found = clustered_difference(successes, is_shown, clusters, floor=floor)
    detectable = found.minimum_detectable(power=POWER, confidence=confidence)
    low, high = found.interval(confidence)
    # an interval without what no difference can be holds the true one as often, and the least
    # squares may end a rounding beyond
    low, value, high = (min(1.0, max(-1.0, end)) for end in (low, found.value, high))
    return Estimate(value=value, n=n, low=low, high=high, confidence=confidence), detectable


def _share_variance(agrees: Floats) -> float:
    share = _with_one_of_each(agrees)
    return share * (1 - share) / (len(agrees) + 2)


def _with_one_of_each(agrees: Floats) -> float:
    return (float(agrees.sum()) + 1) / (len(agrees) + 2)


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
        agreement = share_estimate(
            mean.value,
            mean.standard_error,
            mean.df,
            n=mean.n,
            alike="all ratings are alike",  # never: the variance has a floor above 0
            typical=_with_one_of_each(agrees),
        )
    patterns = _patterns(rows, chosen, scheme, label)
    alpha = alpha_with_interval(patterns, seed=bootstrap.seed, replicates=bootstrap.replicates)
    return SteeringArm(agreement, alpha, typical_seconds(rows, chosen))


def _patterns(
    rows: SteeringRows, chosen: Flags, scheme: LabelScheme, label: int | None
) -> VotePatterns:
    """The votes of the chosen ratings; of one label as that label against all others."""
    ratings = rows.ratings
    labels = ratings.labels[chosen]
    if label is not None:
        name = scheme.labels[label]
        scheme = LabelScheme((name, f"not {name}"), (1, 0))
        labels = (labels != label).astype(np.int64)
    items = ratings.items[chosen]
    questions = items if rows.questions is None else rows.questions[chosen]
    patterns = patterns_of_labels(scheme, items, questions, labels)
    return patterns if rows.questions is not None else patterns.without_questions()


def _verdict(
    difference: Estimate, detectable: float | None, margin: float
) -> tuple[SteeringVerdict, float | None]:
    low, high = difference.low, difference.high
    if low is None or high is None:
        return "undefined", None
    if low > 0:
        return "steers", low
    if high < 0:
        return "steers-away", high
    if max(-low, high) <= margin:
        return "no-larger-effect", max(-low, high)
    return "cannot-tell", detectable


@dataclass(frozen=True, slots=True)
class LabelShift:
    """The share of the ratings of either arm that have a label, None for an arm without one.

    `difference` is the share shown less that hidden. The intervals of all labels hold together
    (Bonferroni).
    """

    label: str
    shown: float | None
    hidden: float | None
    difference: Estimate


def label_shifts(
    ratings: RatingRows, is_shown: Flags, *, confidence: float = CONFIDENCE
) -> tuple[LabelShift, ...]:
    """The shift of every label, in the order of the ratings' `label_names`; `is_shown` (N,)."""
    clusters = Clusters(ratings.raters, ratings.items)
    together = 1 - (1 - confidence) / len(ratings.label_names)
    shifts = []
    for place, label in enumerate(ratings.label_names):
        has = (ratings.labels == place).astype(float)
        shifts.append(
            LabelShift(
                label,
                _share_with_label(has[is_shown]),
                _share_with_label(has[~is_shown]),
                share_difference(has, is_shown, clusters, confidence=together)[0],
            )
        )
    return tuple(shifts)


def _share_with_label(has: Floats) -> float | None:
    return float(has.mean()) if len(has) else None
