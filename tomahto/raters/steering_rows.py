"""Ratings with the suggestion of their items, whether the rater saw it, and the time.

Times of ratings have a long tail, so their logarithms are averaged: what doubles a short time
counts as much as what doubles a long one.
"""

import math
from dataclasses import dataclass

import numpy as np

from tomahto.estimates.estimate import Estimate, undefined
from tomahto.estimates.two_way_clusters import Clusters, clustered_difference, clustered_mean
from tomahto.types import Flags, Floats, Integers
from tomahto.votes.rating_rows import RatingRows


@dataclass(frozen=True, eq=False)
class SteeringRows:
    """Ratings, and for each (N,) whether the suggestion was shown, which it was, and the time.

    `suggestions` are places in the ratings' `label_names`; `seconds` is NaN where the time is
    unknown. `questions` numbers the question of each rating's item, if questions are known.

    Raises ValueError if the arrays differ in length or a suggestion is no label.
    """

    ratings: RatingRows
    is_shown: Flags
    suggestions: Integers
    seconds: Floats
    questions: Integers | None = None

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


def typical_seconds(rows: SteeringRows, chosen: Flags) -> Estimate:
    """The geometric mean of the chosen ratings' times; `n` counts those known and above 0."""
    timed = _timed(rows, chosen)
    n = int(timed.sum())
    if not n:
        return undefined("no rating has a time", n=0)
    logs, clusters = np.log(rows.seconds[timed]), rows.clusters.where(timed)
    if reason := clusters.why_no_interval:
        return Estimate(value=math.exp(float(logs.mean())), n=n, reason=reason)
    found = clustered_mean(logs, clusters)
    low, high = (math.exp(end) for end in found.interval())
    return Estimate(value=math.exp(found.value), n=n, low=low, high=high)


def time_ratio(rows: SteeringRows, chosen: Flags) -> Estimate:
    """The ratio of the times of a chosen rating with the suggestion and without.

    By the geometric mean and within raters; `n` is as for `typical_seconds`.
    """
    timed = _timed(rows, chosen)
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


def _timed(rows: SteeringRows, chosen: Flags) -> Flags:
    timed: Flags = chosen & np.isfinite(rows.seconds) & (rows.seconds > 0)
    return timed
