import json
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from tests.tomahto.interchange.files import Write
from tomahto.estimates.bootstrap import numbered
from tomahto.interchange.judgements.evaluation import (
    ClassScore,
    QuestionCandidates,
    UnitRating,
    read_candidates,
    read_class_scores,
    read_judged_rows,
    read_unit_ratings,
)
from tomahto.interchange.judgements.pairs import read_labelled_pairs
from tomahto.interchange.reading.records import InputError, Source
from tomahto.matching.accuracy import question_numbers
from tomahto.matching.scores import RankedAnswers
from tomahto.scoring.metric_vs_human import JudgedRow

CALIBRATION = '{"scores": [1], "admissible": [1], "fold": "calibration"}\n'
APPROXIMATE = ', "approximate": [1]}'


def test_unit_ratings_stay_as_written(write: Write) -> None:
    path = write("r.csv", 'rater,note,unit,value\nA,x,u1,1.0\n\nB,,"u\n2",no\nA,y,u3,\'-1\n')
    assert list(read_unit_ratings(path)) == [
        UnitRating(Source(str(path), 2), "u1", "A", "1.0"),
        UnitRating(Source(str(path), 4), "u\n2", "B", "no"),
        UnitRating(Source(str(path), 6), "u3", "A", "-1"),
    ]


def test_class_scores_are_read_in_order(write: Write) -> None:
    path = write("s.jsonl", '{"score": 1, "class": "good"}\n\n{"class": "bad", "score": -0.5}\n')
    assert list(read_class_scores(path, ["good", "bad"])) == [
        ClassScore("good", 1.0),
        ClassScore("bad", -0.5),
    ]


def test_judged_rows_take_flags_and_numbers_for_labels(write: Write) -> None:
    path = write(
        "m.jsonl",
        '{"score": 0.5, "label": true, "question": 7, "system": "s", "split": "dev"}\n'
        '{"score": 0, "label": 0.0, "question": "8", "system": "t", "split": "test"}\n',
    )
    assert read_judged_rows(path) == {
        "": [
            JudgedRow(0.5, True, "7", ("s",), "dev"),
            JudgedRow(0.0, False, "8", ("t",), "test"),
        ]
    }


def test_judged_rows_take_the_systems_of_a_release(write: Write) -> None:
    lines: list[dict[str, object]] = [
        {"systems": ["s", "t", "s"]},
        {"systems": "t"},
        {"systems": []},
        {"system": 7},
    ]
    path = write("m.jsonl", [{"score": 1, "label": True, **line} for line in lines])
    [rows] = read_judged_rows(path).values()
    assert [row.systems for row in rows] == [("s", "t"), ("t",), (), ("7",)]


def test_judged_rows_are_of_as_many_questions_as_examples_to_learn_from(write: Write) -> None:
    questions = ["Who’s René?", "who's Rene\u0301？", "Whose is it?", "Who's René?"]
    lines = [
        {"question": text, "reference": "x", "candidate": "x", "score": 1, "label": "correct"}
        for text in questions
    ]
    path = write("q.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    examples = read_labelled_pairs(path).rows
    assert numbered([row.question for row in read_judged_rows(path)[""]]).tolist() == [0, 0, 1, 0]
    assert question_numbers(examples).tolist() == [0, 0, 1, 0]


def test_judged_rows_of_several_metrics_are_kept_apart(write: Write) -> None:
    path = write(
        "m.jsonl",
        '{"scores": {"f1": 0.5, "em": 0}, "label": true, "question": "q"}\n'
        '{"scores": {"em": 1, "f1": 0.75}, "label": false, "question": "q"}\n',
    )
    assert read_judged_rows(path) == {
        "f1": [JudgedRow(0.5, True, "q"), JudgedRow(0.75, False, "q")],
        "em": [JudgedRow(0.0, True, "q"), JudgedRow(1.0, False, "q")],
    }


def test_candidates_keep_their_lists_together(write: Write) -> None:
    path = write(
        "c.jsonl",
        '{"scores": [-1, 0.5], "admissible": [1, false], "fold": "calibration",'
        ' "approximate": [0, 1]}\n{"scores": [], "admissible": [], "fold": "test"}\n',
    )
    assert list(read_candidates(path)) == [
        QuestionCandidates(
            Source(str(path), 1), "calibration", [-1.0, 0.5], [True, False], [False, True]
        ),
        QuestionCandidates(Source(str(path), 2), "test", [], [], None),
    ]


def test_candidates_may_come_without_folds_and_with_texts(write: Write) -> None:
    line = {
        "scores": [-1, 0.5],
        "admissible": [1, 0],
        "question": "Where?",
        "references": [],
        "answers": ["", "here"],
    }
    path = write("c.jsonl", [line, {**line, "fold": "odd", "context": "Here."}])
    read = read_candidates(path, with_folds=False, with_texts=True)
    assert [(one.fold, one.texts) for one in read] == [
        (None, RankedAnswers("Where?", "", (), ("", "here"))),
        (None, RankedAnswers("Where?", "Here.", (), ("", "here"))),
    ]


def _tried(path: Path) -> Iterable[QuestionCandidates]:
    return read_candidates(path, with_folds=False)


def _with_texts(path: Path) -> Iterable[QuestionCandidates]:
    return read_candidates(path, with_texts=True)


def _class_scores(path: Path) -> Iterable[ClassScore]:
    return read_class_scores(path, ["good", "bad"])


@pytest.mark.parametrize(
    ("read", "content", "message"),
    [
        (read_unit_ratings, "unit,value\nu,1\n", "line 1, field rater: is missing in the header"),
        (read_unit_ratings, "unit,rater,value\nu,A,1\nu,B,\n", "line 3, field value: is missing"),
        (_class_scores, "", "f.jsonl: holds no line"),
        (_class_scores, '{"class": "good"}', "line 1, field score: is missing"),
        (_class_scores, '\n{"class": "odd", "score": 1}', "line 2, field class: 'odd' is not one"),
        (
            _class_scores,
            '{"class": "bad", "score": "1"}',
            "field score: must be a number, not text",
        ),
        (_class_scores, '{"class": "bad", "score": NaN}', "line 1: NaN is not a JSON number"),
        (read_judged_rows, '{"label": 1}', "line 1, field score: is missing"),
        (
            read_judged_rows,
            '{"scores": [1], "label": 1}',
            "line 1, field scores: must be an object, not an array",
        ),
        (
            read_judged_rows,
            '{"scores": {}, "label": 1}',
            "line 1, field scores: must map names of metrics to scores",
        ),
        (
            read_judged_rows,
            '{"scores": {" ": 1}, "label": 1}',
            "line 1, field scores: must map names of metrics to scores",
        ),
        (
            read_judged_rows,
            '{"scores": {"f1": "1"}, "label": 1}',
            "line 1, field scores.f1: must be a number, not text",
        ),
        (
            read_judged_rows,
            '{"scores": {"f1": 1}, "score": 1, "label": 1}',
            "line 1, field score: must not be given together with scores",
        ),
        (
            read_judged_rows,
            '{"scores": {"f1": 1}, "label": 1}\n{"scores": {"f1": 1, "em": 0}, "label": 1}',
            "line 2, field scores.em: must be on all lines or on none; compare line 1",
        ),
        (
            read_judged_rows,
            '{"scores": {"f1": 1}, "label": 1}\n{"score": 1, "label": 1}',
            "line 2, field scores.f1: must be on all lines or on none; compare line 1",
        ),
        (
            read_judged_rows,
            '{"score": 1, "label": 1}\n{"scores": {"f1": 1}, "label": 1}',
            "line 2, field score: must be on all lines or on none; compare line 1",
        ),
        (
            read_judged_rows,
            '{"score": 1, "label": 2}',
            "field label: 2 is not one of true, false, 1, 0, correct, ",
        ),
        (
            read_judged_rows,
            '{"score": 1, "label": "yes"}',
            "line 1, field label: 'yes' is not one of true, false, 1, 0, correct, ",
        ),
        (
            read_judged_rows,
            '{"score": 1, "label": 1}\n{"score": 1, "label": 1, "system": "s"}',
            "line 2, field system: must be on all lines or on none; compare line 1",
        ),
        (
            read_judged_rows,
            '{"score": 1, "label": 1, "systems": ["s"]}\n{"score": 1, "label": 1}',
            "line 2, field systems: must be on all lines or on none; compare line 1",
        ),
        (
            read_judged_rows,
            '{"score": 1, "label": 1, "systems": ["s", null]}',
            "line 1, field systems[1]: must be text, not null",
        ),
        (
            read_candidates,
            '{"scores": [1, "2"], "admissible": [1, 0], "fold": "test"}',
            "line 1, field scores[1]: must be a number, not text",
        ),
        (
            read_candidates,
            '{"scores": [1, 2], "admissible": [1], "fold": "test"}',
            "line 1, field admissible: has 1 entries for 2 scores",
        ),
        (
            read_candidates,
            '{"scores": [1], "admissible": [2], "fold": "test"}',
            "line 1, field admissible[0]: 2 is not one of true, false, 1, 0, correct, ",
        ),
        (
            read_candidates,
            '{"scores": [1], "admissible": [1], "fold": "train"}',
            "line 1, field fold: 'train' is not calibration or test",
        ),
        (
            read_candidates,
            CALIBRATION + CALIBRATION.replace("}", APPROXIMATE),
            "line 2, field approximate: all calibration lines must have it or none, as line 1",
        ),
        (
            read_candidates,
            CALIBRATION.replace("}", ', "approximate": [1, 1]}'),
            "line 1, field approximate: has 2 entries for 1 scores",
        ),
        (
            _tried,
            CALIBRATION + CALIBRATION.replace("calibration", "test").replace("}", APPROXIMATE),
            "line 2, field approximate: all lines must have it or none, as line 1",
        ),
        (_with_texts, CALIBRATION, "line 1, field answers: is missing"),
        (
            _with_texts,
            CALIBRATION.replace("}", ', "answers": [true]}'),
            "line 1, field answers[0]: must be text, not true or false",
        ),
        (
            _with_texts,
            CALIBRATION.replace("}", ', "answers": ["a"], "question": "Where?"}'),
            "line 1, field references: is missing",
        ),
    ],
)
def test_evaluation_files_tell_where_they_are_wrong(
    write: Write, read: Callable[[Path], Iterable[object]], content: str, message: str
) -> None:
    suffix = "csv" if read is read_unit_ratings else "jsonl"
    path = write(f"f.{suffix}", content)
    with pytest.raises(InputError) as caught:
        list(read(path))
    assert message in str(caught.value)
    assert str(caught.value).startswith(str(path))
