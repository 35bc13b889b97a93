import pytest

from tests.tomahto.interchange.files import Write
from tomahto.interchange.judgements.squad import (
    read_no_answer_probabilities,
    read_squad_answers,
    read_squad_gold,
)
from tomahto.interchange.reading.records import InputError
from tomahto.scoring.squad import SquadQuestion

DATA = """{"version": "v2.0", "data": [
{"title": "Rivers", "paragraphs": [{"context": "c", "qas": [
 {"id": "q1", "question": "?", "answers": [{"text": "Seine"}, {"text": ""}, {"text": "Seine"}]},
 {"id": "q2", "question": "?", "answers": [], "is_impossible": true}
]}]},
{"paragraphs": [{"qas": [{"id": "q3", "answers": [{"text": "1066"}], "is_impossible": true}]}]}
]}"""
PARAGRAPH = '{"qas": [{"id": "q", "answers": []}]}'


def test_squad_gold_keeps_every_answer_as_it_stands(write: Write) -> None:
    # Repeated and empty gold answers stay, and is_impossible does not take q3's away.
    assert read_squad_gold(write("dev.json", DATA)) == [
        SquadQuestion("q1", ("Seine", "", "Seine")),
        SquadQuestion("q2", ()),
        SquadQuestion("q3", ("1066",)),
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{}", "dev.json, line 1, field data: is missing; is this a SQuAD file?"),
        ('{"data": []}', "dev.json: holds no question"),
        ('{"data": [{"title": "t"}]}', "dev.json, line 1, field data[0].paragraphs: is missing"),
        (
            '{"data": [\n{"paragraphs": [7]}]}',
            "dev.json, line 2, field data[0].paragraphs[0]: must be an object, not a number",
        ),
        (
            '{"data": [{"paragraphs": [{"qas": [{"id": "q"}]}]}]}',
            "dev.json, line 1, field data[0].paragraphs[0].qas[0].answers: is missing",
        ),
        (
            '{"data": [{"paragraphs": [{"qas": [{"id": "q", "answers": [{"text": []}]}]}]}]}',
            "field data[0].paragraphs[0].qas[0].answers[0].text: must be text, not an array",
        ),
        (
            f'{{"data": [{{"paragraphs": [{PARAGRAPH},\n{PARAGRAPH}]}}]}}',
            "dev.json, line 2, field id: the question id 'q' is also on line 1",
        ),
        ('{"data": []} x', "dev.json, line 1: has more text after the end of the JSON document"),
    ],
)
def test_squad_gold_tells_where_the_data_are_wrong(
    write: Write, content: str, message: str
) -> None:
    with pytest.raises(InputError) as caught:
        read_squad_gold(write("dev.json", content))
    assert message in str(caught.value)


def test_squad_answers_are_a_mapping_in_any_importable_format(write: Write) -> None:
    expected = {"q1": "Seine", "q2": ""}
    for name, content in (
        ("p.json", '{"q1": "Seine", "q2": ""}'),
        ("p.csv", "id,prediction\nq1,Seine\nq2,\n"),
        ("p.jsonl", '{"id": "q1", "candidate": "Seine"}\n{"id": "q2", "candidate": ""}\n'),
    ):
        assert read_squad_answers(write(name, content)) == (expected, None)


def test_no_answer_probabilities_keep_order_and_kind(write: Write) -> None:
    path = write("na.json", '{"q2": 1, "q1": 0.25, "q3": -3.5e0}')
    assert repr(read_no_answer_probabilities(path)) == "{'q2': 1, 'q1': 0.25, 'q3': -3.5}"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"q1":\nNaN}', "na.json, line 2: NaN is not a JSON number"),
        ('{"q1": Infinity}', "na.json, line 1: Infinity is not a JSON number"),
        ('{"q1": 1e999}', "na.json, line 1: the number 1e999 is out of range"),
        ('{"q1": "0.5"}', "na.json, line 1, field q1: must be a number, not text"),
        ('{"q1": true}', "na.json, line 1, field q1: must be a number, not true or false"),
        ('{"q1": 0,\n"q1": 1}', "na.json, line 2: the key 'q1' is also on line 1"),
        ('{"q1": 0}]', "na.json, line 1: has more text after the end of the JSON document"),
        ("[0.5]", "na.json, line 1: an object was expected here"),
    ],
)
def test_no_answer_probabilities_tell_where_they_are_wrong(
    write: Write, content: str, message: str
) -> None:
    with pytest.raises(InputError) as caught:
        read_no_answer_probabilities(write("na.json", content))
    assert message in str(caught.value)
