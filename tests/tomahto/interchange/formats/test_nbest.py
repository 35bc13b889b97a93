"""Lists of answers that a system weighed: as SQuAD's scripts write them, and as JSON lines."""

import json

import pytest

from tests.tomahto.interchange.files import Write
from tomahto.interchange.campaigns.predictions import read_predictions
from tomahto.interchange.reading.records import InputError, PredictionRecord, Source


def logits(text: str, start: float, end: float, probability: float) -> dict[str, object]:
    return {"text": text, "probability": probability, "start_logit": start, "end_logit": end}


# The second question is answered by abstaining, though a span scores more.
SQUAD = {
    "q1": [logits("Rome", 5.5, 4.0, 0.9), logits("in Rome", 2.0, 1.5, 0.1)],
    "q2": [logits("", 1.0, 1.0, 0.5), logits("x", 0.0, -1.0, 0.1), logits("y", 2.0, 1.0, 0.4)],
}


def test_squads_nbest_file_is_known_whatever_its_name(write: Write) -> None:
    for name in ("nbest_predictions.json", "p"):
        path = write(name, json.dumps(SQUAD, indent=4))
        assert list(read_predictions(path, format=None)) == [
            PredictionRecord(Source(str(path), 2), "q1", "Rome", 9.5, (("in Rome", 3.5),)),
            PredictionRecord(Source(str(path), 16), "q2", "", 2.0, (("y", 3.0), ("x", -1.0))),
        ]


def test_json_lines_of_answers_are_known_by_their_field(write: Write) -> None:
    rows: list[dict[str, object]] = [
        {"answers": [{"text": "a", "score": -1}, {"text": "b", "score": -2.5}], "id": 1},
        {"qid": "q2", "answers": [{"text": "c", "score": 0}]},
    ]
    path = write("p.jsonl", rows)
    assert list(read_predictions(path, format=None)) == [
        PredictionRecord(Source(str(path), 1), "1", "a", -1.0, (("b", -2.5),)),
        PredictionRecord(Source(str(path), 2), "q2", "c", 0.0),
    ]


def test_text_that_comes_twice_counts_once(write: Write) -> None:
    answers = [logits("a", 3, 3, 0.6), logits("b", 1, 1, 0.2), logits("a", 0, 1, 0.2)]
    (record,) = read_predictions(write("p.json", json.dumps({"q": answers})), format=None)
    assert (record.candidate, record.score, record.alternatives) == ("a", 6.0, (("b", 2.0),))


@pytest.mark.parametrize(
    ("fields", "score"),
    [
        ({"start_log_prob": -0.5, "end_log_prob": -0.25, "probability": 0.9}, -0.75),
        ({"probability": 0.9}, 0.9),
        ({"score": 7, "probability": 0.9}, 7.0),
    ],
)
def test_scores_are_what_the_file_has(
    fields: dict[str, object], score: float, write: Write
) -> None:
    path = write("p.json", json.dumps({"q": [{"text": "a", **fields}]}))
    assert [record.score for record in read_predictions(path, format=None)] == [score]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("p.json", {"q1": []}, "p.json, line 1, field q1: has no answer"),
        (
            "p.json",
            {"q1": [logits("a", 1, 1, 1), {"text": "b", "probability": 0.5}]},
            "p.json, line 1, field q1[1].start_logit: is missing",
        ),
        (
            "p.json",
            {"q1": [{"text": "a"}]},
            (
                "p.json, line 1, field q1[0].score: is missing, and so are start_logit and "
                "end_logit, start_log_prob and end_log_prob, probability"
            ),
        ),
        ("p.json", {"q1": ["x"]}, "p.json, line 1, field q1[0]: must be an object, not text"),
        (
            "p.json",
            {"q1": [logits("a", 1, 1, 1), logits("b", 1e308, 1e308, 1)]},
            (
                "p.json, line 1, field q1[1].end_logit: is out of range once added up with the"
                " others"
            ),
        ),
        (
            "p.jsonl",
            {"id": "q", "answers": [{"text": "a", "start_logit": -1e308, "end_logit": -1e308}]},
            (
                "p.jsonl, line 1, field answers[0].end_logit: is out of range once added up with"
                " the others"
            ),
        ),
        ("p.json", {"q1": [{"probability": 1}]}, "p.json, line 1, field q1[0].text: is missing"),
        ("p.json", {"": [logits("a", 1, 1, 1)]}, "p.json, line 1, field id: is empty"),
        (
            "p.jsonl",
            {"id": "q", "answers": "a"},
            "p.jsonl, line 1, field answers: must be an array, not text",
        ),
        (
            "p.jsonl",
            {"answers": [{"text": "a", "score": 1}]},
            "p.jsonl, line 1, field id: is missing (or qid)",
        ),
    ],
)
def test_lists_that_cannot_be_read_are_refused(
    name: str, content: object, message: str, write: Write
) -> None:
    path = write(name, json.dumps(content))
    with pytest.raises(InputError) as caught:
        list(read_predictions(path, format=None, name=name))
    assert str(caught.value) == message
