"""The section says what the trials found, in the layout of Tab. 8 and Fig. 2."""

from fractions import Fraction

import numpy as np
import pytest

from tomahto.charts.table_text import markdown_table
from tomahto.conformal.answer_sets import CandidateTable
from tomahto.conformal.trials import ConformalTrials, TrialPlan, conformal_trials, set_figures
from tomahto.lab.answer_sets import (
    CURVE_TARGETS,
    TABLE_8_TARGETS,
    admission_tables,
    answer_sets_section,
)
from tomahto.lab.report import MetricSignature, RankedCandidates

MATCHER = MetricSignature("f1", "f1|v1", 0.5)


def _tables(questions: int = 100) -> tuple[CandidateTable, CandidateTable]:
    generator = np.random.default_rng(4)
    scores = np.sort(generator.normal(size=(questions, 5)), axis=1)
    admissible = generator.random(scores.shape) < 0.5
    admissible[:3] = False
    admissible[3:, 4] = True
    present = np.ones_like(admissible)
    admitted = admissible | (generator.random(scores.shape) < 0.02)
    return (
        CandidateTable(scores, admissible, present),
        CandidateTable(scores, admitted, present),
    )


@pytest.fixture(scope="module")
def trials() -> ConformalTrials:
    exact, approximate = _tables()
    return conformal_trials(exact, CURVE_TARGETS, TrialPlan(trials=5), approximate=approximate)


def test_answer_sets_are_a_table_of_targets_by_ways_of_calibrating(trials: ConformalTrials) -> None:
    section = answer_sets_section(
        trials, targets=TABLE_8_TARGETS, source="nbest.jsonl", matcher=MATCHER
    )
    table, curve = section.tables
    assert [column.key for column in table.columns] == [
        "target",
        "exact_size",
        "exact_accuracy",
        "raw_size",
        "raw_accuracy",
        "corrected_size",
        "corrected_accuracy",
    ]
    assert [row[0] for row in table.rows] == [0.99, 0.95, 0.9, 0.8, 0.7]
    ways = [set_figures(trials, kind) for kind in ("exact", "raw", "corrected")]
    for row in (*table.rows, *curve.rows):
        at = [next(one for one in way if float(one.target) == row[0]) for way in ways]
        assert list(row[1:]) == [value for one in at for value in (one.size, one.accuracy)]
    assert len(curve.rows) == 50
    assert (curve.rows[0][0], curve.rows[-1][0]) == (0.5, 0.99)


def test_the_curve_is_drawn_from_its_table(trials: ConformalTrials) -> None:
    section = answer_sets_section(trials, targets=TABLE_8_TARGETS, source="x", matcher=MATCHER)
    keys = {column.key for column in section.tables[1].columns}
    sizes, accuracies = section.charts
    for chart in section.charts:
        assert (chart.kind, chart.table, chart.label) == ("line", "answer_set_curve", "target")
        assert {chart.label, *chart.series} <= keys
    assert sizes.series == ("exact_size", "raw_size", "corrected_size")
    assert accuracies.series[0] == "target"  # what the accuracies are to reach


def test_the_notes_say_what_the_figures_rest_on(trials: ConformalTrials) -> None:
    section = answer_sets_section(trials, targets=TABLE_8_TARGETS, source="x", matcher=MATCHER)
    text = markdown_table(section.tables[0])
    assert "n = 5 random splits of 100 questions, in each 80 to calibrate and 20 to test" in text
    assert "the 16th and 84th percentiles over the splits" in text
    assert "3 questions have no admissible answer" in text
    assert "sets cannot be right in more than 97.0 % of all" in text
    assert "f1 from 0.5 (f1\\|v1) admitted the answers" in text
    assert "counted on 8 calibration questions" in text
    assert "trials:5\\|seed:0" in text
    assert "| 99.0 | " in text


def test_without_a_matcher_and_a_curve_there_is_one_table_by_labels() -> None:
    exact, _ = _tables()
    targets = [Fraction("0.8")]
    tried = conformal_trials(exact, targets, TrialPlan(trials=2), drop_unanswerable=True)
    section = answer_sets_section(tried, targets=targets, source="nbest.jsonl")
    (table,) = section.tables
    assert [column.key for column in table.columns] == ["target", "exact_size", "exact_accuracy"]
    assert section.charts == ()
    text = " ".join(table.remarks)
    assert "3 more questions have no admissible answer and were left out" in text
    assert "sets cannot be right" not in text
    assert "Matcher" not in text
    with pytest.raises(KeyError):
        answer_sets_section(tried, targets=TABLE_8_TARGETS, source="nbest.jsonl")


def test_rows_of_people_and_metrics_are_those_of_their_trials() -> None:
    labels, admitted = _tables()
    plan = TrialPlan(trials=3, seed=2)
    found = RankedCandidates("luke", labels, [(MATCHER, admitted)])
    size, accuracy = admission_tables(found, plan, "demo")
    mixed = conformal_trials(labels, TABLE_8_TARGETS, plan, approximate=admitted)
    expected = [
        ("people", "exact", set_figures(mixed, "exact")),
        ("f1", "exact", set_figures(conformal_trials(admitted, TABLE_8_TARGETS, plan), "exact")),
        ("f1", "raw", set_figures(mixed, "raw")),
        ("f1", "corrected", set_figures(mixed, "corrected")),
    ]
    assert size.rows == tuple(
        (name, way, *(each.size for each in figures)) for name, way, figures in expected
    )
    assert accuracy.rows == tuple(
        (name, way, *(each.accuracy for each in figures)) for name, way, figures in expected
    )
    assert [column.heading for column in accuracy.columns] == [
        "Admission",
        "Calibration",
        *(f"Target {target} (%)" for target in (0.99, 0.95, 0.9, 0.8, 0.7)),
    ]
    assert "f1 admits from 0.5 (f1|v1)." in size.notes
