"""`manage.py evaluate` as a user calls it. No test here may touch the database."""

import json
from pathlib import Path
from typing import Any

import pytest

from tasks.management.evaluation.options import naming
from tests.tasks.management.conftest import Evaluate
from tests.tasks.management.samples import PREDICTIONS, SQUAD
from tests.tomahto.interchange.files import Write
from tomahto.interchange.reading.records import InputError
from tomahto.releases.records.fields import ReleaseError

RATINGS = "unit,rater,value\n1,A,1\n1,B,1\n2,A,2\n2,B,2\n3,A,3\n3,B,1\n4,A,3\n"


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
        "drew": "items",
        "clusters": 3,
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
    values = evaluate.json("squad_v2", data, predictions)
    assert values == {
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
    lines = evaluate("squad_v2", data, predictions).splitlines()
    assert lines == [f"{name.replace('_', ' ')}: {value}" for name, value in values.items()]


def test_squad_v2_prints_four_more_with_probabilities(evaluate: Evaluate, write: Write) -> None:
    na_probs = write("na.json", '{"capital": 0.1, "nobody": 0.9, "river": 0.3}')
    values = evaluate.json(
        *("squad_v2", write("dev.json", SQUAD), write("p.json", PREDICTIONS)),
        *("--na-probs", na_probs, "--na-threshold", "0.5"),
    )
    # start at 1, capital +1, river +0 and +2/3, nobody -1
    assert dict(list(values.items())[9:]) == {
        "best_exact": 66.66666666666667,
        "best_exact_thresh": 0.1,
        "best_f1": 88.88888888888887,
        "best_f1_thresh": 0.3,
    }
    assert values["NoAns_exact"] == 100.0  # by the threshold


def test_squad_v1_prints_its_two_values(evaluate: Evaluate, write: Write) -> None:
    data = write("d.json", SQUAD.replace(',\n{"id": "nobody", "answers": []}', ""))
    values = evaluate.json("squad_v1", data, write("p.json", PREDICTIONS))
    assert values == {
        "exact_match": 50.0,
        "f1": 83.33333333333333,
        "total": 2,
        "predictions_ignored": 1,
    }
    assert "predictions ignored: 1" in evaluate("squad_v1", data, write("p.json", PREDICTIONS))


# The first example of the card of the metric squad_v2 on the Hugging Face hub.
LISTED = [{"answers": {"answer_start": [97], "text": ["1976"]}, "id": "year"}]


@pytest.mark.parametrize(("answer", "percent"), [("1976", 100.0), ("1999", 0.0)])
def test_squad_v2_takes_the_lists_of_the_metric_card(
    evaluate: Evaluate, write: Write, answer: str, percent: float
) -> None:
    given = {"prediction_text": answer, "id": "year", "no_answer_probability": 0.0}
    data, predictions = (
        write(f"{place}.json", json.dumps(lines)) for place, lines in enumerate((LISTED, [given]))
    )
    both = {"exact": percent, "f1": percent}
    assert evaluate.json("squad_v2", data, predictions) == {
        **both,
        "total": 1,
        **{f"HasAns_{name}": value for name, value in both.items()},
        "HasAns_total": 1,
        **{f"best_{name}": value for name, value in both.items()},
        **{f"best_{name}_thresh": 0.0 for name in both},
    }
    twice = ("--na-probs", write("na.json", "{}"))
    assert evaluate.error("squad_v2", data, predictions, *twice) == (
        f"CommandError: {predictions}: already has no-answer probabilities; give them once\n"
    )


@pytest.mark.parametrize(
    ("measure", "predictions", "options", "error"),
    [
        ("squad_v2", '{"capital": "Paris"}', (),
         "{predictions}, field river: has no prediction; --missing empty takes it as empty"),
        ("squad_v2", PREDICTIONS, ("--na-probs", '{"capital": 0.1, "river": 0.3}'),
         "{na_probs}, field nobody: has no no-answer probability"),
        ("squad_v1", '{"capital": "Paris"}', (),
         "{predictions}, field river: has no prediction; --missing zero gives it nothing"),
        ("squad_v1", '{"capital": "Paris"}', ("--missing", "zero"),
         "{data}, field nobody: has no answer, as in SQuAD 2.0"),
    ],
)  # fmt: skip
def test_squad_names_the_question_it_cannot_score(
    evaluate: Evaluate, write: Write,
    measure: str, predictions: str, options: tuple[str, ...], error: str,
) -> None:  # fmt: skip
    places = {
        "data": write("dev.json", SQUAD),
        "predictions": write("p.json", predictions),
        "na_probs": write("na.json", options[-1] if options else ""),
    }
    if "--na-probs" in options:
        options = ("--na-probs", str(places["na_probs"]))
    said = evaluate.error(measure, places["data"], places["predictions"], *options)
    assert said == f"CommandError: {error.format(**places)}\n"


def test_squad_v2_takes_a_missing_prediction_as_empty_on_request(
    evaluate: Evaluate, write: Write
) -> None:
    data, predictions = write("dev.json", SQUAD), write("p.json", '{"capital": "Paris"}')
    values = evaluate.json("squad_v2", data, predictions, "--missing", "empty")
    assert (values["exact"], values["NoAns_exact"]) == (66.66666666666667, 100.0)


@pytest.mark.parametrize("threshold", ["nan", "inf", "half"])
def test_squad_v2_refuses_a_threshold_that_is_not_finite(
    evaluate: Evaluate, write: Write, threshold: str
) -> None:
    data, predictions = write("dev.json", SQUAD), write("p.json", PREDICTIONS)
    error = evaluate.error("squad_v2", data, predictions, "--na-threshold", threshold, code=2)
    assert f"'{threshold}' is not a finite number" in error


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


SCORED: list[dict[str, Any]] = [
    {"score": n / 20, "label": n % 3 > 0, "question": f"q{n // 2}", "system": f"s{n % 2}"}
    for n in range(20)
]


def test_metric_vs_human_prints_intervals(evaluate: Evaluate, write: Write) -> None:
    path = write("m.jsonl", SCORED)
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
    several = [
        {**row, "score": None, "scores": {"f1": row["score"], "em": n % 4 / 3}}
        for n, row in enumerate(SCORED)
    ]
    options = ("--seed", "4", "--replicates", "50")
    values = evaluate.json("metric_vs_human", write("m.jsonl", several), *options)
    alone = evaluate.json("metric_vs_human", write("s.jsonl", SCORED), *options)
    assert [*values] == ["unit", "metrics", "differences"]
    assert [*values["metrics"]] == ["f1", "em"]
    assert {"unit": "items", **values["metrics"]["f1"]} == alone
    (difference,) = values["differences"]
    assert (difference["first"], difference["second"]) == ("f1", "em")
    assert {"accuracy", "tuned_accuracy", "spearman", "auc"} < set(difference)
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


JUDGED: list[dict[str, Any]] = [
    {"score": 0.9, "label": True, "ratings": [True, True, False], "question": "q1"},
    {"score": 0.2, "label": False, "ratings": [0, 1, 0], "question": "q2"},
]


def test_metric_vs_human_counts_items_or_ratings(evaluate: Evaluate, write: Write) -> None:
    path = write("m.jsonl", JUDGED)
    by_item, by_rating = (
        evaluate.json("metric_vs_human", path, "--replicates", "20", *unit)
        for unit in ((), ("--unit", "ratings"))
    )
    # of six ratings two are against their item's label
    assert [(one["unit"], one["n"], one["accuracy"]["value"]) for one in (by_item, by_rating)] == [
        ("items", 2, 1.0),
        ("ratings", 6, pytest.approx(4 / 6)),
    ]
    assert by_rating["questions"] == 2
    text = evaluate("metric_vs_human", path, "--replicates", "20", "--unit", "ratings")
    assert text.startswith("all: 6 ratings of 2 questions, 3 judged right\n")


@pytest.mark.parametrize(
    ("lines", "options", "problem"),
    [
        ([{"score": 1, "label": True, "split": "test"}], ("--tune-on", "dev"),
         ": no row is of the split 'dev' to tune on"),
        ([{"scores": {"f1": 1}, "label": True}, {"scores": {"em": 1}, "label": True}], (),
         ", line 2, field scores.f1: must be on all lines or on none; compare line 1"),
        ([{"score": 1, "label": True}], ("--unit", "ratings"),
         ", line 1, field ratings: is missing"),
        ([{"score": 1, "label": True, "ratings": []}], ("--unit", "ratings"),
         ", line 1, field ratings: is empty"),
    ],
)  # fmt: skip
def test_metric_vs_human_names_what_it_lacks(
    evaluate: Evaluate, write: Write,
    lines: list[dict[str, object]], options: tuple[str, ...], problem: str,
) -> None:  # fmt: skip
    path = write("m.jsonl", lines)
    error = evaluate.error("metric_vs_human", path, *options)
    assert error == f"CommandError: {path}{problem}\n"


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


def test_evaluate_names_a_file_that_is_not_there(evaluate: Evaluate, tmp_path: Path) -> None:
    error = evaluate.error("monotonicity", tmp_path / "none.jsonl")
    assert error == (
        f"CommandError: {tmp_path / 'none.jsonl'}: cannot be opened: No such file or directory\n"
    )


def test_errors_of_one_kind_alone_get_the_name_of_the_file() -> None:
    file = Path("release")
    with pytest.raises(InputError, match=r"^release: is damaged$"), naming(file, ReleaseError):
        raise ReleaseError("is damaged")
    with pytest.raises(ValueError, match=r"^no such model$"), naming(file, ReleaseError):
        raise ValueError("no such model")
    with pytest.raises(InputError, match=r"^lines: is empty$"), naming(file, ValueError):
        raise InputError("is empty", file="lines")
