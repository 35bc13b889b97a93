import pytest

from tests.tomahto.interchange.files import Write
from tomahto.interchange.judgements.labels import (
    ExplainedAnswer,
    LabelledScore,
    questions_of,
    read_explained_answers,
    read_labelled_scores,
)
from tomahto.interchange.reading.records import InputError, Source

CLASSES = ["good", "bad"]


def test_one_class_and_score_go_by_their_field(write: Write) -> None:
    path = write(
        "s.jsonl",
        '{"score": 1, "class": "good", "classes": 3}\n'
        '{"class": "bad", "score": -0.5, "question": 7}\n',
    )
    assert list(read_labelled_scores(path, CLASSES)) == [
        LabelledScore(Source(str(path), 1), {"class": "good"}, {"score": 1.0}, None),
        LabelledScore(Source(str(path), 2), {"class": "bad"}, {"score": -0.5}, "7"),
    ]


def test_several_classes_and_scores_are_read_by_name(write: Write) -> None:
    path = write(
        "s.jsonl",
        '{"classes": {"a": "good", "b": "bad"}, "scores": {"m": 0}, "question": " q "}\n',
    )
    assert list(read_labelled_scores(path, CLASSES)) == [
        LabelledScore(Source(str(path), 1), {"a": "good", "b": "bad"}, {"m": 0.0}, "q")
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\n", "holds no line"),
        ('{"score": 1}', "line 1, field class: is missing"),
        ('{"class": "good"}', "line 1, field score: is missing"),
        ('{"class": "odd", "score": 1}', "line 1, field class: 'odd' is not one of good, bad"),
        ('{"class": "good", "scores": {"m": null}}', "line 1, field scores.m: is missing"),
    ],
)
def test_labelled_scores_name_the_field_that_is_wrong(
    write: Write, text: str, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        list(read_labelled_scores(write("s.jsonl", text + "\n"), CLASSES))


def test_questions_are_named_by_all_lines_or_none() -> None:
    one, two = Source("f", 1), Source("f", 2)
    assert questions_of([(one, "q"), (two, "r")]) == ["q", "r"]
    assert questions_of([(one, "Who is it？"), (two, "who is it")]) == ["who is it"] * 2
    assert questions_of([(one, None), (two, None)]) is None
    with pytest.raises(InputError, match="f, line 2, field question: must be on all lines or"):
        questions_of([(one, "q"), (two, None)])


def test_explained_answers_are_read_from_exported_lines(write: Write) -> None:
    path = write(
        "e.jsonl",
        '{"id": "i", "question": "Where?", "class": "good", "label": true, "explanation": {'
        '"score": 0.9, "forward": {"entailment": 0.9, "neutral": 0.06, "contradiction": 0.04},'
        ' "backward": {"entailment": 1, "neutral": 0, "contradiction": 0}}}\n',
    )
    assert list(read_explained_answers(path, CLASSES)) == [
        ExplainedAnswer(Source(str(path), 1), "good", "Where?", (0.9, 0.06), (1.0, 0.0))
    ]
    with pytest.raises(InputError, match="holds no line"):
        list(read_explained_answers(write("n.jsonl", "\n"), CLASSES))


def test_the_label_of_a_released_item_is_its_class(write: Write) -> None:
    path = write("s.jsonl", '{"label": "good", "score": 1}\n{"class": "bad", "score": 0}\n')
    rows = list(read_labelled_scores(path, CLASSES))
    assert [row.classes for row in rows] == [{"class": "good"}, {"class": "bad"}]


def test_two_classes_of_one_answer_are_refused(write: Write) -> None:
    path = write("s.jsonl", '{"label": "good", "class": "bad", "score": 1}\n')
    with pytest.raises(InputError, match=r"line 1, field class: differs from label"):
        list(read_labelled_scores(path, CLASSES))
