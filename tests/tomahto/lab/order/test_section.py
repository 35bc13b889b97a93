"""The tables of a small campaign beside the measures, and a few cells by hand."""

from dataclasses import replace

import numpy as np
import pytest

from tests.tomahto.lab.classes_of_answers import SCHEME, cap_data, cap_input, judged_item, metric
from tests.tomahto.lab.sections import cells_of, number, table_of
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.estimate import Estimate
from tomahto.lab.order.section import order_section
from tomahto.lab.report import LabInput, Section
from tomahto.ranking.monotonicity import monotonicity
from tomahto.votes.scheme import LabelScheme


@pytest.fixture(scope="module")
def given() -> LabInput:
    return cap_input()


@pytest.fixture(scope="module")
def section(given: LabInput) -> Section:
    return order_section(given)


def test_order_has_the_numbers_of_the_protocol(given: LabInput, section: Section) -> None:
    labels = [item.label for item in given.data.items]
    rows = cells_of(section, "order")
    assert [row["metric"] for row in rows] == ["good", "noise"]
    for row, one in zip(rows, given.scores, strict=True):
        report = monotonicity(labels, one.scores, SCHEME)
        violations = report.as_json()["violations"]
        assert (row["n"], row["violations"], row["judged"]) == (48, violations["count"], 27)
        ambiguous = ["overinclusive-valid", "partial"] in violations["violating_pairs"]
        assert row["unambiguous_violations"] == violations["count"] - ambiguous
        assert row["unambiguous_judged"] == 26
        assert number(row["spearman"]) == report.spearman.value
        assert number(row["kendall_tau_b"]) == report.kendall_tau_b.value
        assert number(row["pairwise_accuracy"]) == report.outcomes.accuracy.value
        assert number(row["violation_rate"]) == violations["rate"]
        pair = next(
            one
            for one in report.pairs
            if (one.higher.label, one.lower.label) == ("equivalent", "partial")
        )
        assert number(row["equivalent_over_partial"]) == pair.outcomes.accuracy.value
        rho = row["spearman"]
        assert isinstance(rho, Estimate)
        assert (rho.replicates, rho.seed) == (30, 5)
        assert rho.low is not None


def test_differences_are_paired(section: Section) -> None:
    [row] = cells_of(section, "order_differences")
    good, noise = cells_of(section, "order")
    assert (row["first"], row["second"]) == ("good", "noise")
    for name in ("spearman", "kendall_tau_b", "pairwise_accuracy", "violation_rate"):
        assert number(row[name]) == pytest.approx(number(good[name]) - number(noise[name]))


def test_class_pairs_are_the_27_and_hard_pairs_the_4(given: LabInput, section: Section) -> None:
    pairs = cells_of(section, "class_pairs")
    assert len(pairs) == 27
    assert {row["n"] for row in pairs} == {36}
    assert [row["pair"] for row in cells_of(section, "hard_pairs")] == [
        "equivalent > partial",
        "overinclusive-valid > partial",
        "overinclusive-valid > overinclusive-invalid",
        "alternative-correct > invalid",
    ]
    assert {(row["higher"], row["lower"]): row["remark"] for row in pairs if row["remark"]} == {
        ("equivalent", "partial"): "hard",
        ("overinclusive-valid", "partial"): "hard, depends on context",
        ("overinclusive-valid", "overinclusive-invalid"): "hard",
        ("alternative-correct", "invalid"): "hard",
    }
    scores = given.scores[0].scores
    is_higher, is_lower = (
        np.array([item.label == label for item in given.data.items])
        for label in ("exact", "contradictory")
    )
    margins = scores[is_higher][:, np.newaxis] - scores[is_lower]
    row = next(row for row in pairs if (row["higher"], row["lower"]) == ("exact", "contradictory"))
    assert number(row["auc_good"]) == pytest.approx(((margins > 0) + (margins == 0) / 2).mean())


def test_violations_are_named_with_their_probability(section: Section) -> None:
    rows = cells_of(section, "violations")
    for name, order in zip(("good", "noise"), cells_of(section, "order"), strict=True):
        violated = [row for row in rows if row["metric"] == name and row["is_violated"] == "yes"]
        assert len(violated) == order["violations"]
    for row in rows:
        if row["is_violated"] == "yes":
            assert number(row["mean_higher"]) <= number(row["mean_lower"])
        else:
            assert number(row["probability"]) >= 0.05
    assert any(row["is_violated"] == "no" for row in rows)


def test_class_means_stand_from_best_to_worst_and_are_drawn(section: Section) -> None:
    rows = cells_of(section, "class_means")
    assert [row["class"] for row in rows] == list(SCHEME.labels)
    assert [row["n"] for row in rows] == [6] * 8
    for chart in section.charts:
        keys = {column.key for column in table_of(section, chart.table).columns}
        assert {chart.label, *chart.series} <= keys
    assert [chart.table for chart in section.charts] == ["class_means", "hard_pairs"]


def test_systems_have_their_owncells_of(given: LabInput, section: Section) -> None:
    rows = cells_of(section, "order_by_system")
    assert [(row["metric"], row["system"], row["n"]) for row in rows] == [
        ("good", "one", 24),
        ("good", "two", 24),
        ("noise", "one", 24),
        ("noise", "two", 24),
    ]
    labels = [item.label for item in given.data.items[1::2]]
    report = monotonicity(labels, given.scores[0].scores[1::2], SCHEME)
    assert number(rows[1]["spearman"]) == report.spearman.value
    means = cells_of(section, "class_means_by_system")[1]
    assert number(means["exact"]) == report.classes[0].mean.value


def test_a_class_without_items_is_undefined_with_its_reason() -> None:
    items = tuple(
        judged_item(place, label, systems=("one",))
        for place, label in enumerate(("exact", "exact", "invalid", "invalid"))
    )
    scores = (metric("m", np.array([0.9, 0.8, 0.2, 0.1])),)
    section = order_section(LabInput(cap_data(items), scores, Bootstrap(20, seed=1)))
    [row] = cells_of(section, "order")
    assert (row["violations"], row["judged"]) == (0, 1)
    [means] = cells_of(section, "class_means_by_system")
    assert means["partial"] == Estimate(value=None, reason="no item is partial", n=0, seed=1)
    assert any(
        "no item is partial" in remark for remark in table_of(section, "class_means").remarks
    )
    assert "order_differences" not in [table.key for table in section.tables]


def test_without_an_order_there_is_a_reason(given: LabInput) -> None:
    two = replace(
        given.data,
        protocol="ae",
        scheme=LabelScheme(("equivalent", "not-equivalent"), (1, 0)),
    )
    section = order_section(replace(given, data=two))
    assert (section.tables, section.reason) == (
        (),
        "the labels of the protocol ae are no order of three or more ranks",
    )
    assert order_section(replace(given, scores=())).reason == "there is no metric"
    nobody = replace(given.data, items=())
    assert order_section(replace(given, data=nobody)).reason == "there is no judged item"


def test_metrics_of_one_name_are_refused(given: LabInput) -> None:
    with pytest.raises(ValueError, match="two metrics are called good"):
        order_section(replace(given, scores=(given.scores[0], given.scores[0])))


def test_one_question_gives_numbers_without_intervals(given: LabInput) -> None:
    items = tuple(replace(item, question_id="q") for item in given.data.items)
    section = order_section(replace(given, data=replace(given.data, items=items)))
    rho = cells_of(section, "order")[0]["spearman"]
    assert isinstance(rho, Estimate)
    assert rho.reason == "one question cannot be resampled into an interval"
    assert rho.low is None
