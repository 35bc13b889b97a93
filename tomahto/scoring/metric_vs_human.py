"""A metric against human judgement (Bulian 2022 §4.1.2, Tab. 4 and 5; CFMatch Tab. 5).

Two metrics of the same items do well on the same questions. Their difference is therefore known
better than the intervals of the two numbers suggest, and is what tells them apart: in every
replicate both metrics are measured on the same drawn questions (Efron and Tibshirani 1993,
section 16.4; for the numbers compared see Bulian 2022, Tab. 4, and CFMatch, Tab. 5).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Literal, NamedTuple

import numpy as np

from tomahto.estimates.bootstrap import Bootstrap, cluster_mean, percentile_estimate
from tomahto.estimates.estimate import Estimate, estimate_as_json, fields_as_json, undefined
from tomahto.scoring.judged_scores import JudgedScores
from tomahto.types import Floats, JsonObject

THRESHOLD = 0.5


class JudgedRow(NamedTuple):
    """A metric's score of an item, whether people judged it right, and where it belongs: `systems`
    are all that gave the answer. Unknown ones are None."""

    score: float
    is_right: bool
    question: str | None = None
    systems: tuple[str, ...] | None = None
    split: str | None = None


@dataclass(frozen=True, slots=True)
class MetricQuality:
    """The quality of a metric on some items; `n` of every estimate is their number."""

    n: int
    right: int
    questions: int
    accuracy: Estimate
    tuned_accuracy: Estimate
    spearman: Estimate
    auc: Estimate

    def as_json(self, threshold: "TunedThreshold") -> JsonObject:
        return {
            "n": self.n,
            "right": self.right,
            "questions": self.questions,
            "accuracy": {"threshold": THRESHOLD, **estimate_as_json(self.accuracy)},
            "tuned_accuracy": {**threshold.as_json(), **estimate_as_json(self.tuned_accuracy)},
            "spearman": estimate_as_json(self.spearman),
            "auc": estimate_as_json(self.auc),
        }


@dataclass(frozen=True, slots=True)
class TunedThreshold:
    """The threshold of highest accuracy on the `n` rows of a split.

    Without a split it was tuned on the very rows it is judged on: its accuracy is in-sample and
    too high.
    """

    value: float
    n: int
    split: str | None

    def as_json(self) -> JsonObject:
        return {
            "threshold": self.value,
            "tuned_on": "in-sample" if self.split is None else self.split,
            "tuned_n": self.n,
            "in_sample": self.split is None,
        }


@dataclass(frozen=True, slots=True)
class MetricVsHuman:
    """A metric's quality over all rows that are judged, and by system; `judged` are those rows.

    A row of several systems counts for each of them, and once over all.
    `is_by_question` says whether the intervals come from resampled questions, or, as the rows
    name none, from resampled rows. The tuned threshold is the same for every system.
    """

    is_by_question: bool
    threshold: TunedThreshold
    judged: JudgedScores
    overall: MetricQuality
    by_system: Mapping[str, MetricQuality]

    def as_json(self) -> JsonObject:
        """The report as a JSON object; what is undefined is null beside a "reason"."""
        return {
            **self.overall.as_json(self.threshold),
            "resampled": "questions" if self.is_by_question else "rows",
            "by_system": {
                system: quality.as_json(self.threshold)
                for system, quality in self.by_system.items()
            },
        }


def metric_vs_human(
    rows: Sequence[JudgedRow], *, bootstrap: Bootstrap, tune_on: str | None = None
) -> MetricVsHuman:
    """Accuracy at 0.5 and at the tuned threshold, Spearman's rho and AUC, with intervals.

    An item counts as right if its score is at least the threshold. With `tune_on` the threshold
    is tuned on the rows of that split and everything is measured on the others. Intervals come
    from the bootstrap over questions; where no row names its question, over rows.

    Raises ValueError if there are no rows to measure or to tune on, a score is not finite, or
    only some rows name a question, or a system, or with `tune_on` a split.
    """
    for field in ("question", "systems", *(["split"] if tune_on else [])):
        naming = sum(getattr(row, field) is not None for row in rows)
        if 0 < naming < len(rows):
            what = field.removesuffix("s")
            raise ValueError(f"{naming} of {len(rows)} rows name a {what}: all must, or none")
    tuning = rows if tune_on is None else [row for row in rows if row.split == tune_on]
    measured = rows if tune_on is None else [row for row in rows if row.split != tune_on]
    if tune_on is not None and not tuning:
        raise ValueError(f"no row is of the split {tune_on!r} to tune on")
    if not measured:
        raise ValueError("there is no row to measure the metric on")
    threshold = TunedThreshold(_judged(tuning).tuned_threshold(), len(tuning), tune_on)
    judged = _judged(measured)
    return MetricVsHuman(
        is_by_question=rows[0].question is not None,
        threshold=threshold,
        judged=judged,
        overall=_quality(judged, threshold, bootstrap),
        by_system={
            system: _quality(_judged(those), threshold, bootstrap)
            for system, those in _by_system(measured).items()
        },
    )


def _judged(rows: Sequence[JudgedRow]) -> JudgedScores:
    return JudgedScores.of(
        [row.score for row in rows],
        [row.is_right for row in rows],
        [place if row.question is None else row.question for place, row in enumerate(rows)],
    )


def _by_system(rows: Sequence[JudgedRow]) -> dict[str, list[JudgedRow]]:
    by_system: dict[str, list[JudgedRow]] = {}
    for row in rows:
        for system in row.systems or ():
            by_system.setdefault(system, []).append(row)
    return dict(sorted(by_system.items()))


def _quality(
    judged: JudgedScores, threshold: TunedThreshold, bootstrap: Bootstrap
) -> MetricQuality:
    order = judged.order(bootstrap)
    return MetricQuality(
        n=judged.n,
        right=int(judged.is_right.sum()),
        questions=judged.clusters,
        accuracy=judged.accuracy(THRESHOLD, bootstrap),
        tuned_accuracy=judged.accuracy(threshold.value, bootstrap),
        spearman=order.spearman,
        auc=order.auc,
    )


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
        return fields_as_json(self)


def metric_differences(
    reports: Mapping[str, MetricVsHuman], bootstrap: Bootstrap
) -> tuple[MetricDifference, ...]:
    """The differences of every two metrics, in their order.

    Raises ValueError if the metrics were not judged on the same items.
    """
    judged = [report.judged for report in reports.values()]
    for name, one in zip(reports, judged, strict=True):
        # as far as judgements and questions tell
        is_same = np.array_equal(one.is_right, judged[0].is_right)
        if not is_same or not np.array_equal(one.questions, judged[0].questions):
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
