"""Differences between metrics that were judged on the same items, with paired intervals.

Two metrics of the same items do well on the same questions. Their difference is therefore known
better than the intervals of the two numbers suggest, and is what tells them apart: in every
replicate both metrics are measured on the same drawn questions (Efron and Tibshirani 1993,
section 16.4; for the numbers compared see Bulian 2022, Tab. 4, and CFMatch, Tab. 5).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Literal

import numpy as np

from tomahto.estimates.bootstrap import Bootstrap, cluster_mean, percentile_estimate
from tomahto.estimates.estimate import Estimate, estimate_as_json, undefined
from tomahto.scoring.judged_scores import JudgedScores
from tomahto.scoring.metric_vs_human import THRESHOLD, MetricVsHuman
from tomahto.types import Floats, JsonObject


@dataclass(frozen=True, slots=True)
class MetricDifference:
    """The lead of `first` over `second`; `n` of every estimate is the number of items.

    `accuracy` is at 0.5, `tuned_accuracy` at each metric's own tuned threshold, which stays as it
    is in every replicate.
    """

    first: str
    second: str
    accuracy: Estimate
    tuned_accuracy: Estimate
    spearman: Estimate
    auc: Estimate

    def as_json(self) -> JsonObject:
        return {
            "first": self.first,
            "second": self.second,
            "accuracy": estimate_as_json(self.accuracy),
            "tuned_accuracy": estimate_as_json(self.tuned_accuracy),
            "spearman": estimate_as_json(self.spearman),
            "auc": estimate_as_json(self.auc),
        }


def metric_differences(
    reports: Mapping[str, MetricVsHuman], bootstrap: Bootstrap
) -> tuple[MetricDifference, ...]:
    """The differences of every two metrics, in their order.

    Raises ValueError if the metrics were not judged on the same items.
    """
    first = next(iter(reports.values()), None)
    for name, report in reports.items():
        if first and not _same_items(first.judged, report.judged):
            raise ValueError(f"{name} was judged on other items than the metrics before it")
    compared = [_Compared(name, report, bootstrap) for name, report in reports.items()]
    return tuple(_difference(*pair, bootstrap) for pair in combinations(compared, 2))


def accuracy_difference(
    one: JudgedScores, other: JudgedScores, thresholds: tuple[float, float], bootstrap: Bootstrap
) -> Estimate:
    """The accuracy of `one` less that of `other`, each at its threshold; `n` counts the items.

    The difference of two shares of the same items is one ratio: the sum over questions of what
    the one judged as people did and the other did not, or the reverse, over the items.
    """
    gain = one.agrees(thresholds[0]).astype(np.float64) - other.agrees(thresholds[1])
    return cluster_mean(gain, one.questions, bootstrap, ends=(-1.0, 1.0))


@dataclass(frozen=True)
class _Compared:
    """A metric's report, and AUC and rho of its replicates (2, R), drawn once for all pairs."""

    name: str
    report: MetricVsHuman
    bootstrap: Bootstrap

    @cached_property
    def drawn_order(self) -> Floats:
        return self.report.judged.drawn_order(self.bootstrap)


def _difference(one: _Compared, other: _Compared, bootstrap: Bootstrap) -> MetricDifference:
    judged = one.report.judged, other.report.judged
    tuned = one.report.threshold.value, other.report.threshold.value
    return MetricDifference(
        first=one.name,
        second=other.name,
        accuracy=accuracy_difference(*judged, (THRESHOLD, THRESHOLD), bootstrap),
        tuned_accuracy=accuracy_difference(*judged, tuned, bootstrap),
        spearman=_order_difference(one, other, "spearman", bootstrap),
        auc=_order_difference(one, other, "auc", bootstrap),
    )


def _order_difference(
    one: _Compared, other: _Compared, number: Literal["auc", "spearman"], bootstrap: Bootstrap
) -> Estimate:
    n, values = one.report.judged.n, []
    for metric in (one, other):
        estimate: Estimate = getattr(metric.report.overall, number)
        if estimate.value is None:
            return undefined(f"{metric.name}: {estimate.reason}", n=n, seed=bootstrap.seed)
        values.append(estimate.value)
    difference = values[0] - values[1]
    place, drawn = ("auc", "spearman").index(number), None
    if one.report.judged.clusters > 1:
        drawn = one.drawn_order[place] - other.drawn_order[place]
    return percentile_estimate(
        difference,
        drawn,
        n=n,
        clusters=one.report.judged.clusters,
        bootstrap=bootstrap,
        name="the difference",
    )


def _same_items(one: JudgedScores, other: JudgedScores) -> bool:
    """As far as judgements and questions tell."""
    return np.array_equal(one.is_right, other.is_right) and np.array_equal(
        one.questions, other.questions
    )
