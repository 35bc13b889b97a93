"""The sections of a report, and the report they make."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping

import numpy as np

from exporters.paper.table import Column, PaperTable
from lab.judged import JudgedData, JudgedItem
from lab.report import LabInput, LabReport, MetricSignature, Section, TableChart
from lab.scores import MetricScores
from measures.bootstrap import drawn_ratios, percentile_estimate
from measures.estimate import Estimate


def data_section(given: LabInput) -> Section:
    """What was judged, and how often each metric says the same."""
    data = given.data
    labels = Counter(item.label for item in data.items)
    counts = PaperTable(
        key="labels",
        title="Items by label",
        columns=(Column("label", "Label", "text"), Column("items", "Items"), _share("share")),
        rows=tuple(
            (label, labels[label], labels[label] / len(data.items)) for label in data.scheme.labels
        ),
        notes=(f"n = {len(data.items):,} items of {len(data.questions):,} questions.",),
        source=data.name,
    )
    agreement = PaperTable(
        key="metrics",
        title="Accuracy of each metric at its threshold",
        columns=(
            Column("metric", "Metric", "text"),
            Column("threshold", "Threshold", "number"),
            _share("accuracy"),
            Column("items", "n"),
        ),
        rows=tuple(
            (each.metric, each.threshold, _accuracy(given, each), len(data.items))
            for each in given.scores
        ),
        notes=("95 % intervals of a bootstrap over questions.",),
        source=data.name,
    )
    charts = (
        TableChart("bars", "labels", "Items by label", "label", ("items",), "Items", ""),
        TableChart(
            "points", "metrics", "Accuracy by metric", "metric", ("accuracy",), "Accuracy", "", 0, 1
        ),
    )
    return Section(
        "data", "The data", "What was judged, and what metrics say.", (counts, agreement), charts
    )


SECTIONS: Mapping[str, Callable[[LabInput], Section]] = {"data": data_section}


def make_report(
    given: LabInput,
    sections: Collection[str] | None = None,
    report: Callable[[int, int, str], None] = lambda _done, _total, _key: None,
) -> LabReport:
    """The sections of these keys, or all. `report` is told how many are done, how many there are,
    and the key of the next."""
    check_sections(sections)
    check_split(given.data, given.tune_on)
    keys = [key for key in SECTIONS if sections is None or key in sections]
    made = []
    for done, key in enumerate(keys):
        report(done, len(keys), key)
        made.append(SECTIONS[key](given))
    report(len(keys), len(keys), "")
    return LabReport(
        name=given.data.name,
        protocol=given.data.protocol,
        digest=given.data.digest,
        items=len(given.data.items),
        metrics=tuple(
            MetricSignature(each.metric, each.version, each.threshold) for each in given.scores
        ),
        seed=given.bootstrap.seed,
        replicates=given.bootstrap.replicates,
        tune_on=given.tune_on,
        sections=tuple(made),
    )


def check_sections(sections: Collection[str] | None) -> None:
    """Raises ValueError if there is no such section, naming those there are."""
    for key in sections or ():
        if key not in SECTIONS:
            raise ValueError(f"no section {key!r}; there are {', '.join(SECTIONS)}")


def check_split(data: JudgedData, tune_on: str | None) -> None:
    """Raises ValueError if thresholds cannot be tuned on the split, because no item is of it or
    none is left to judge what was tuned."""
    splits = sorted({item.split for item in data.items})
    if tune_on is None:
        return
    if tune_on not in splits:
        there = ", ".join(filter(None, splits)) or "no splits"
        raise ValueError(f"no item is of the split {tune_on!r} to tune on; there are {there}")
    if len(splits) == 1:
        raise ValueError(f"every item is of the split {tune_on!r}: none is left to judge")


def _share(key: str) -> Column:
    return Column(key, key.capitalize(), "percent")


def _accuracy(given: LabInput, scores: MetricScores) -> Estimate:
    hits: Counter[str] = Counter()
    for item, score in zip(given.data.items, scores.scores, strict=True):
        hits[item.question_id] += _is_hit(item, score >= scores.threshold)
    sizes = given.data.questions
    rights = np.array([hits[question] for question in sizes], dtype=np.float64)
    totals = np.array(list(sizes.values()), dtype=np.float64)
    drawn = drawn_ratios(rights, totals, given.bootstrap)
    value = float(rights.sum() / totals.sum())
    return percentile_estimate(value, drawn, n=len(given.data.items), bootstrap=given.bootstrap)


def _is_hit(item: JudgedItem, says_right: bool) -> bool:
    return item.is_right == bool(says_right)
