"""How well metrics agree with people on single items, and whether one does so better."""

from collections.abc import Iterator, Sequence

from tomahto.estimates.estimate import Estimate, undefined
from tomahto.figures.rows import count, number, percent, text
from tomahto.figures.table import PaperTable
from tomahto.figures.table_chart import TableChart
from tomahto.lab.judged_units import NO_RATINGS, Unit
from tomahto.lab.metric_notes import lab_table, metric_names, named
from tomahto.lab.metrics.judged_metric import JudgedMetric, threshold_notes
from tomahto.lab.metrics.metric_differences import differences_table
from tomahto.lab.report import LabInput, Section
from tomahto.scoring.metric_vs_human import THRESHOLD, MetricVsHuman

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
    Tab. 5). The unit is the report's; systems are judged by `tomahto.lab.systems.section`.
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
            "accuracy_own",
            "Accuracy at its own threshold",
            lambda row: row[0].report.judged.accuracy(row[0].scores.threshold, given.bootstrap),
        ),
        percent("accuracy", f"Accuracy at {THRESHOLD}", lambda row: row[1].accuracy),
        number("tuned_threshold", "Tuned threshold", lambda row: _tuned_threshold(row[0])),
        percent(
            "tuned_accuracy", "Accuracy at the tuned threshold", lambda row: row[1].tuned_accuracy
        ),
        number("spearman", "Spearman's rho", lambda row: row[1].spearman),
        number("auc", "AUC", lambda row: row[1].auc),
        notes=(
            _what_n_is(metrics[0].report, given.unit),
            *([_NO_TIES] if given.unit == "ratings" else []),
            *threshold_notes(given),
            *(note for metric in metrics for note in _out_of_reach(metric)),
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


def _out_of_reach(metric: JudgedMetric) -> Iterator[str]:
    if (metric.report.judged.scores < metric.report.threshold.value).all():
        yield f"No item reaches the tuned threshold of {metric.name}: it takes all for wrong."


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
        percent(
            "accuracy_own",
            "Accuracy at its own threshold",
            lambda row: row[2].accuracy(row[1].scores.threshold, bootstrap),
        ),
        percent(
            "accuracy",
            f"Accuracy at {THRESHOLD}",
            lambda row: row[2].accuracy(THRESHOLD, bootstrap),
        ),
        percent(
            "tuned_accuracy",
            "Accuracy at the tuned threshold",
            lambda row: row[2].accuracy(row[1].report.threshold.value, bootstrap),
        ),
        number("spearman", "Spearman's rho", lambda row: row[3].spearman),
        number("auc", "AUC", lambda row: row[3].auc),
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
    accuracy = TableChart(
        kind="points",
        table="metric_quality",
        title="Accuracy of the metrics",
        label="metric",
        series=("accuracy_own", "accuracy", "tuned_accuracy"),
        across="Accuracy",
        up="Metric",
        low=0,
        high=1,
    )
    order = (("spearman", "Spearman's rho", 0.0), ("auc", "AUC (0.5 is chance)", 0.5))
    return accuracy, *(
        TableChart(
            kind="points",
            table="metric_quality",
            title=f"How well scores keep right and wrong items apart: {across}",
            label="metric",
            series=(key,),
            across=across,
            up="Metric",
            low=nothing,
            high=1,
        )
        for key, across, nothing in order
    )
