"""How long ratings take with the suggestion shown and hidden, by geometric means.

Times of ratings have a long tail, so their logarithms are averaged: what doubles a short time
counts as much as what doubles a long one.
"""

import math

import numpy as np

from tomahto.estimates.estimate import Estimate, undefined
from tomahto.estimates.two_way_clusters import clustered_difference, clustered_mean
from tomahto.raters.steering_rows import SteeringRows
from tomahto.types import Flags


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
    """How many times as long a chosen rating takes with the suggestion as without.

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
