"""What a person reads of `evaluate monotonicity`."""

from collections.abc import Iterable
from typing import Any

from tasks.management.evaluation.measure import Result

_STATISTICS = ("spearman", "kendall_tau_b", "pairwise_accuracy", "violation_rate")


def describe(result: Result) -> Iterable[str]:
    """One report, or all reports and their differences."""
    if "reports" not in result:
        yield from _report(result)
        return
    yield f"{result['n']} items of {result['questions']} resampled {result['resampled']}"
    for differing in result["differing_labels"]:
        names = " and ".join(differing["sources"])
        yield f"labels that differ between {names}: {differing['differ']} of {differing['n']}"
    for report in result["reports"]:
        yield f"{report['metric']} by {report['source']}:"
        yield from (f"  {line}" for line in _report(report))
    for difference in (*result["differences_of_sources"], *result["differences_of_metrics"]):
        where = difference.get("metric") or difference.get("source")
        yield f"{difference['second']} less {difference['first']}, {where}:"
        for name in _STATISTICS:
            yield f"  {_words(name)}: {interval_text(difference[name])}"


def interval_text(estimate: Result) -> str:
    """The value with its interval, or why there is none."""
    if estimate["low"] is None:
        return f"{estimate['value']} ({estimate['reason']})"
    return f"{estimate['value']} [{estimate['low']}, {estimate['high']}]"


def _report(result: Result) -> Iterable[str]:
    yield f"{result['n']} items"
    for name in _STATISTICS[:3]:
        yield f"{_words(name)}: {result[name]}"
    for name in ("violations", "violations_without_ambiguous"):
        violations = result[name]
        violating = "; ".join(" > ".join(pair) for pair in violations["violating_pairs"])
        share = f"{violations['count']} of {violations['judged']} ({violations['counted']} counted)"
        yield f"{_words(name)}: {share} {violating}".rstrip()
    for pair in result["hard_pairs"]:
        yield f"{pair['higher']} > {pair['lower']}: accuracy {pair['accuracy']}, AUC {pair['auc']}"
    for one in result["classes"]:
        yield f"mean of {one['class']}: {one['mean']} (n = {one['n']})"
    yield from _intervals(result.get("intervals"))
    if sampled := result.get("sampled_pairs"):
        drawn = f"{sampled['n']} of {sampled['available']} pairs"
        yield f"pairwise accuracy of {drawn} (seed {sampled['seed']}): {sampled['accuracy']}"


def _intervals(intervals: dict[str, Any] | None) -> Iterable[str]:
    if not intervals:
        return
    for name in _STATISTICS:
        yield f"{_words(name)}, 95 % interval: {interval_text(intervals[name])}"
    for pair in intervals["pairs"]:
        if probability := pair["violation_probability"]["value"]:
            yield f"{pair['higher']} > {pair['lower']}: violated in {probability} of the replicates"


def _words(name: str) -> str:
    return name.replace("_", " ")
