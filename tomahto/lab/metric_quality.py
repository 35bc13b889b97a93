"""The agreement of metrics with people on single items, and whether one agrees better."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from tomahto.charts.chart_data import TableChart
from tomahto.charts.rows import count, number, percent, text
from tomahto.charts.table import PaperTable
from tomahto.estimates.estimate import Estimate, undefined
from tomahto.lab.judged import NO_RATINGS, UNIT_NAMES, JudgedUnit, Unit, judged_units
from tomahto.lab.report import (
    LabInput,
    MetricScores,
    Section,
    by_chance,
    interval_note,
    lab_table,
    metric_names,
    named,
    points_chart,
)
from tomahto.scoring.judged_scores import JudgedScores
from tomahto.scoring.metric_vs_human import (
    THRESHOLD,
    JudgedRow,
    MetricDifference,
    MetricVsHuman,
    metric_differences,
    metric_vs_human,
)

_TITLE = "Metrics against people"
_LEAD = (
    "How often does a metric judge an answer as people did, does its score keep right and wrong"
    " ones apart, and are two metrics really different?"
)

_NO_TIES = (
    "Ratings of items that have no label, as those of a campaign's tied items, are not counted."
)


def metric_quality_section(given: LabInput) -> Section:
    """Tables `metric_quality`, `metric_quality_by_system` where items name systems, and
    `metric_differences` where there are several metrics (Bulian 2022, Tab. 4, 5 and 9; CFMatch,
    Tab. 5). The unit is the report's; systems are judged by `tomahto.lab.systems`.
    """
    if reason := _why_not(given):
        return Section("metric_quality", _TITLE, _LEAD, (), reason=reason)
    metrics = [
        JudgedMetric(name, scores, given)
        for name, scores in zip(metric_names(given.scores), given.scores, strict=True)
    ]
    tables = [_quality(given, metrics)]
    if any(given.data.items[unit.place].systems for unit in metrics[0].judged):
        tables.append(_by_system(given, metrics))
    if len(metrics) > 1:
        tables.append(differences_table(given, metrics))
    return Section("metric_quality", _TITLE, _LEAD, tuple(tables), _charts())


def _why_not(given: LabInput) -> str:
    if not given.data.items:
        return "no item is judged"
    if not given.scores:
        return "no metric has scored the items"
    if given.unit == "ratings" and given.data.votes is None:
        return NO_RATINGS
    if given.tune_on is None:
        return ""
    tuning = sum(item.split == given.tune_on for item in given.data.items)
    if not tuning:
        return f"no item is of the split {given.tune_on} to tune thresholds on"
    if tuning == len(given.data.items):
        return f"every item is of the split {given.tune_on} that thresholds are tuned on"
    return ""


@dataclass(frozen=True, eq=False)
class JudgedMetric:
    """A metric with its report. `units` are all judgements, `judged` those that it is judged on."""

    name: str
    scores: MetricScores
    given: LabInput

    @cached_property
    def units(self) -> Sequence[JudgedUnit]:
        return judged_units(self.given.data, self.given.unit)

    @cached_property
    def judged(self) -> Sequence[JudgedUnit]:
        items, tune_on = self.given.data.items, self.given.tune_on
        return [
            unit for unit in self.units if tune_on is None or items[unit.place].split != tune_on
        ]

    @cached_property
    def report(self) -> MetricVsHuman:
        items, scores = self.given.data.items, self.scores.scores.tolist()
        rows = [
            JudgedRow(scores[place], is_right, items[place].question_id, None, items[place].split)
            for place, is_right in self.units
        ]
        bootstrap, tune_on = self.given.bootstrap, self.given.tune_on
        return metric_vs_human(rows, bootstrap=bootstrap, tune_on=tune_on)

    def of_system(self, system: str) -> JudgedScores | None:
        """A system's judgements that the metric is judged on, if there are any."""
        items = self.given.data.items
        units = [unit for unit in self.judged if system in items[unit.place].systems]
        if not units:
            return None
        return JudgedScores.of(
            [float(self.scores.scores[unit.place]) for unit in units],
            [unit.is_right for unit in units],
            [items[unit.place].question_id for unit in units],
        )


_OWN_ACCURACY = "accuracy_own", "Accuracy at its own threshold"
_ACCURACY = "accuracy", f"Accuracy at {THRESHOLD}"
_TUNED = "tuned_accuracy", "Accuracy at the tuned threshold"
_RHO, _AUC = ("spearman", "Spearman's rho"), ("auc", "AUC")
"""Keys and titles of columns."""


def _quality(given: LabInput, metrics: Sequence[JudgedMetric]) -> PaperTable:
    return lab_table(
        given,
        "metric_quality",
        f"Metrics against people's judgement ({named(given)})",
        ((metric, metric.report.overall) for metric in metrics),
        text("metric", "Metric", lambda row: row[0].name),
        count("n", "n", lambda row: row[1].n),
        number("threshold", "Own threshold", lambda row: row[0].scores.threshold),
        percent(
            *_OWN_ACCURACY,
            lambda row: row[0].report.judged.accuracy(row[0].scores.threshold, given.bootstrap),
        ),
        percent(*_ACCURACY, lambda row: row[1].accuracy),
        number("tuned_threshold", "Tuned threshold", lambda row: _tuned_threshold(row[0])),
        percent(*_TUNED, lambda row: row[1].tuned_accuracy),
        number(*_RHO, lambda row: row[1].spearman),
        number(*_AUC, lambda row: row[1].auc),
        notes=(
            _what_n_is(metrics[0].report, given.unit),
            *([_NO_TIES] if given.unit == "ratings" else []),
            *threshold_notes(given),
            *(
                f"No item reaches the tuned threshold of {metric.name}: it takes all for wrong."
                for metric in metrics
                if (metric.report.judged.scores < metric.report.threshold.value).all()
            ),
        ),
        after="Bulian et al. (2022), Tab. 4 and 9, and CFMatch, Tab. 5",
    )


def _tuned_threshold(metric: JudgedMetric) -> float | Estimate:
    """No number if it is just above all scores: readers would see the highest of them."""
    value = metric.report.threshold.value
    if value in metric.scores.scores:
        return value
    reason = f"the tuned threshold of {metric.name} is above all scores that it was tuned on"
    return undefined(reason, n=metric.report.overall.n)


def _what_n_is(report: MetricVsHuman, unit: Unit) -> str:
    overall = report.overall
    commoner = max(overall.right, overall.n - overall.right) / overall.n
    return (
        f"n is the number of {unit}, of {overall.questions:,} questions; people judged "
        f"{overall.right:,} of them right. Always choosing the commoner of the two agrees with "
        f"people in {100 * commoner:.1f} % of the {unit}."
    )


def _by_system(given: LabInput, metrics: Sequence[JudgedMetric]) -> PaperTable:
    bootstrap = given.bootstrap
    return lab_table(
        given,
        "metric_quality_by_system",
        f"Metrics against people's judgement of each system ({named(given)})",
        (
            (system, metric, judged, judged.order(bootstrap))
            for system in given.data.systems
            for metric in metrics
            if (judged := metric.of_system(system))
        ),
        text("system", "System", lambda row: row[0]),
        text("metric", "Metric", lambda row: row[1].name),
        count("n", "n", lambda row: row[2].n),
        count("right", "Judged right", lambda row: int(row[2].is_right.sum())),
        percent(*_OWN_ACCURACY, lambda row: row[2].accuracy(row[1].scores.threshold, bootstrap)),
        percent(*_ACCURACY, lambda row: row[2].accuracy(THRESHOLD, bootstrap)),
        percent(*_TUNED, lambda row: row[2].accuracy(row[1].report.threshold.value, bootstrap)),
        number(*_RHO, lambda row: row[3].spearman),
        number(*_AUC, lambda row: row[3].auc),
        notes=(
            (
                f"n is the number of {given.unit}; an item of several systems counts for each, and"
                " one of no system for none. The tuned threshold of a metric is the same for all"
                " systems."
            ),
            *threshold_notes(given),
        ),
        after="Bulian et al. (2022), Tab. 5",
    )


def _charts() -> tuple[TableChart, ...]:
    chart = partial(points_chart, "metric_quality")
    title = "How well scores keep right and wrong items apart"
    rho, auc = "Spearman's rho", "AUC (0.5 is chance)"
    accuracies = ("accuracy_own", "accuracy", "tuned_accuracy")
    return (
        chart("Accuracy of the metrics", "metric", accuracies, "Accuracy"),
        chart(f"{title}: {rho}", "metric", ("spearman",), rho, ends=(0.0, 1)),
        chart(f"{title}: {auc}", "metric", ("auc",), auc, ends=(0.5, 1)),
    )


def threshold_notes(given: LabInput) -> tuple[str, ...]:
    """The tuning of thresholds, and the meaning of the intervals."""
    tuned = (
        f"The tuned threshold is that of highest accuracy on these very {given.unit}"
        " (in-sample), so its"
        " accuracy is too high."
        if given.tune_on is None
        else (
            f"The tuned threshold is that of highest accuracy on the split {given.tune_on}, of"
            f" which no {UNIT_NAMES[given.unit]} is counted here."
        )
    )
    return (
        (
            f"An item is right to a metric that scores it at the threshold or above. {tuned}"
            " It stays as it is in all replicates."
        ),
        interval_note(given.bootstrap),
    )


_CRITERIA = {
    "accuracy": f"accuracy at {THRESHOLD}",
    "tuned_accuracy": "accuracy at the tuned threshold",
    "spearman": "rho",
    "auc": "AUC",
}


def differences_table(given: LabInput, metrics: Sequence[JudgedMetric]) -> PaperTable:
    """`metric_differences`: every two metrics, in their order (Bulian 2022, Tab. 4)."""
    reports = {metric.name: metric.report for metric in metrics}
    differences = metric_differences(reports, given.bootstrap)
    return lab_table(
        given,
        "metric_differences",
        f"Differences between metrics ({named(given)})",
        differences,
        text("first", "Metric", lambda found: found.first),
        text("second", "less metric", lambda found: found.second),
        count("n", "n", lambda found: found.accuracy.n),
        percent(*_ACCURACY, lambda found: found.accuracy),
        percent(*_TUNED, lambda found: found.tuned_accuracy),
        number(*_RHO, lambda found: found.spearman),
        number(*_AUC, lambda found: found.auc),
        text("conclusion", "Conclusion", _conclusion),
        notes=(
            (
                f"n is the number of {given.unit}. Both metrics are measured on the same drawn"
                " questions, so the intervals are those of the difference. An interval that holds 0"
                " does not tell the two metrics apart; it does not show that they are equal either."
            ),
            by_chance(len(differences), "metrics"),
            *threshold_notes(given),
        ),
        after="Bulian et al. (2022), Tab. 4, and CFMatch, Tab. 5",
    )


def _conclusion(difference: MetricDifference) -> str:
    """The better of two metrics by each criterion, as far as the intervals tell."""
    found: dict[str, list[str]] = {}
    for name, criterion in _CRITERIA.items():
        verdict = _verdict(difference.first, difference.second, getattr(difference, name))
        found.setdefault(verdict, []).append(criterion)
    return "; ".join(f"{verdict}: {', '.join(names)}" for verdict, names in found.items())


def _verdict(first: str, second: str, estimate: Estimate) -> str:
    if estimate.low is None or estimate.high is None:
        return "not known"
    if estimate.low > 0:
        return f"{first} is better"
    return f"{second} is better" if estimate.high < 0 else "not told apart"
