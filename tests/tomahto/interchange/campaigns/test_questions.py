import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.tomahto.interchange.files import Write
from tomahto.interchange.campaigns.questions import read_questions
from tomahto.interchange.reading.records import InputError, QuestionRecord, Source

CONTEXT = "The Normans came from Denmark, Iceland and Norway; Rollo led them from Norway."


def squad_2() -> dict[str, object]:
    """Two articles with the shapes that SQuAD 2.0 has: repeated, plausible and no answers."""
    origin = {
        "id": "q1",
        "question": "From where did they come?",
        "is_impossible": False,
        "answers": [
            {"text": "Denmark", "answer_start": 22},
            {"text": "Norway", "answer_start": 71},
            {"text": "Denmark", "answer_start": 22},
            {"text": "Norway", "answer_start": 43},
        ],
    }
    impossible = {
        "id": "q2",
        "question": "Who led them to Spain?",
        "is_impossible": True,
        "answers": [],
        "plausible_answers": [{"text": "Rollo", "answer_start": 51}],
    }
    paragraphs = [{"context": CONTEXT, "qas": [origin, impossible]}]
    return {"version": "v2.0", "data": [{"title": "Normans", "paragraphs": paragraphs}]}


def question(path: Path, line: int, text: str, *references: str) -> QuestionRecord:
    """A question without id, document, context and starts."""
    return QuestionRecord(
        source=Source(str(path), line),
        key=None,
        document=None,
        text=text,
        context="",
        references=references,
        answer_starts=(None,) * len(references),
        is_unanswerable=not references,
    )


def test_squad_2_questions_have_distinct_references_and_starts(write: Write) -> None:
    path = write("dev.json", json.dumps(squad_2()))
    assert list(read_questions(path, format=None)) == [
        QuestionRecord(
            source=Source(str(path), 1),
            key="q1",
            document="Normans",
            text="From where did they come?",
            context=CONTEXT,
            references=("Denmark", "Norway"),
            answer_starts=(22, 71),
        ),
        QuestionRecord(
            source=Source(str(path), 1),
            key="q2",
            document="Normans",
            text="Who led them to Spain?",
            context=CONTEXT,
            references=(),
            answer_starts=(),
            is_unanswerable=True,
        ),
    ]


def test_squad_questions_whose_answers_are_not_given_are_not_unanswerable(write: Write) -> None:
    asked = [{"id": "q1", "question": "Who?"}, {"id": "q2", "question": "When?", "answers": []}]
    data = {"data": [{"title": "t", "paragraphs": [{"context": "c", "qas": asked}]}]}
    read = read_questions(write("test.json", json.dumps(data)), format="squad")
    assert [(q.key, q.references, q.is_unanswerable) for q in read] == [
        ("q1", (), False),
        ("q2", (), True),
    ]


def test_squad_line_is_the_paragraphs_and_the_path_leads_to_the_field(write: Write) -> None:
    text = json.dumps(squad_2(), indent=1).replace('"text": "Denmark"', '"text": true')
    line = 1 + text[: text.index('"context"')].count("\n") - 1  # the brace on the line before
    with pytest.raises(InputError) as caught:
        list(read_questions(write("dev.json", text), format="squad", name="dev.json"))
    field = "data[0].paragraphs[0].qas[0].answers[0].text"
    message = f"dev.json, line {line}, field {field}: must be text, not true or false"
    assert str(caught.value) == message


def test_squad_title_may_come_after_its_paragraphs(write: Write) -> None:
    data = squad_2()
    assert isinstance(data["data"], list)
    before = list(read_questions(write("a.json", json.dumps(data)), format=None, name="a.json"))
    data["data"] = [dict(reversed(article.items())) for article in data["data"]]
    after = list(read_questions(write("a.json", json.dumps(data)), format=None, name="a.json"))
    assert after == before


def test_squad_1_1_without_ids_titles_and_starts_is_read(write: Write) -> None:
    answers = [{"text": "b"}, {"text": "b", "answer_start": None}, {"text": "c"}]
    paragraph = {"context": "a b", "qas": [{"question": "q?", "answers": answers}]}
    path = write("dev.json", json.dumps({"data": [{"paragraphs": [paragraph]}]}))
    assert list(read_questions(path, format=None)) == [
        replace(question(path, 1, "q?", "b", "c"), context="a b")
    ]


def test_squad_question_without_a_passage_is_read(write: Write) -> None:
    paragraph = {"context": "", "qas": [{"question": "q?", "answers": [{"text": "b"}]}]}
    path = write("dev.json", json.dumps({"data": [{"paragraphs": [paragraph]}]}))
    assert list(read_questions(path, format=None)) == [question(path, 1, "q?", "b")]


def test_squad_starts_that_do_not_point_at_their_text_are_dropped(write: Write) -> None:
    starts = (-1, 1, 3, 10**9, 0)  # "Ab" stands at 0 only
    qas = [
        {"question": "q?", "answers": [{"text": "Ab", "answer_start": start}]} for start in starts
    ]
    data = {"data": [{"title": "t", "paragraphs": [{"context": "Ab cd", "qas": qas}]}]}
    path = write("dev.json", json.dumps(data))
    read = [record.answer_starts for record in read_questions(path, format=None)]
    assert read == [(None,), (None,), (None,), (None,), (0,)]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"version": "1"}, "line 1, field data: is missing; is this a SQuAD file?"),
        ({"data": {}}, "line 1: an array was expected here"),
        ({"data": [7]}, "line 1: an object was expected here"),
        ({"data": [{}]}, "line 1, field data[0].paragraphs: is missing"),
        (
            {"data": [{"title": 7.5, "paragraphs": []}]},
            "line 1, field data[0].title: must be text, not a number",
        ),
        (
            {"data": [{"paragraphs": ["a"]}]},
            "line 1, field data[0].paragraphs[0]: must be an object, not text",
        ),
        (
            {"data": [{"paragraphs": [{"qas": []}]}]},
            "line 1, field data[0].paragraphs[0].context: is missing",
        ),
        (
            {"data": [{"paragraphs": [{"context": "a"}]}]},
            "line 1, field data[0].paragraphs[0].qas: is missing",
        ),
        (
            {"data": [{"paragraphs": [{"context": "a", "qas": [{"id": "1", "answers": []}]}]}]},
            "line 1, field data[0].paragraphs[0].qas[0].question: is missing",
        ),
    ],
)
def test_squad_file_of_another_shape_is_refused(
    content: dict[str, object], message: str, write: Write
) -> None:
    path = write("dev.json", json.dumps(content))
    with pytest.raises(InputError) as caught:
        list(read_questions(path, format=None, name="dev.json"))
    assert str(caught.value) == f"dev.json, {message}"


def test_json_lines_questions_have_all_fields(write: Write) -> None:
    row: dict[str, object] = {
        "id": 7,
        "document": "d",
        "question": " q? ",
        "context": "a b",
        "references": ["b", "a", "b"],
        "answer_starts": [2, None, 2],
        "extra": [{"ignored": 1.5}],
    }
    path = write("q.jsonl", [row])
    assert list(read_questions(path, format=None)) == [
        QuestionRecord(
            source=Source(str(path), 1),
            key="7",
            document="d",
            text=" q? ",
            context="a b",
            references=("b", "a"),
            answer_starts=(2, None),
        )
    ]


def test_json_lines_references_go_by_three_names(write: Write) -> None:
    rows: list[dict[str, object]] = [
        {"question": "1", "reference": "a"},
        {"question": "2", "answers": ["b", "c"]},
        {"question": "3", "references": [], "answers": ["ignored"]},
        {"question": "4", "references": None, "reference": "d", "id": "", "context": None},
    ]
    path = write("q.jsonl", rows)
    assert list(read_questions(path, format="jsonl")) == [
        question(path, 1, "1", "a"),
        question(path, 2, "2", "b", "c"),
        question(path, 3, "3"),
        question(path, 4, "4", "d"),
    ]


def test_csv_questions_have_the_fields_of_json_lines(write: Write) -> None:
    text = (
        "id,document,question,context,references,answer_starts\n"
        '1,d,q?,a b,"[""b"", ""a""]","[2, null]"\n'
        ",,r?,,'=1,\n"
    )
    path = write("q.csv", text)
    assert list(read_questions(path, format=None)) == [
        QuestionRecord(
            source=Source(str(path), 2),
            key="1",
            document="d",
            text="q?",
            context="a b",
            references=("b", "a"),
            answer_starts=(2, None),
        ),
        question(path, 3, "r?", "=1"),
    ]


def test_nq_open_questions_have_references_and_no_context(write: Write) -> None:
    rows: list[dict[str, object]] = [
        {"question": "who?", "answer": ["a", "b", "a"]},
        {"question": "when?", "answer": []},
    ]
    path = write("NQ-open.dev.jsonl", rows)
    expected = [question(path, 1, "who?", "a", "b"), question(path, 2, "when?")]
    assert list(read_questions(path, format=None)) == expected
    assert list(read_questions(path, format="nq-open")) == expected


def test_questions_before_a_wrong_line_are_read(write: Write) -> None:
    path = write("q.jsonl", '{"question": "a", "reference": "b"}\n{"question": 7}\n')
    questions = read_questions(path, format=None)
    assert next(questions) == question(path, 1, "a", "b")
    with pytest.raises(InputError):
        next(questions)
