"""`manage.py evaluate` as a user calls it. No test here may touch the database."""

import json
from pathlib import Path

import pytest

from tests.tasks.management.conftest import Evaluate
from tests.tasks.management.samples import PREDICTIONS, SQUAD
from tests.tomahto.interchange.files import Write

RATINGS = "unit,rater,value\n1,A,1\n1,B,1\n2,A,2\n2,B,2\n3,A,3\n3,B,1\n4,A,3\n"

CANDIDATES = (
    "".join(
        json.dumps({"scores": [n, n - 0.5], "admissible": [1, 0], "fold": "calibration"}) + "\n"
        for n in range(1, 10)
    )
    + '{"scores": [4, 9, 9.5], "admissible": [0, 1, 0], "fold": "test"}\n'
)


def test_agreement_prints_alpha_with_its_signature(evaluate: Evaluate, write: Write) -> None:
    # Values by units: 2 of 1; 2 of 2; 3 and 1. n = 6; n_c = 3, 2, 1. D_o = 2 / 6,
    # D_e = (36 - 9 - 4 - 1) / 30 = 22 / 30: 1 - (1/3) * (30/22)
    values = evaluate.json(
        "agreement", write("r.csv", RATINGS), "--level", "nominal", "--seed", "3"
    )
    assert values.pop("value") == pytest.approx(1 - 10 / 22, abs=1e-12)
    assert values.pop("low") < 1 - 10 / 22 < values.pop("high")
    values.pop("undefined_replicates", None)
    assert values == {
        "level": "nominal",
        "n": 3,
        "replicates": 2000,
        "seed": 3,
        "units": 4,
        "raters": 2,
        "ratings": 7,
        "values": 3,
    }


def test_agreement_names_file_line_and_field(evaluate: Evaluate, write: Write) -> None:
    path = write("r.csv", RATINGS.replace("3,B,1", "3,B,one"))
    assert evaluate.error("agreement", path, "--level", "interval") == (
        f"CommandError: {path}, line 7, field value: 'one' is not a number\n"
    )


def test_squad_v2_prints_the_nine_values(evaluate: Evaluate, write: Write) -> None:
    # river: 3 shared words of 5 and of 4: P = 3/5, R = 3/4, F1 = 2/3
    data, predictions = write("dev.json", SQUAD), write("p.json", PREDICTIONS)
    assert evaluate.json("squad_v2", data, predictions) == {
        "exact": 33.333333333333336,
        "f1": 55.55555555555555,
        "total": 3,
        "HasAns_exact": 50.0,
        "HasAns_f1": 83.33333333333333,
        "HasAns_total": 2,
        "NoAns_exact": 0.0,
        "NoAns_f1": 0.0,
        "NoAns_total": 1,
    }
    assert evaluate("squad_v2", data, predictions).splitlines()[0] == "exact: 33.333333333333336"


def test_squad_v2_prints_four_more_with_probabilities(evaluate: Evaluate, write: Write) -> None:
    na_probs = write("na.json", '{"capital": 0.1, "nobody": 0.9, "river": 0.3}')
    values = evaluate.json(
        *("squad_v2", write("dev.json", SQUAD), write("p.json", PREDICTIONS)),
        *("--na-probs", na_probs, "--na-threshold", "0.5"),
    )
    assert [*values][9:] == ["best_exact", "best_exact_thresh", "best_f1", "best_f1_thresh"]
    assert values["NoAns_exact"] == 100.0
    # start at 1, capital +1, river +0 and +2/3, nobody -1
    assert (values["best_exact"], values["best_exact_thresh"]) == (66.66666666666667, 0.1)
    assert (values["best_f1"], values["best_f1_thresh"]) == (88.88888888888887, 0.3)


def test_squad_v2_names_the_question_without_prediction(evaluate: Evaluate, write: Write) -> None:
    data, predictions = write("dev.json", SQUAD), write("p.json", '{"capital": "Paris"}')
    assert evaluate.error("squad_v2", data, predictions) == (
        f"CommandError: {predictions}, field river: has no prediction;"
        " --missing empty takes it as empty\n"
    )
    values = evaluate.json("squad_v2", data, predictions, "--missing", "empty")
    assert (values["exact"], values["NoAns_exact"]) == (66.66666666666667, 100.0)


def test_squad_v2_names_the_question_without_probability(evaluate: Evaluate, write: Write) -> None:
    data, predictions = write("dev.json", SQUAD), write("p.json", PREDICTIONS)
    na_probs = write("na.json", '{"capital": 0.1, "river": 0.3}')
    assert evaluate.error("squad_v2", data, predictions, "--na-probs", na_probs) == (
        f"CommandError: {na_probs}, field nobody: has no no-answer probability\n"
    )


def test_monotonicity_reports_the_27_pairs(evaluate: Evaluate, write: Write) -> None:
    path = write(
        "m.jsonl",
        [
            {"class": "exact", "score": 0.9},
            {"class": "equivalent", "score": 0.8},
            {"class": "overinclusive-valid", "score": 0.3},
            {"class": "partial", "score": 0.4},
            {"class": "invalid", "score": 0.4},
        ],
    )
    values = evaluate.json("monotonicity", path)
    # Of ten pairs only overinclusive-valid against partial and invalid is lost, partial and
    # invalid tie.
    assert values["n"] == 5
    assert values["pairwise_accuracy"] == 7 / 10
    assert values["violations"]["count"] == 3
    assert values["violations"]["judged"] == 10
    assert len(values["violations"]["counted_pairs"]) == values["violations"]["counted"] == 27
    assert values["violations_without_ambiguous"]["counted"] == 26
    assert values["violations_without_ambiguous"]["count"] == 2
    assert [(pair["higher"], pair["accuracy"]) for pair in values["hard_pairs"]] == [
        ("equivalent", 1.0),
        ("alternative-correct", None),
        ("overinclusive-valid", 0.0),
        ("overinclusive-valid", None),
    ]
    lines = evaluate("monotonicity", path).splitlines()
    assert lines[4] == (
        "violations: 3 of 10 (27 counted) overinclusive-valid > partial;"
        " overinclusive-valid > invalid; partial > invalid"
    )


def test_class_thresholds_fit_the_labels_best(evaluate: Evaluate, write: Write) -> None:
    path = write(
        "t.jsonl",
        [
            {"class": "exact", "score": 1.0},
            {"class": "partial", "score": 0.5},
            {"class": "contradictory", "score": 0.0},
            {"class": "contradictory", "score": 0.0},
            {"class": "invalid", "score": 0.0},
        ],
    )
    classes = [
        {"class": "contradictory", "from": 0.0},
        {"class": "partial", "from": 0.25},
        {"class": "exact", "from": 0.75},
    ]
    assert evaluate.json("class_thresholds", path) == {
        "objective": "accuracy",
        "value": 0.8,
        "n": 5,
        "classes": classes,
    }
    printed = evaluate("class_thresholds", path, "--objective", "quadratic-kappa").splitlines()
    assert printed[0].startswith("quadratic-kappa 0.9")
    assert printed[0].endswith(" (n = 5)")
    one_rank = write("one.jsonl", [{"class": "exact", "score": 1.0}])
    assert evaluate.error("class_thresholds", one_rank, "--objective", "quadratic-kappa") == (
        f"CommandError: {one_rank}: kappa is undefined: all labels have one rank\n"
    )


def test_conformal_prints_the_sets_of_every_target(evaluate: Evaluate, write: Write) -> None:
    # n = 9, M = 1, ..., 9: target 0.9 is rank 9, target 0.3 rank 3 (in floats 3.0000000000000004)
    path = write("c.jsonl", CANDIDATES)
    assert evaluate.json("conformal", path, "--targets", "0.9, 0.3") == {
        "0.9": {
            "mean_set_size": 2.0,
            "accuracy": 1.0,
            "n": 1,
            "threshold": 9.0,
            "sets": [[0, 1]],
            "calibration": 9,
        },
        "0.3": {
            "mean_set_size": 0.0,
            "accuracy": 0.0,
            "n": 1,
            "threshold": 3.0,
            "sets": [[]],
            "calibration": 9,
        },
    }
    assert evaluate("conformal", path, "--targets", "0.9") == (
        "target 0.9, exact admission: mean set size 2.0, accuracy 1.0 (n = 1)\n"
    )


def test_conformal_adds_the_sets_of_a_matcher(evaluate: Evaluate, write: Write) -> None:
    path = write("c.jsonl", CANDIDATES.replace('"fold"', '"approximate": [1, 1], "fold"', 9))
    values = evaluate.json("conformal", path, "--targets", "0.9", "--seed", "2")["0.9"]
    assert values["threshold"] == 9.0
    approximate = values["approximate"]
    # The matcher takes the wrong answer, half a point lower, for right every time.
    assert approximate["raw"]["threshold"] == 8.5
    assert approximate["error"] == {
        "labelled": 1,
        "admitting": 1,
        "wrong": 1,
        "bound": 1.0,
        "gamma": 0.01,
        "seed": 2,
    }
    assert approximate["corrected"]["sets"] == [[0, 1, 2]]
    lines = evaluate("conformal", path, "--targets", "0.9").splitlines()
    assert [line.split(":")[0] for line in lines] == [
        "target 0.9, exact admission",
        "target 0.9, raw admission",
        "target 0.9, corrected admission",
    ]


def test_conformal_needs_calibration_lines(evaluate: Evaluate, write: Write) -> None:
    path = write("c.jsonl", CANDIDATES.splitlines()[-1])
    assert evaluate.error("conformal", path, "--targets", "0.9") == (
        f"CommandError: {path}, field fold: no line is calibration\n"
    )


@pytest.mark.parametrize(
    ("targets", "problem"),
    [
        ("1.1", "'1.1' is not a number from 0 to 1"),
        ("nan", "'nan' is not a number from 0 to 1"),
        ("0.9,", "'' is not a number from 0 to 1"),
        ("0.9,0.9", "'0.9' is there twice"),
    ],
)
def test_conformal_refuses_targets_that_are_no_shares(
    evaluate: Evaluate, write: Write, targets: str, problem: str
) -> None:
    path = write("c.jsonl", CANDIDATES)
    assert problem in evaluate.error("conformal", path, "--targets", targets, code=2)


def test_conformal_tries_many_splits_whatever_the_folds(evaluate: Evaluate, write: Write) -> None:
    path = write("c.jsonl", CANDIDATES)
    options = ("--trials", "4", "--calibration", "50", "--seed", "3")
    values = evaluate.json("conformal", path, "--targets", "0.8,0.70", *options)
    assert [*values["targets"]] == ["0.8", "0.70"]
    assert [values[name] for name in ("questions", "calibration", "test")] == [10, 5, 5]
    assert [values[name] for name in ("trials", "seed", "unanswerable")] == [4, 3, 0]
    size = values["targets"]["0.8"]["mean_set_size"]
    assert (size["n"], size["replicates"], size["seed"]) == (5, 4, 3)
    assert 0 < size["low"] <= size["high"] <= 2.2
    without_folds = write("d.jsonl", CANDIDATES.replace('"fold"', '"part"'))
    again = evaluate.json("conformal", without_folds, "--targets", "0.8,0.70", *options)
    assert again == values
    printed = evaluate("conformal", path, "--targets", "0.8", *options)
    assert printed.startswith("**Answer sets: mean number of answers")
    assert "| 80.0 | " in printed
    assert "Source: c.jsonl; conformal" in printed


def test_conformal_tries_the_sets_of_a_matcher_on_all_lines(
    evaluate: Evaluate, write: Write
) -> None:
    path = write("c.jsonl", CANDIDATES.replace('"fold"', '"approximate": [1, 1], "fold"', 9))
    error = evaluate.error("conformal", path, "--targets", "0.9", "--trials", "2")
    problem = "field approximate: all lines must have it or none, as line 1"
    assert error == f"CommandError: {path}, line 10, {problem}\n"
    lines = path.read_text().replace('0], "fold"', '0], "approximate": [1, 1, 1], "fold"')
    everywhere = write("d.jsonl", lines)
    values = evaluate.json("conformal", everywhere, "--targets", "0.5", "--trials", "2")
    assert [*values["targets"]["0.5"]["approximate"]] == ["raw", "corrected"]
    assert values["error_bound"]["value"] == 1  # the matcher's top answer is always wrong


def test_conformal_draws_the_whole_curve(evaluate: Evaluate, write: Write) -> None:
    path = write("c.jsonl", CANDIDATES)
    values = evaluate.json("conformal", path, "--curve")
    assert [*values] == [f"0.{percent}" for percent in range(50, 100)]
    assert values["0.90"]["threshold"] == 9.0
    beside = evaluate.json("conformal", path, "--curve", "--targets", "0.9,0.995")
    assert [*beside][:3] == ["0.9", "0.995", "0.50"]
    assert "0.90" not in beside
    printed = evaluate("conformal", path, "--curve", "--trials", "2")
    assert printed.count("**Answer sets") == 2
    assert len([line for line in printed.splitlines() if line.startswith("| 5")]) == 10


ASKED = "".join(
    json.dumps(
        {
            "question": "Which river?",
            "references": ["the Rhine"],
            "answers": ["Rhine river", "Rhine"],
            "scores": [number - 0.5, number],
            "admissible": [0, 1],
            "fold": "calibration" if number < 10 else "test",
        }
    )
    + "\n"
    for number in range(1, 12)
)


def test_conformal_lets_a_matcher_admit(evaluate: Evaluate, write: Write) -> None:
    path = write("a.jsonl", ASKED)
    options = ("--targets", "0.9", "--approximate-matcher", "f1")
    values = evaluate.json("conformal", path, *options)["0.9"]
    # F1 of "Rhine river" is 2/3: admitted at 0.5, half a point below the right answer
    assert values["threshold"] == 9.0
    assert values["approximate"]["raw"]["threshold"] == 8.5
    assert values["matcher"] == {
        "metric": "f1",
        "version": "f1|norm:squad|agg:max-ref|v1",
        "threshold": 0.5,
    }
    strict = evaluate.json("conformal", path, *options, "--threshold", "0.7")["0.9"]
    assert strict["approximate"]["raw"]["threshold"] == 9.0
    assert strict["matcher"]["threshold"] == 0.7
    tried = evaluate.json("conformal", path, *options, "--trials", "3")
    assert tried["matcher"]["metric"] == "f1"
    assert "f1 from 0.5" in evaluate("conformal", path, *options, "--trials", "3")


def test_conformal_takes_the_best_candidates_only(evaluate: Evaluate, write: Write) -> None:
    path = write("c.jsonl", CANDIDATES)
    values = evaluate.json("conformal", path, "--targets", "0.9", "--candidates", "1")["0.9"]
    # of calibration the wrong one is left, so that all questions are without an admissible answer
    assert (values["threshold"], values["sets"]) == (None, [[0]])


def test_conformal_drops_questions_without_an_admissible_answer(
    evaluate: Evaluate, write: Write
) -> None:
    hopeless = '{"scores": [0], "admissible": [0], "fold": "%s"}\n'
    path = write("c.jsonl", CANDIDATES + hopeless % "calibration" + hopeless % "test")
    kept = evaluate.json("conformal", path, "--targets", "0.9")["0.9"]
    assert (kept["calibration"], kept["n"], kept["threshold"]) == (10, 2, None)
    dropped = evaluate.json("conformal", path, "--targets", "0.9", "--drop-unanswerable")["0.9"]
    assert (dropped["calibration"], dropped["n"], dropped["threshold"]) == (9, 1, 9.0)
    assert dropped["dropped"] == 2
    tried = evaluate.json(
        "conformal", path, "--targets", "0.9", "--trials", "2", "--drop-unanswerable"
    )
    assert (tried["questions"], tried["dropped"], tried["unanswerable"]) == (10, 2, 0)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ((), "give --targets, --curve or both"),
        (("--curve", "--threshold", "0.5"), "--threshold is that of --approximate-matcher"),
        (("--curve", "--calibration", "80"), "--calibration is the share in --trials"),
        (("--curve", "--trials", "2", "--calibration", "0"), "of 10 questions 0 would calibrate"),
        (("--curve", "--approximate-matcher", "f1"), "line 1, field answers: is missing"),
    ],
)
def test_conformal_refuses_options_that_say_nothing(
    evaluate: Evaluate, write: Write, options: tuple[str, ...], problem: str
) -> None:
    assert problem in evaluate.error("conformal", write("c.jsonl", CANDIDATES), *options)


def test_metric_vs_human_prints_intervals(evaluate: Evaluate, write: Write) -> None:
    rows = [
        {"score": n / 20, "label": n % 3 > 0, "question": f"q{n // 2}", "system": f"s{n % 2}"}
        for n in range(20)
    ]
    path = write("m.jsonl", rows)
    values = evaluate.json("metric_vs_human", path, "--seed", "4", "--replicates", "50")
    assert (values["n"], values["questions"], values["resampled"]) == (20, 10, "questions")
    assert [*values["by_system"]] == ["s0", "s1"]
    assert (values["auc"]["replicates"], values["auc"]["seed"]) == (50, 4)
    assert values["tuned_accuracy"]["tuned_on"] == "in-sample"
    lines = evaluate("metric_vs_human", path, "--replicates", "50").splitlines()
    assert lines[0] == "all: 20 items of 10 questions, 13 judged right"
    assert lines[1].startswith("  accuracy at 0.5: ")
    assert len(lines) == 15


def test_metric_vs_human_reads_the_label_of_cap_correctness(
    evaluate: Evaluate, write: Write
) -> None:
    rows = [("exact", 0.9), ("partial", 0.2), ("invalid", 0.6)]
    ours, theirs = (
        write(f"{name}.jsonl", [{name: label, "score": score} for label, score in rows])
        for name in ("label", "correctness_label")
    )
    found = evaluate.json("metric_vs_human", theirs, "--replicates", "20")
    assert found == evaluate.json("metric_vs_human", ours, "--replicates", "20")
    assert found["right"] == 1


def test_metric_vs_human_compares_several_metrics(evaluate: Evaluate, write: Write) -> None:
    single = [
        {"score": n / 20, "label": n % 3 > 0, "question": f"q{n // 2}", "system": f"s{n % 2}"}
        for n in range(20)
    ]
    several = [
        {**row, "score": None, "scores": {"f1": row["score"], "em": n % 4 / 3}}
        for n, row in enumerate(single)
    ]
    options = ("--seed", "4", "--replicates", "50")
    values = evaluate.json("metric_vs_human", write("m.jsonl", several), *options)
    alone = evaluate.json("metric_vs_human", write("s.jsonl", single), *options)
    assert [*values] == ["unit", "metrics", "differences"]
    assert [*values["metrics"]] == ["f1", "em"]
    assert {"unit": "items", **values["metrics"]["f1"]} == alone
    (difference,) = values["differences"]
    assert (difference["first"], difference["second"]) == ("f1", "em")
    for name in ("accuracy", "tuned_accuracy", "spearman", "auc"):
        one, other = (values["metrics"][metric][name]["value"] for metric in ("f1", "em"))
        assert difference[name]["value"] == pytest.approx(one - other)
        assert difference[name]["low"] <= difference[name]["value"] <= difference[name]["high"]
        assert (difference[name]["n"], difference[name]["replicates"]) == (20, 50)
    lines = evaluate("metric_vs_human", write("m.jsonl", several), *options).splitlines()
    assert lines[0] == "f1, all: 20 items of 10 questions, 13 judged right"
    assert lines[15].startswith("em, all: ")
    assert lines[30] == "f1 less em"
    assert [line.split(":")[0] for line in lines[31:]] == [
        "  accuracy at 0.5",
        "  accuracy at tuned thresholds",
        "  Spearman",
        "  AUC",
    ]


def test_metric_vs_human_needs_the_same_metrics_in_every_line(
    evaluate: Evaluate, write: Write
) -> None:
    path = write(
        "m.jsonl", [{"scores": {"f1": 1}, "label": True}, {"scores": {"em": 1}, "label": True}]
    )
    assert evaluate.error("metric_vs_human", path) == (
        f"CommandError: {path}, line 2, field scores.f1: must be on all lines or on none;"
        " compare line 1\n"
    )


def test_metric_vs_human_names_a_split_that_is_not_there(evaluate: Evaluate, write: Write) -> None:
    path = write("m.jsonl", [{"score": 1, "label": True, "split": "test"}])
    assert evaluate.error("metric_vs_human", path, "--tune-on", "dev") == (
        f"CommandError: {path}: no row is of the split 'dev' to tune on\n"
    )


@pytest.mark.parametrize(
    ("option", "value", "problem"),
    [
        ("--seed", "-1", "'-1' is not a whole number from 0"),
        ("--replicates", "0", "'0' is not a whole number from 1"),
        ("--replicates", "many", "'many' is not a whole number from 0"),
    ],
)
def test_metric_vs_human_refuses_a_bootstrap_without_draws(
    evaluate: Evaluate, write: Write, option: str, value: str, problem: str
) -> None:
    path = write("m.jsonl", [{"score": 1, "label": True}])
    assert problem in evaluate.error("metric_vs_human", path, f"{option}={value}", code=2)


@pytest.mark.parametrize("threshold", ["nan", "inf", "half"])
def test_squad_v2_refuses_a_threshold_that_is_not_finite(
    evaluate: Evaluate, write: Write, threshold: str
) -> None:
    data, predictions = write("dev.json", SQUAD), write("p.json", PREDICTIONS)
    error = evaluate.error("squad_v2", data, predictions, "--na-threshold", threshold, code=2)
    assert f"'{threshold}' is not a finite number" in error


def test_json_may_stand_before_the_measure(evaluate: Evaluate, write: Write) -> None:
    path = write("c.jsonl", CANDIDATES)
    before = json.loads(evaluate("--json", "conformal", path, "--targets", "0.9"))
    assert before == evaluate.json("conformal", path, "--targets", "0.9")


def test_evaluate_names_a_file_that_is_not_there(evaluate: Evaluate, tmp_path: Path) -> None:
    error = evaluate.error("monotonicity", tmp_path / "none.jsonl")
    assert error == (
        f"CommandError: {tmp_path / 'none.jsonl'}: cannot be opened: No such file or directory\n"
    )
