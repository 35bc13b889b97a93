import json

import pytest

from tests.tomahto.interchange.files import Write
from tomahto.interchange.judgements.squad import read_squad_answers, read_squad_gold
from tomahto.interchange.reading.records import InputError
from tomahto.scoring.squad import SquadQuestion

GOLD: list[dict[str, object]] = [
    {"id": "q1", "answers": {"text": ["Seine", "", "Seine"], "answer_start": [1, 1, 1]}},
    {"id": "q2", "answers": {"text": [], "answer_start": []}, "title": "passed over"},
    {"id": "q3", "answers": [{"text": "1066", "answer_start": 3}]},
]
ANSWERS: list[dict[str, object]] = [
    {"id": "q3", "prediction_text": "in 1066", "no_answer_probability": 0.25},
    {"id": "q1", "prediction_text": "", "no_answer_probability": 1},
]


def test_lists_are_an_array_or_lines(write: Write) -> None:
    questions = [
        SquadQuestion("q1", ("Seine", "", "Seine")),
        SquadQuestion("q2", ()),
        SquadQuestion("q3", ("1066",)),
    ]
    texts = {"q3": "in 1066", "q1": ""}
    assert read_squad_gold(write("gold.json", json.dumps(GOLD, indent=1))) == questions
    assert read_squad_gold(write("gold.jsonl", GOLD)) == questions
    assert read_squad_gold(write("one.json", GOLD[:1])) == questions[:1]
    for path in (write("p.json", json.dumps(ANSWERS)), write("p.jsonl", ANSWERS)):
        given = read_squad_answers(path)
        assert given.texts == texts
        assert repr(given.na_probs) == "{'q3': 0.25, 'q1': 1}"  # in order, whole as written


def test_lists_need_no_probabilities(write: Write) -> None:
    path = write("p.json", '[{"id": 7, "prediction_text": "x"}]')
    assert read_squad_answers(path) == ({"7": "x"}, None)


def test_a_long_first_line_is_a_line(write: Write) -> None:
    row: dict[str, object] = {"context": "x" * 70_000, "id": "q", "answers": {"text": ["x"]}}
    assert read_squad_gold(write("long.jsonl", [row])) == [SquadQuestion("q", ("x",))]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[]", "g.json: holds no question"),
        ('[{"id": "q"}]', "g.json, line 1, field [0].answers: is missing"),
        ("[\n7]", "g.json, line 2, field [0]: must be an object, not a number"),
        (
            '[{"id": "q", "answers": {"text": "x"}}]',
            "field [0].answers.text: must be an array, not text",
        ),
        (
            '[{"id": "q", "answers": {"text": ["x", null]}}]',
            "field [0].answers.text[1]: must be text, not null",
        ),
        (
            '[{"id": "q", "answers": {"text": []}},\n{"id": "q", "answers": []}]',
            "g.json, line 2, field id: the question id 'q' is also on line 1",
        ),
        ('[{"id": "q", "answers": []}] x', "has more text after the end of the JSON document"),
    ],
)
def test_listed_gold_tells_where_it_is_wrong(write: Write, content: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_squad_gold(write("g.json", content))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("second", "message"),
    [
        ({"id": "q2"}, "p.jsonl, line 2, field prediction_text: is missing"),
        (
            {"id": "q2", "prediction_text": "x"},
            "line 2, field no_answer_probability: must be in all predictions or in none",
        ),
        (
            {"id": "q2", "prediction_text": "x", "no_answer_probability": "0.5"},
            "line 2, field no_answer_probability: must be a number, not text",
        ),
        (ANSWERS[0], "line 2, field id: the question id 'q3' is also on line 1"),
    ],
)
def test_listed_answers_tell_where_they_are_wrong(
    write: Write, second: dict[str, object], message: str
) -> None:
    with pytest.raises(InputError) as caught:
        read_squad_answers(write("p.jsonl", [ANSWERS[0], second]))
    assert message in str(caught.value)
