"""A metric against human judgement (Bulian 2022 §4.1.2, Tab. 4 and 5; CFMatch Tab. 5)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.estimate import Estimate, estimate_as_json
from tomahto.scoring.judged_scores import JudgedScores
from tomahto.types import JsonObject

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
    """How a metric does on some items; `n` of every estimate is their number."""

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
        _check_all_or_none(rows, field)
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


def _check_all_or_none(rows: Sequence[JudgedRow], field: str) -> None:
    naming = sum(getattr(row, field) is not None for row in rows)
    if 0 < naming < len(rows):
        what = field.removesuffix("s")
        raise ValueError(f"{naming} of {len(rows)} rows name a {what}: all must, or none")


def _judged(rows: Sequence[JudgedRow]) -> JudgedScores:
    return JudgedScores.of(
        [row.score for row in rows],
        [row.is_right for row in rows],
        [place if row.question is None else row.question for place, row in enumerate(rows)],
    )


def _by_system(rows: Sequence[JudgedRow]) -> dict[str, list[JudgedRow]]:
    """The rows of each system, systems by name; nothing where rows name none."""
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
