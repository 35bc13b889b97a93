"""`manage.py evaluate squad_v1` and `squad_v2` on lists. No test here may touch the database."""

import json
from typing import Any

import pytest

from tests.tasks.management.conftest import Evaluate
from tests.tasks.management.samples import PREDICTIONS, SQUAD
from tests.tomahto.interchange.files import Write

YEAR, SINGERS, CLIMATE = (
    "56e10a3be3433e1400422b22",
    "56d2051ce7d4791d0090260b",
    "5733b5344776f419006610e1",
)
GOLD = {
    YEAR: (97, "1976"),
    SINGERS: (233, "Beyoncé and Bruno Mars"),
    CLIMATE: (891, "climate change"),
}


def listed(answers: dict[str, str]) -> tuple[str, str]:
    """Data and predictions in the form of the Hugging Face metric card."""
    data = [
        {"answers": {"answer_start": [GOLD[key][0]], "text": [GOLD[key][1]]}, "id": key}
        for key in answers
    ]
    predictions = [
        {"prediction_text": text, "id": key, "no_answer_probability": 0.0}
        for key, text in answers.items()
    ]
    return json.dumps(data), json.dumps(predictions)


@pytest.mark.parametrize(
    ("answers", "percent"),
    [
        ({YEAR: "1976"}, 100.0),
        ({YEAR: "1999"}, 0.0),
        ({YEAR: "1976", SINGERS: "Beyonce", CLIMATE: "climate change"}, 66.66666666666667),
    ],
)
def test_squad_v2_gives_the_values_of_the_metric_card(
    evaluate: Evaluate, write: Write, answers: dict[str, str], percent: float
) -> None:
    # The three examples of the card of the metric squad_v2, values as printed there.
    data, predictions = listed(answers)
    total = len(answers)
    values = evaluate.json("squad_v2", write("d.json", data), write("p.json", predictions))
    assert values == {
        "exact": percent,
        "f1": percent,
        "total": total,
        "HasAns_exact": percent,
        "HasAns_f1": percent,
        "HasAns_total": total,
        "best_exact": percent,
        "best_exact_thresh": 0.0,
        "best_f1": percent,
        "best_f1_thresh": 0.0,
    }


def test_squad_v2_takes_probabilities_from_one_place(evaluate: Evaluate, write: Write) -> None:
    data, predictions = (write(f"{i}.json", text) for i, text in enumerate(listed({YEAR: "1976"})))
    na_probs = write("na.json", "{}")
    assert evaluate.error("squad_v2", data, predictions, "--na-probs", na_probs) == (
        f"CommandError: {predictions}: has no-answer probabilities of its own; give them once\n"
    )


def test_squad_v2_names_the_list_that_misses_a_probability(
    evaluate: Evaluate, write: Write
) -> None:
    lines: list[dict[str, Any]] = [
        {"id": key, "prediction_text": "x", "no_answer_probability": 0.5}
        for key in ("capital", "river")
    ]
    path = write("p.jsonl", lines)
    assert evaluate.error("squad_v2", write("d.json", SQUAD), path, "--missing", "empty") == (
        f"CommandError: {path}, field nobody: has no no-answer probability\n"
    )


def test_squad_v1_prints_its_two_values(evaluate: Evaluate, write: Write) -> None:
    # river: 3 shared words of 5 and of 4, F1 = 2/3
    data = write("d.json", SQUAD.replace(',\n{"id": "nobody", "answers": []}', ""))
    predictions = write("p.json", PREDICTIONS)
    assert evaluate.json("squad_v1", data, predictions) == {
        "exact_match": 50.0,
        "f1": 83.33333333333333,
        "total": 2,
        "predictions_ignored": 1,
    }


def test_squad_v1_names_what_it_cannot_score(evaluate: Evaluate, write: Write) -> None:
    data, predictions = write("d.json", SQUAD), write("p.json", '{"capital": "Paris"}')
    assert evaluate.error("squad_v1", data, predictions) == (
        f"CommandError: {predictions}, field river: has no prediction;"
        " --missing zero gives it nothing\n"
    )
    assert evaluate.error("squad_v1", data, predictions, "--missing", "zero") == (
        f"CommandError: {data}, field nobody: has no answer, as in SQuAD 2.0\n"
    )


@pytest.mark.parametrize("version", ["squad_v1", "squad_v2"])
def test_predictions_of_the_whole_data_set_are_scored_on_a_part(
    evaluate: Evaluate, write: Write, version: str
) -> None:
    data = write("d.json", listed({YEAR: "1976"})[0])
    part = write("part.json", json.dumps({YEAR: "1976"}))
    whole = write("whole.json", json.dumps({SINGERS: "x", YEAR: "1976", CLIMATE: "y"}))
    values = evaluate.json(version, data, part)
    assert "predictions_ignored" not in values
    assert evaluate.json(version, data, whole) == {**values, "predictions_ignored": 2}
    assert "predictions ignored: 2" in evaluate(version, data, whole)
