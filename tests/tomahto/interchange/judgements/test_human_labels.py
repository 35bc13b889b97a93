"""Whoever reads labelled answers reads the same labels, and refuses the same ones."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tasks.protocols import protocols
from tests.tomahto.interchange.files import Write
from tomahto.interchange.judgements.evaluation import read_candidates, read_judged_rows
from tomahto.interchange.judgements.judged_lines import judged_data_of_lines
from tomahto.interchange.judgements.pairs import read_labelled_pairs
from tomahto.interchange.judgements.published import read_answers
from tomahto.matching.human_labels import VERDICTS

PAIR: dict[str, object] = {"question": "Who?", "reference": "Ada", "candidate": "Ada L."}
Read = Callable[[Path], list[bool]]


def metric_vs_human(path: Path) -> list[bool]:
    return [row.is_right for row in read_judged_rows(path)[""]]


def report(path: Path) -> list[bool]:
    return [item.is_right for item in judged_data_of_lines(path, protocols().values()).data.items]


def reproduce(path: Path) -> list[bool]:
    return [bool(answer.is_right) for answer in read_answers(path)]


def training(path: Path) -> list[bool]:
    return [example.correct for example in read_labelled_pairs(path).rows]


READERS = pytest.mark.parametrize("read", [metric_vs_human, report, reproduce, training])


@READERS
@pytest.mark.parametrize(
    "labels",
    [
        [True, False, True],
        [1, 0, 1],
        [1.0, 0.0, 1.0],
        ["correct", "incorrect", "correct"],
        [True, False, "correct"],
        ["equivalent", "not-equivalent", "equivalent"],
        ["exact", "partial", "overinclusive-valid"],
    ],
)
def test_all_readers_know_every_spelling(write: Write, read: Read, labels: list[object]) -> None:
    rows = [{**PAIR, "score": 0.5, "label": label} for label in labels]
    assert read(write("labelled.jsonl", rows)) == [True, False, True]


@READERS
@pytest.mark.parametrize("label", ["yes", "syntactic", "", 2, 0.5, None, []])
def test_all_readers_refuse_what_is_no_label(write: Write, read: Read, label: object) -> None:
    rows = [{**PAIR, "score": 0.5, "label": each} for each in (1, label)]
    path = write("labelled.jsonl", rows)
    words = f"true, false, 1, 0, {', '.join(VERDICTS)}"
    problem = "is missing" if label is None else f"{label!r} is not one of {words}"
    with pytest.raises(ValueError, match=r"labelled\.jsonl, line 2, field label: ") as caught:
        read(path)
    assert str(caught.value).partition("field label: ")[2] == problem


@pytest.mark.parametrize("read", [metric_vs_human, report])
def test_fields_of_some_lines_only_are_refused_in_the_same_words(write: Write, read: Read) -> None:
    row = {**PAIR, "score": 0.5, "label": 1}
    path = write("labelled.jsonl", [row, {**row, "split": "dev"}])
    problem = "line 2, field split: must be on all lines or on none; compare line 1$"
    with pytest.raises(ValueError, match=problem):
        read(path)


@READERS
def test_all_readers_refuse_the_verdicts_of_a_matcher(write: Write, read: Read) -> None:
    """As `score_pairs` wrote them until 0.1.0, in place of people's."""
    scored: list[tuple[float, object]] = [(0.2, False), (0.7, True)]
    rows = [{**PAIR, "score": score, "label": label} for score, label in scored]
    with pytest.raises(ValueError, match="line 1, field label: may be the verdict of a matcher"):
        read(write("scored.jsonl", rows))
    beside = [{**row, "accepted": row["label"]} for row in rows]
    assert read(write("beside.jsonl", beside)) == [False, True]


def test_admissible_candidates_are_labelled_alike(write: Write) -> None:
    rows: list[dict[str, object]] = [
        {"scores": [1, 2, 3], "admissible": [True, "incorrect", 1], "fold": "test"}
    ]
    (question,) = read_candidates(write("candidates.jsonl", rows))
    assert question.admissible == [True, False, True]


def test_labels_drawn_in_a_tie_are_nobodys(
    write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    said = {"question": "q", "references": ["r"], "candidate": "c", "score": 0.7}
    lines = [
        {**said, "label": "equivalent", "label_source": "majority"},
        {**said, "label": "not-equivalent", "label_source": "tie", "score": 0.9},
        {**said, "label": "not-equivalent", "label_source": "adjudicated", "score": 0.2},
    ]
    path = write("items.jsonl", "".join(f"{json.dumps(line)}\n" for line in lines))
    for read in (metric_vs_human, report, training):
        assert read(path) == [True, False]
    assert capsys.readouterr().err == "1 line left out: label drawn in a tie\n" * 3
