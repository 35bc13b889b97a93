"""A score as a class: thresholds on the scale of each metric (CAP §8.2)."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tomahto.classes.agreement import ClassAgreement
from tomahto.classes.thresholds import OBJECTIVES, ClassThresholds, calibrate_classes
from tomahto.figures.table import Cell, Column, PaperTable
from tomahto.lab.order.ordered import intervals_note, judged_source, why_unordered
from tomahto.lab.report import LabInput, Section
from tomahto.votes.scheme import LabelScheme

KEY, TITLE = "classes", "Scores as classes"
LEAD = (
    "Can a metric name the class of an answer? Thresholds are calibrated on people's labels, and"
    " the classes they give are compared with them."
)
_METRIC_COLUMNS = (
    Column("metric", "Metric", "text"),
    Column("objective", "Highest", "text"),
)


@dataclass(frozen=True, eq=False)
class _Given:
    """The classes a metric gives: its thresholds, and how they fit the labels."""

    metric: str
    thresholds: ClassThresholds
    agreement: ClassAgreement


def classes_section(given: LabInput) -> Section:
    """Calibrated on the items of `tune_on` and judged on the others; without it on the same."""
    reason = why_unordered(given.data) or _why_uncalibrated(given)
    if reason:
        return Section(KEY, TITLE, LEAD, (), reason=reason)
    judged = list(_calibrated(given))
    tables = (_quality(given, judged), _confusion(given, judged), _thresholds(given, judged))
    return Section(KEY, TITLE, LEAD, tables)


def _why_uncalibrated(given: LabInput) -> str:
    tuning, judged = _parts(given)
    if not given.scores:
        return "there is no metric"
    if not len(tuning):
        return f"no item is of the split {given.tune_on} to calibrate on"
    if not len(judged):
        return f"every item is of the split {given.tune_on}, none is left to judge the classes on"
    rank_of = given.data.scheme.rank_of
    if len({rank_of[given.data.items[place].label] for place in tuning}) == 1:
        return "all items to calibrate on have labels of one rank"
    return ""


def _parts(given: LabInput) -> tuple[list[int], list[int]]:
    """The places of the items to calibrate on and of those to judge on."""
    everything = list(range(len(given.data.items)))
    if given.tune_on is None:
        return everything, everything
    is_tuning = [item.split == given.tune_on for item in given.data.items]
    return np.flatnonzero(is_tuning).tolist(), np.flatnonzero(np.logical_not(is_tuning)).tolist()


def _calibrated(given: LabInput) -> Iterator[_Given]:
    """Every metric with every objective."""
    tuning, judged = _parts(given)
    items, scheme = given.data.items, given.data.scheme
    for one in given.scores:
        for objective in OBJECTIVES:
            thresholds = calibrate_classes(
                one.scores[tuning].tolist(),
                [items[place].label for place in tuning],
                scheme,
                objective,
            )
            agreement = ClassAgreement.of(
                [items[place].label for place in judged],
                [thresholds.class_of(score) for score in one.scores[judged].tolist()],
                [items[place].question_id for place in judged],
                scheme,
                given.bootstrap,
            )
            yield _Given(one.metric, thresholds, agreement)


def _quality(given: LabInput, judged: list[_Given]) -> PaperTable:
    return PaperTable(
        key="classes",
        title="Classes given by calibrated thresholds beside people's labels",
        columns=(
            *_METRIC_COLUMNS,
            Column("tuned_n", "Calibrated on"),
            Column("n", "n"),
            Column("accuracy", "Accuracy", "percent"),
            Column("quadratic_kappa", "Quadratic κ", "number"),
        ),
        rows=tuple(
            (
                one.metric,
                one.thresholds.objective,
                one.thresholds.n,
                one.agreement.n,
                one.agreement.accuracy(),
                one.agreement.quadratic_kappa(),
            )
            for one in judged
        ),
        notes=(
            (
                f"{_where(given)} n is the number of items that are judged. κ weighs a wrong class"
                " by the squared distance of the ranks."
            ),
            intervals_note(given.bootstrap),
        ),
        source=judged_source(given.data, "§8.2"),
    )


def _confusion(given: LabInput, judged: list[_Given]) -> PaperTable:
    scheme = given.data.scheme
    return PaperTable(
        key="class_confusion",
        title="Classes given by calibrated thresholds, by people's label",
        columns=(
            *_METRIC_COLUMNS,
            Column("label", "Label", "text"),
            Column("n", "n"),
            Column("given_label", "Given its label", "percent"),
            *(Column(f"given_{label}", label) for label in scheme.labels),
        ),
        rows=tuple(row for one in judged for row in _confusion_rows(one, scheme)),
        notes=(
            (
                f"{_where(given)} n is the number of items that people gave the label; the last"
                " columns say how many of them the thresholds gave each class."
            ),
            intervals_note(given.bootstrap),
        ),
        source=judged_source(given.data, "§8.2"),
    )


def _confusion_rows(one: _Given, scheme: LabelScheme) -> Iterator[tuple[Cell, ...]]:
    for label, row in zip(scheme.labels, one.agreement.confusion.tolist(), strict=True):
        recall = one.agreement.recall(label)
        yield (one.metric, one.thresholds.objective, label, sum(row), recall, *row)


def _thresholds(given: LabInput, judged: list[_Given]) -> PaperTable:
    return PaperTable(
        key="class_thresholds",
        title="Calibrated thresholds",
        columns=(
            *_METRIC_COLUMNS,
            Column("class", "Class", "text"),
            Column("from", "From score", "number"),
        ),
        rows=tuple(
            (one.metric, one.thresholds.objective, label, start)
            for one in judged
            for label, start in one.thresholds.starts
        ),
        notes=(
            (
                f"{_where(given)} A class begins at its score; a class that is not listed is never"
                " given. A score below all of them has the first class."
            ),
        ),
        source=judged_source(given.data, "§8.2"),
    )


def _where(given: LabInput) -> str:
    if given.tune_on is None:
        return (
            "In-sample: thresholds are calibrated and judged on the same items, so that these"
            " figures are too good."
        )
    return f"Thresholds are calibrated on the split {given.tune_on} and judged on the others."
