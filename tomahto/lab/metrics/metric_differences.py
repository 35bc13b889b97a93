"""Differences between metrics, and conclusions from them."""

from collections.abc import Sequence

from tomahto.estimates.estimate import Estimate
from tomahto.figures.rows import count, number, percent, text
from tomahto.figures.table import PaperTable
from tomahto.lab.metric_notes import by_chance, lab_table, named
from tomahto.lab.metrics.judged_metric import JudgedMetric, threshold_notes
from tomahto.lab.report import LabInput
from tomahto.scoring.metric_differences import MetricDifference, metric_differences
from tomahto.scoring.metric_vs_human import THRESHOLD

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
        percent("accuracy", f"Accuracy at {THRESHOLD}", lambda found: found.accuracy),
        percent(
            "tuned_accuracy",
            "Accuracy at the tuned threshold",
            lambda found: found.tuned_accuracy,
        ),
        number("spearman", "Spearman's rho", lambda found: found.spearman),
        number("auc", "AUC", lambda found: found.auc),
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
    """Which of the two is better in what, as far as the intervals tell."""
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
