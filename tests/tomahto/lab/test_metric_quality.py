import numpy as np
import pytest
from scipy.stats import spearmanr

from tests.tomahto.lab.answer_data import BOOTSTRAP, Said, judged_data, lab_input
from tests.tomahto.lab.sections import charted_columns_are_there, estimates, table_of, values
from tomahto.lab.metric_quality import metric_quality_section
from tomahto.lab.report import LabInput, MetricScores
from tomahto.lab.systems import systems_section

SAID = [
    Said("ab", "q1", "x", "r", True, "test"),
    Said("a", "q1", "y", "r", False, "test"),
    Said("b", "q2", "x", "r", True, "test"),
    Said("a", "q2", "y", "r", False, "test"),
    Said("a", "q3", "x", "r", True, "dev"),
    Said("", "q4", "y", "r", False, "dev"),
]
GOOD = [0.9, 0.3, 0.8, 0.6, 0.7, 0.2]  # at 0.5 wrong about the fourth alone
POOR = [0.1, 0.2, 0.3, 0.1, 0.2, 0.3]


def test_metrics_are_measured_by_hand() -> None:
    section = metric_quality_section(lab_input(judged_data(SAID), {"good": GOOD}, threshold=0.75))
    assert [table.key for table in section.tables] == ["metric_quality", "metric_quality_by_system"]
    table = table_of(section, "metric_quality")
    (row,) = values(table)
    assert row == {
        "metric": "good",
        "n": 6,
        "threshold": 0.75,
        "accuracy_own": 5 / 6,  # 0.7 is right to people
        "accuracy": 5 / 6,
        "tuned_threshold": 0.7,
        "tuned_accuracy": 1.0,
        "spearman": pytest.approx(spearmanr(GOOD, [1, 0, 1, 0, 1, 0]).statistic),
        "auc": 1.0,
    }
    for key in ("accuracy_own", "accuracy", "tuned_accuracy", "spearman", "auc"):
        (estimate,) = estimates(table, key)
        assert estimate.low is not None
        assert (estimate.n, estimate.replicates, estimate.seed) == (6, 100, 3)
    notes = " ".join(table.notes)
    assert "n is the number of items, of 4 questions; people judged 3 of them right" in notes
    assert "these very items (in-sample)" in notes
    assert "bootstrap over questions (100 replicates, seed 3)" in notes
    assert table.source.startswith("small, digest 0123; after Bulian")
    assert charted_columns_are_there(section)


def test_a_threshold_is_tuned_on_one_split_and_judged_on_the_others() -> None:
    section = metric_quality_section(
        lab_input(judged_data(SAID), {"good": GOOD, "poor": POOR}, tune_on="dev")
    )
    table = table_of(section, "metric_quality")
    good, poor = values(table)
    assert (good["n"], good["tuned_threshold"], good["tuned_accuracy"]) == (4, 0.7, 1.0)
    # on dev 0.2 is right and 0.3 wrong: all right, or none, gets one of two; of these the lowest
    assert (poor["n"], poor["tuned_threshold"], poor["tuned_accuracy"]) == (4, 0.2, 0.5)
    assert any("on the split dev, of which no item is counted here" in note for note in table.notes)
    assert [row["n"] for row in values(table_of(section, "metric_differences"))] == [4]
    assert [row["n"] for row in values(table_of(section, "metric_quality_by_system"))] == [
        3,
        3,
        2,
        2,
    ]


def test_an_item_of_several_systems_counts_for_each() -> None:
    section = metric_quality_section(lab_input(judged_data(SAID), {"good": GOOD}))
    a, b = values(table_of(section, "metric_quality_by_system"))
    assert (a["system"], a["n"], a["right"], a["accuracy"]) == ("a", 4, 2, 3 / 4)
    assert (b["system"], b["n"], b["right"], b["accuracy"]) == ("b", 2, 2, 1.0)
    assert (b["auc"], b["spearman"]) == (None, None)
    # the common threshold of 0.7, though 0.8 would do for b
    assert (a["tuned_accuracy"], b["tuned_accuracy"]) == (1.0, 1.0)


def test_differences_say_what_follows() -> None:
    generator = np.random.default_rng(5)
    right = generator.random(200) < 0.5
    said = [Said("", f"q{n}", "x", "r", bool(flag)) for n, flag in enumerate(right)]
    good = np.clip(generator.normal(0.35, 0.1, 200) + 0.3 * right, 0, 1)
    scores = {
        "noise": generator.random(200).tolist(),
        "good": good.tolist(),
        "shifted": (good - good.min()).tolist(),  # the same order
        "em": [0.0] * 200,
    }
    section = metric_quality_section(lab_input(judged_data(said), scores))
    assert [table.key for table in section.tables] == ["metric_quality", "metric_differences"]
    rows = {
        (row["first"], row["second"]): row
        for row in values(table_of(section, "metric_differences"))
    }
    assert rows["noise", "good"]["conclusion"] == (
        "good is better: accuracy at 0.5, accuracy at the tuned threshold, rho, AUC"
    )
    assert rows["good", "shifted"]["conclusion"] == (
        "good is better: accuracy at 0.5; not told apart: accuracy at the tuned threshold, rho, AUC"
    )
    assert rows["good", "shifted"]["auc"] == 0
    assert str(rows["noise", "em"]["conclusion"]).endswith("not known: rho")
    notes = " ".join(table_of(section, "metric_differences").notes)
    assert "Pairs of metrics: 6" in notes


def test_a_threshold_that_nothing_reaches_is_named() -> None:
    said = [Said("", f"q{n}", "x", "r", False) for n in range(3)]
    section = metric_quality_section(lab_input(judged_data(said), {"em": [0.0, 0.0, 0.0]}))
    table = table_of(section, "metric_quality")
    (row,) = values(table)
    assert (row["tuned_threshold"], row["tuned_accuracy"]) == (None, 1.0)
    assert table.notes[-1] == "No item reaches the tuned threshold of em: it takes all for wrong."
    reason = "the tuned threshold of em is above all scores that it was tuned on"
    assert any(reason in remark for remark in table.remarks)
    named = metric_quality_section(lab_input(judged_data(SAID), {"good": GOOD}))
    assert not any("No item reaches" in note for note in named.tables[0].notes)


def test_metrics_that_learned_from_labels_are_named_below_every_table() -> None:
    scores = {"feather@lakes": GOOD, "good": GOOD, "mine@lakes": POOR}
    note = (
        "feather@lakes was trained on the labels of the campaign lakes: figures of items that it"
        " learned from are in-sample, and not to be compared with those of metrics that did not."
    )
    given = lab_input(judged_data(SAID), scores)
    tables = [*metric_quality_section(given).tables, *systems_section(given).tables]
    assert {table.key for table in tables} >= {
        *("metric_quality", "metric_quality_by_system", "metric_differences"),
        *("systems", "rank_agreement", "rank_flips"),
    }
    for table in tables:
        assert [text for text in table.notes if "trained on" in text] == [note]


def test_two_versions_of_a_metric_are_told_apart() -> None:
    metrics = [MetricScores("bem", version, 0.5, np.array(GOOD)) for version in ("v1", "v2")]
    section = metric_quality_section(LabInput(judged_data(SAID), metrics, BOOTSTRAP))
    names = [row["metric"] for row in values(table_of(section, "metric_quality"))]
    assert names == ["bem v1", "bem v2"]


@pytest.mark.parametrize(
    ("said", "scores", "tune_on", "reason"),
    [
        ([], {"good": []}, None, "no item is judged"),
        (SAID, {}, None, "no metric has scored the items"),
        (
            SAID,
            {"good": GOOD},
            "train",
            "no item is of the split train to tune thresholds on",
        ),
        (
            SAID[:2],
            {"good": GOOD[:2]},
            "test",
            "every item is of the split test that thresholds are tuned on",
        ),
    ],
)
def test_without_data_the_section_says_why(
    said: list[Said], scores: dict[str, list[float]], tune_on: str | None, reason: str
) -> None:
    section = metric_quality_section(lab_input(judged_data(said), scores, tune_on=tune_on))
    assert (section.tables, section.charts, section.reason) == ((), (), reason)
