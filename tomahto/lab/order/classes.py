"""A score as a class: thresholds on the scale of each metric (CAP §8.2)."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tomahto.charts.rows import Shown, count, number, percent, text
from tomahto.charts.table import PaperTable
from tomahto.classes.agreement import ClassAgreement
from tomahto.classes.thresholds import OBJECTIVES, ClassThresholds, calibrate_classes
from tomahto.lab.order.ordered import order_table, why_unordered
from tomahto.lab.report import LabInput, Section, lab_table

KEY, TITLE = "classes", "Scores as classes"
LEAD = (
    "Can a metric name the class of an answer? Thresholds are calibrated on people's labels, and"
    " the classes they give are compared with them."
)


@dataclass(frozen=True, eq=False)
class _MetricClasses:
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


def _calibrated(given: LabInput) -> Iterator[_MetricClasses]:
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
            yield _MetricClasses(one.metric, thresholds, agreement)


def _quality(given: LabInput, judged: list[_MetricClasses]) -> PaperTable:
    return order_table(
        given,
        "classes",
        "Classes given by calibrated thresholds beside people's labels",
        judged,
        text("metric", "Metric", lambda one: one.metric),
        text("objective", "Highest", lambda one: one.thresholds.objective),
        count("tuned_n", "Calibrated on", lambda one: one.thresholds.n),
        count("n", "n", lambda one: one.agreement.n),
        percent("accuracy", "Accuracy", lambda one: one.agreement.accuracy()),
        number("quadratic_kappa", "Quadratic κ", lambda one: one.agreement.quadratic_kappa()),
        notes=(
            f"{_split_note(given)} n is the number of items that are judged. κ weighs a wrong class"
            " by the squared distance of the ranks."
        ),
        after="§8.2",
    )


def _confusion(given: LabInput, judged: list[_MetricClasses]) -> PaperTable:
    labels = given.data.scheme.labels

    def given_class(place: int) -> Shown[tuple[_MetricClasses, str, list[int]]]:
        return count(f"given_{labels[place]}", labels[place], lambda row: row[2][place])

    return order_table(
        given,
        "class_confusion",
        "Classes given by calibrated thresholds, by people's label",
        (
            (one, label, row)
            for one in judged
            for label, row in zip(labels, one.agreement.confusion.tolist(), strict=True)
        ),
        text("metric", "Metric", lambda row: row[0].metric),
        text("objective", "Highest", lambda row: row[0].thresholds.objective),
        text("label", "Label", lambda row: row[1]),
        count("n", "n", lambda row: sum(row[2])),
        percent("given_label", "Given its label", lambda row: row[0].agreement.recall(row[1])),
        *map(given_class, range(len(labels))),
        notes=(
            f"{_split_note(given)} n is the number of items that people gave the label; the last"
            " columns say how many of them the thresholds gave each class."
        ),
        after="§8.2",
    )


def _thresholds(given: LabInput, judged: list[_MetricClasses]) -> PaperTable:
    return lab_table(
        given,
        "class_thresholds",
        "Calibrated thresholds",
        ((one, *start) for one in judged for start in one.thresholds.starts),
        text("metric", "Metric", lambda row: row[0].metric),
        text("objective", "Highest", lambda row: row[0].thresholds.objective),
        text("class", "Class", lambda row: row[1]),
        number("from", "From score", lambda row: row[2]),
        notes=(
            f"{_split_note(given)} A class begins at its score; a class that is not listed is never"
            " given. A score below all of them has the first class."
        ),
        after="CAP, §8.2",
    )


def _split_note(given: LabInput) -> str:
    if given.tune_on is None:
        return (
            "In-sample: thresholds are calibrated and judged on the same items, so that these"
            " figures are too good."
        )
    return f"Thresholds are calibrated on the split {given.tune_on} and judged on the others."
