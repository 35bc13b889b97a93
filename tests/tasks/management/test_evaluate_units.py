"""`evaluate metric_vs_human` and `evaluate report` by items and by ratings."""

from typing import Any

import pytest

from tests.tasks.management.conftest import Evaluate, run_command
from tests.tomahto.interchange.files import Write

FEW = ("--replicates", "20")
SCORED: list[dict[str, Any]] = [
    {"score": 0.9, "label": True, "ratings": [True, True, False], "question": "q1"},
    {"score": 0.2, "label": False, "ratings": [0, 1, 0], "question": "q2"},
]
ANSWERS: list[dict[str, Any]] = [
    {
        "question": f"{row['question']}?",
        "reference": "r",
        "candidate": "c",
        "label": row["label"],
        "ratings": row["ratings"],
        "scores": {"m": row["score"]},
    }
    for row in SCORED
]


def test_metric_vs_human_counts_items_or_ratings(evaluate: Evaluate, write: Write) -> None:
    path = write("m.jsonl", SCORED)
    by_item, by_rating = (
        evaluate.json("metric_vs_human", path, *FEW, *unit) for unit in ((), ("--unit", "ratings"))
    )
    # of six ratings two are against their item's label
    assert [(one["unit"], one["n"], one["accuracy"]["value"]) for one in (by_item, by_rating)] == [
        ("items", 2, 1.0),
        ("ratings", 6, pytest.approx(4 / 6)),
    ]
    assert by_rating["questions"] == 2
    text = evaluate("metric_vs_human", path, *FEW, "--unit", "ratings")
    assert text.startswith("all: 6 ratings of 2 questions, 3 judged right\n")


def test_ratings_are_asked_for_where_they_are_missing(evaluate: Evaluate, write: Write) -> None:
    bare = [{key: value for key, value in SCORED[0].items() if key != "ratings"}]
    path = write("m.jsonl", bare)
    assert evaluate.error("metric_vs_human", path, "--unit", "ratings") == (
        f"CommandError: {path}, line 1, field ratings: is missing\n"
    )
    path = write("m.jsonl", [{**SCORED[0], "ratings": [True, 2]}])
    assert evaluate.error("metric_vs_human", path, "--unit", "ratings").startswith(
        f"CommandError: {path}, line 1, field ratings[1]: 2 is none of true, false, 1, 0, correct, "
    )
    path = write("m.jsonl", [{**SCORED[0], "ratings": []}])
    assert evaluate.error("metric_vs_human", path, "--unit", "ratings") == (
        f"CommandError: {path}, line 1, field ratings: is empty\n"
    )


def test_a_report_names_its_unit(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    path = write("answers.jsonl", ANSWERS)
    options = ("--matcher", "em", "--section", "metric_quality", *FEW)
    for unit, n in (("item", 2), ("rating", 6)):
        run_command("evaluate", "report", path, *options, "--unit", f"{unit}s")
        printed = capsys.readouterr().out
        assert f"Metrics against people's judgement (unit: {unit})" in printed
        assert f"| m | {n} |" in printed


def test_a_report_by_ratings_needs_them_on_every_line(
    write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    bare = [{key: value for key, value in row.items() if key != "ratings"} for row in ANSWERS]
    for rows, options, message in (
        (
            bare,
            ("--unit", "ratings"),
            'the unit ratings needs each item\'s ratings ("ratings" on every line)',
        ),
        (
            [ANSWERS[0], bare[1]],
            (),
            "line 2, field ratings: must be on all lines or on none; compare line 1",
        ),
    ):
        path = write("answers.jsonl", rows)
        with pytest.raises(SystemExit):
            run_command("evaluate", "report", path, *options, *FEW)
        assert message in capsys.readouterr().err
