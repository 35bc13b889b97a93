import pytest

from tomahto.estimates.bootstrap import Bootstrap
from tomahto.scoring.metric_vs_human import JudgedRow, metric_vs_human

BOOTSTRAP = Bootstrap(100, seed=5)
TUNED = ("value", "threshold", "tuned_on", "tuned_n", "in_sample")
ROWS = [
    JudgedRow(0.9, True, "q1", ("xlnet",), "test"),
    JudgedRow(0.4, True, "q1", ("bidaf",), "test"),
    JudgedRow(0.3, False, "q2", ("xlnet",), "test"),
    JudgedRow(0.6, False, "q2", ("bidaf",), "test"),
    JudgedRow(0.2, False, "q3", ("xlnet",), "dev"),
    JudgedRow(0.7, True, "q4", ("xlnet",), "dev"),
]


def test_metric_vs_human_tunes_in_sample_and_says_so() -> None:
    values = metric_vs_human(ROWS, bootstrap=BOOTSTRAP).as_json()
    # At 0.5: 0.9 0.7 0.3 0.2 are as people judged, 0.4 and 0.6 are not. At 0.4 only 0.6 is not.
    # Pairs of right 0.9 0.4 0.7 and wrong 0.3 0.6 0.2: all won but 0.4 against 0.6.
    assert (values["n"], values["right"], values["questions"]) == (6, 3, 4)
    assert values["resampled"] == "questions"
    assert (values["accuracy"]["value"], values["accuracy"]["threshold"]) == (4 / 6, 0.5)
    tuned = values["tuned_accuracy"]
    assert [tuned[key] for key in TUNED] == [5 / 6, 0.4, "in-sample", 6, True]
    assert values["auc"]["value"] == 8 / 9
    # ranks of right 6, 3, 5; mean 14/3 against 3.5: (14 - 10.5) / sqrt(17.5 * 1.5)
    assert values["spearman"]["value"] == pytest.approx(3.5 / (17.5 * 1.5) ** 0.5, abs=1e-15)
    for name in ("accuracy", "tuned_accuracy", "spearman", "auc"):
        estimate = values[name]
        assert estimate["low"] <= estimate["value"] <= estimate["high"]
        assert (estimate["n"], estimate["replicates"], estimate["seed"]) == (6, 100, 5)


def test_metric_vs_human_tunes_on_one_split_and_measures_on_the_others() -> None:
    values = metric_vs_human(ROWS, bootstrap=BOOTSTRAP, tune_on="dev").as_json()
    tuned = values["tuned_accuracy"]
    assert [tuned[key] for key in TUNED] == [3 / 4, 0.7, "dev", 2, False]
    assert (values["n"], values["questions"]) == (4, 2)


def test_metric_vs_human_measures_every_system_at_the_common_threshold() -> None:
    by_system = metric_vs_human(ROWS, bootstrap=BOOTSTRAP).as_json()["by_system"]
    assert [*by_system] == ["bidaf", "xlnet"]
    bidaf, xlnet = by_system.values()
    assert (bidaf["n"], xlnet["n"]) == (2, 4)
    assert (bidaf["accuracy"]["value"], xlnet["accuracy"]["value"]) == (0, 1)
    assert bidaf["tuned_accuracy"]["threshold"] == xlnet["tuned_accuracy"]["threshold"] == 0.4
    assert (bidaf["tuned_accuracy"]["value"], xlnet["tuned_accuracy"]["value"]) == (0.5, 1)
    assert (bidaf["auc"]["value"], xlnet["auc"]["value"]) == (0, 1)


def test_metric_vs_human_counts_an_answer_of_several_systems_for_each() -> None:
    rows = [ROWS[0]._replace(systems=("bidaf", "xlnet")), ROWS[3], ROWS[4]._replace(systems=())]
    report = metric_vs_human(rows, bootstrap=BOOTSTRAP)
    assert report.overall.n == 3
    assert {system: quality.n for system, quality in report.by_system.items()} == {
        "bidaf": 2,
        "xlnet": 1,
    }


def test_metric_vs_human_resamples_rows_where_none_names_a_question() -> None:
    rows = [JudgedRow(row.score, row.is_right) for row in ROWS]
    values = metric_vs_human(rows, bootstrap=BOOTSTRAP).as_json()
    assert (values["resampled"], values["questions"], values["by_system"]) == ("rows", 6, {})


def test_metric_vs_human_says_why_a_value_is_undefined() -> None:
    values = metric_vs_human(
        [JudgedRow(0.9, True), JudgedRow(0.8, True)], bootstrap=BOOTSTRAP
    ).as_json()
    assert (
        values["auc"]
        == values["spearman"]
        == {
            "value": None,
            "low": None,
            "high": None,
            "n": 2,
            "replicates": 0,
            "seed": 5,
            "reason": "all items are judged alike",
        }
    )


@pytest.mark.parametrize(
    ("rows", "tune_on", "message"),
    [
        ([JudgedRow(1, True, "q"), JudgedRow(1, True)], None, "1 of 2 rows name a question: all"),
        (
            [JudgedRow(1, True, systems=("s",)), JudgedRow(1, True)],
            None,
            "1 of 2 rows name a system",
        ),
        ([*ROWS, JudgedRow(1, True, "q", ("s",))], "dev", "6 of 7 rows name a split: all must"),
        (ROWS, "train", "no row is of the split 'train' to tune on"),
        (ROWS[4:], "dev", "there is no row to measure the metric on"),
        ([], None, "there is no row to measure the metric on"),
    ],
)
def test_metric_vs_human_refuses_rows_it_cannot_compare(
    rows: list[JudgedRow], tune_on: str | None, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        metric_vs_human(rows, bootstrap=BOOTSTRAP, tune_on=tune_on)
