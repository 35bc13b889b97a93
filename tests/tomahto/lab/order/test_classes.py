"""Thresholds by hand, and the split they are judged on."""

from dataclasses import replace

import numpy as np
import pytest

from tests.tomahto.lab.classes_of_answers import SCHEME, cap_data, cap_input, judged_item, metric
from tests.tomahto.lab.sections import cells_of, number
from tomahto.classes.thresholds import calibrate_classes
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.estimate import Estimate
from tomahto.lab.order.classes import classes_section
from tomahto.lab.report import LabInput


def test_thresholds_are_calibrated_on_the_split_and_judged_elsewhere() -> None:
    # dev: exact from 0.9, contradictory below; test has one item on the wrong side.
    labels = ["exact", "contradictory"] * 12 + ["exact", "contradictory", "exact"]
    scores = np.array([0.9, 0.1] * 12 + [0.8, 0.3, 0.2])
    items = tuple(judged_item(place, label) for place, label in enumerate(labels))
    given = LabInput(cap_data(items), (metric("m", scores),), Bootstrap(20, seed=1), "dev")
    section = classes_section(given)
    quality = cells_of(section, "classes")
    assert [(row["objective"], row["tuned_n"], row["n"]) for row in quality] == [
        ("accuracy", 24, 3),
        ("quadratic-kappa", 24, 3),
    ]
    assert number(quality[0]["accuracy"]) == pytest.approx(2 / 3)
    # Ranks 7 and 0: of 3 items one is 49 off. By chance (exact 2, contradictory 1; given 1, 2):
    # 49 (2 * 2 + 1 * 1) / 3; kappa = 1 - 3 / 5.
    assert number(quality[0]["quadratic_kappa"]) == pytest.approx(0.4)
    starts = [(row["class"], row["from"]) for row in cells_of(section, "class_thresholds")[:2]]
    assert starts == [("contradictory", 0.0), ("exact", 0.5)]
    confusion = cells_of(section, "class_confusion")
    exact = next(row for row in confusion if row["label"] == "exact")
    assert (exact["n"], exact["given_exact"], exact["given_contradictory"]) == (2, 1, 1)
    assert any("calibrated on the split dev" in note for note in section.tables[0].notes)


def test_without_a_split_the_tables_say_in_sample() -> None:
    given = cap_input()
    section = classes_section(given)
    assert all(any("In-sample" in note for note in table.notes) for table in section.tables)
    labels = [item.label for item in given.data.items]
    for row, objective in zip(
        cells_of(section, "classes")[:2], ("accuracy", "quadratic-kappa"), strict=True
    ):
        expected = calibrate_classes(given.scores[0].scores.tolist(), labels, SCHEME, objective)  # type: ignore[arg-type]  # parametrized
        value = row["accuracy" if objective == "accuracy" else "quadratic_kappa"]
        assert isinstance(value, Estimate)
        assert value.value == pytest.approx(expected.value)
        assert value.low is not None
    confusion = cells_of(section, "class_confusion")
    assert sum(row["n"] for row in confusion) == 4 * 48  # type: ignore[misc]  # a count


@pytest.mark.parametrize(
    ("tune_on", "reason"),
    [("train", "no item is of the split train to calibrate on"), (None, "there is no metric")],
)
def test_classes_say_why_there_are_none(tune_on: str | None, reason: str) -> None:
    given = cap_input(tune_on=tune_on)
    scores = given.scores if tune_on else ()
    assert classes_section(replace(given, scores=scores)).reason == reason


def test_a_split_without_others_or_of_one_rank_gives_no_classes() -> None:
    given = cap_input(tune_on="dev")
    dev = tuple(item for item in given.data.items if item.split == "dev")
    scores = tuple(metric(one.metric, one.scores[:24]) for one in given.scores)
    alone = replace(given, data=cap_data(dev), scores=scores)
    assert classes_section(alone).reason == (
        "every item is of the split dev, none is left to judge the classes on"
    )
    items = tuple(judged_item(place, "exact") for place in range(48))
    assert classes_section(replace(given, data=cap_data(items))).reason == (
        "all items to calibrate on have labels of one rank"
    )
