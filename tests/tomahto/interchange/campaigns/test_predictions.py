import pytest

from tests.tomahto.interchange.files import Write
from tomahto.interchange.campaigns.predictions import read_predictions
from tomahto.interchange.reading.records import InputError, PredictionRecord, Source


def test_squad_predictions_carry_their_lines(write: Write) -> None:
    path = write("p.json", '{"q1": "a",\n\n "id": "",\n"candidate": "c"}\n')
    assert list(read_predictions(path, format=None)) == [
        PredictionRecord(Source(str(path), 1), "q1", "a"),
        PredictionRecord(Source(str(path), 3), "id", ""),
        PredictionRecord(Source(str(path), 4), "candidate", "c"),
    ]


def test_json_lines_predictions_go_by_several_names(write: Write) -> None:
    rows: list[dict[str, object]] = [
        {"id": "q1", "candidate": "a", "answer": "gold"},
        {"qid": "q2", "prediction": ""},
        {"id": 3, "answer": " c "},
    ]
    path = write("p.jsonl", rows)
    assert list(read_predictions(path, format=None)) == [
        PredictionRecord(Source(str(path), 1), "q1", "a"),
        PredictionRecord(Source(str(path), 2), "q2", ""),
        PredictionRecord(Source(str(path), 3), "3", " c "),
    ]


def test_predictions_may_carry_scores(write: Write) -> None:
    rows: list[dict[str, object]] = [
        {"id": "q1", "candidate": "a", "score": -3.5},
        {"id": "q2", "candidate": "b", "score": None},
        {"id": "q3", "candidate": "c", "score": 7},
    ]
    wanted = [("q1", -3.5), ("q2", None), ("q3", 7.0)]
    lines = read_predictions(write("p.jsonl", rows), format=None)
    assert [(record.question_key, record.score) for record in lines] == wanted
    cells = write("p.csv", "id,candidate,score\nq1,a,-3.5\nq2,b,\nq3,c,7\n")
    table = read_predictions(cells, format=None)
    assert [(record.question_key, record.score) for record in table] == wanted


def test_csv_predictions_may_be_empty(write: Write) -> None:
    path = write("p.csv", "model,qid,prediction\nm,q1,\nm,q2,'-5\n")
    assert list(read_predictions(path, format=None)) == [
        PredictionRecord(Source(str(path), 2), "q1", ""),
        PredictionRecord(Source(str(path), 3), "q2", "-5"),
    ]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("p.json", '{"": "a"}', "p.json, line 1, field .id: is empty"),
        (
            "p.json",
            '{"q1":\n["a"]}',
            "p.json, line 2, field q1[0]: must be an object, not text",
        ),
        (
            "p.jsonl",
            '{"id": "q1", "candidate": "a", "score": "high"}',
            "p.jsonl, line 1, field score: must be a number, not text",
        ),
        (
            "p.csv",
            "id,candidate,score\nq1,a,high\n",
            "p.csv, line 2, field score: must be a number, not text",
        ),
        (
            "p.jsonl",
            '{"id": "q1"}',
            "p.jsonl, line 1, field candidate: is missing (or prediction, answer)",
        ),
        ("p.jsonl", '{"candidate": "a"}', "p.jsonl, line 1, field id: is missing (or qid)"),
        (
            "p.csv",
            "id,text\n",
            "p.csv, line 1, field candidate: is missing in the header (or prediction, answer)",
        ),
        ("p.csv", "id,candidate\n ,a\n", "p.csv, line 2, field id: is empty"),
    ],
)
def test_wrong_prediction_is_refused(name: str, content: str, message: str, write: Write) -> None:
    with pytest.raises(InputError) as caught:
        list(read_predictions(write(name, content), format=None, name=name))
    assert str(caught.value) == message
