"""`manage.py evaluate conformal` as a user calls it. No test here may touch the database."""

import json

import pytest

from tests.tasks.management.conftest import Evaluate
from tests.tomahto.interchange.files import Write

CANDIDATES = (
    "".join(
        json.dumps({"scores": [n, n - 0.5], "admissible": [1, 0], "fold": "calibration"}) + "\n"
        for n in range(1, 10)
    )
    + '{"scores": [4, 9, 9.5], "admissible": [0, 1, 0], "fold": "test"}\n'
)
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
    approximate = values["approximate"]
    # The matcher takes the wrong answer, half a point lower, for right every time.
    assert (values["threshold"], approximate["raw"]["threshold"]) == (9.0, 8.5)
    assert (approximate["error"]["wrong"], approximate["error"]["seed"]) == (1, 2)
    lines = evaluate("conformal", path, "--targets", "0.9").splitlines()
    assert [line.split(":")[0] for line in lines] == [
        f"target 0.9, {way} admission" for way in ("exact", "raw", "corrected")
    ]
    error = evaluate.error("conformal", path, "--targets", "0.9", "--trials", "2")
    problem = "field approximate: all lines must have it or none, as line 1"
    assert error == f"CommandError: {path}, line 10, {problem}\n"


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


def test_conformal_takes_the_best_candidates_or_answerable_questions_only(
    evaluate: Evaluate, write: Write
) -> None:
    hopeless = '{"scores": [0], "admissible": [0], "fold": "%s"}\n'
    path = write("c.jsonl", CANDIDATES + hopeless % "calibration" + hopeless % "test")
    target = ("conformal", path, "--targets", "0.9")
    found = {
        options: [values[name] for name in ("calibration", "n", "threshold", "sets")]
        for options in ((), ("--drop-unanswerable",), ("--candidates", "1"))
        for values in [evaluate.json(*target, *options)["0.9"]]
    }
    assert found == {
        (): [10, 2, None, [[0, 1, 2], [0]]],
        ("--drop-unanswerable",): [9, 1, 9.0, [[0, 1]]],
        # of calibration the wrong one is left, so that all are without an admissible answer
        ("--candidates", "1"): [10, 2, None, [[0], [0]]],
    }
    assert evaluate.json(*target, "--drop-unanswerable")["0.9"]["dropped"] == 2
    tried = evaluate.json(*target, "--trials", "2", "--drop-unanswerable")
    assert (tried["questions"], tried["dropped"], tried["unanswerable"]) == (10, 2, 0)


@pytest.mark.parametrize(
    ("targets", "problem"),
    [
        ("1.1", "'1.1' is not a number from 0 to 1"),
        ("nan", "'nan' is not a number from 0 to 1"),
        ("0.9,", "'' is not a number from 0 to 1"),
        ("0.9,0.9", "'0.9' is named twice"),
    ],
)
def test_conformal_refuses_targets_that_are_no_shares(
    evaluate: Evaluate, write: Write, targets: str, problem: str
) -> None:
    path = write("c.jsonl", CANDIDATES)
    assert problem in evaluate.error("conformal", path, "--targets", targets, code=2)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ((), "give --targets, --curve or both"),
        (("--curve", "--threshold", "0.5"), "--threshold requires --approximate-matcher"),
        (("--curve", "--calibration", "80"), "--calibration requires --trials"),
        (("--curve", "--trials", "2", "--calibration", "0"), "of 10 questions 0 would calibrate"),
        (("--curve", "--approximate-matcher", "f1"), "line 1, field answers: is missing"),
    ],
)
def test_conformal_refuses_options_that_say_nothing(
    evaluate: Evaluate, write: Write, options: tuple[str, ...], problem: str
) -> None:
    assert problem in evaluate.error("conformal", write("c.jsonl", CANDIDATES), *options)


def test_conformal_needs_calibration_lines(evaluate: Evaluate, write: Write) -> None:
    path = write("c.jsonl", CANDIDATES.splitlines()[-1])
    arguments = ("conformal", path, "--targets", "0.9")
    assert evaluate.error(*arguments) == (
        f"CommandError: {path}, field fold: no line is calibration\n"
    )


def test_json_may_stand_before_the_measure(evaluate: Evaluate, write: Write) -> None:
    path = write("c.jsonl", CANDIDATES)
    before = json.loads(evaluate("--json", "conformal", path, "--targets", "0.9"))
    assert before == evaluate.json("conformal", path, "--targets", "0.9")
