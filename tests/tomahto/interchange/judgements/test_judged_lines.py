"""Judged answers from JSON lines: read whole, or refused with file, line and field."""

from hashlib import sha256
from typing import Any

import pytest

from tasks.protocols import protocols
from tests.tomahto.interchange.files import Write
from tomahto.interchange.judgements.judged_lines import judged_data_of_lines
from tomahto.interchange.reading.records import InputError
from tomahto.lab.judged import JudgedItem

KNOWN = tuple(protocols().values())
PLAIN: dict[str, object] = {
    "question": "Who?",
    "reference": "Ada",
    "candidate": "Ada Lovelace",
    "label": True,
}
FULL: dict[str, object] = {
    "id": "i1",
    "question": "Who?",
    "references": ["Ada", "Lovelace"],
    "candidate": "",
    "label": "partial",
    "systems": ["b", "a"],
    "question_id": "q1",
    "document": "D",
    "context": "Ada wrote.",
    "split": "dev",
    "scores": {"judge": 0.25, "other": 1},
}


def test_lines_hold_all_that_a_report_needs(write: Write) -> None:
    rows = [FULL, FULL | {"id": "i2", "label": "equivalent", "split": "test", "systems": ["a"]}]
    path = write("judged.jsonl", rows)
    data, scores = judged_data_of_lines(path, KNOWN)
    assert (data.name, data.protocol, data.all_answers) == ("judged.jsonl", "cap", ())
    assert data.digest == sha256(path.read_bytes()).hexdigest()
    assert data.scheme.level == "ordinal"
    assert "overinclusive-valid" in data.correct_labels
    assert data.items[0] == JudgedItem(
        id="i1",
        question_id="q1",
        document="D",
        question="Who?",
        context="Ada wrote.",
        references=("Ada", "Lovelace"),
        candidate="",
        systems=("b", "a"),
        split="dev",
        label="partial",
        is_right=False,
    )
    assert [(item.label, item.is_right) for item in data.items[1:]] == [("equivalent", True)]
    found = [(each.metric, each.version, each.threshold, [*each.scores]) for each in scores]
    assert found == [("judge", "given", 0.5, [0.25, 0.25]), ("other", "given", 0.5, [1.0, 1.0])]


def test_lines_with_little_are_enough(write: Write) -> None:
    again = PLAIN | {"question": "who？", "label": False}
    path = write("j.jsonl", [PLAIN, again, PLAIN | {"question": "When?"}])
    data, scores = judged_data_of_lines(path)
    assert (data.protocol, data.scheme.labels) == ("given", ("correct", "incorrect"))
    assert [(item.id, item.question_id, item.label) for item in data.items] == [
        ("1", "Who?", "correct"),
        ("2", "Who?", "incorrect"),
        ("3", "When?", "correct"),
    ]
    assert data.questions == {"Who?": 2, "When?": 1}
    assert (data.items[0].split, data.items[0].document, data.systems, scores) == ("", "", (), ())


@pytest.mark.parametrize(
    ("labels", "protocol"),
    [
        (["equivalent"], "ae"),
        (["equivalent", "not-equivalent"], "ae"),
        (["equivalent", "partial"], "cap"),
        (["incorrect"], "rules"),
    ],
)
def test_labels_are_of_the_first_protocol_that_has_them_all(
    write: Write, labels: list[str], protocol: str
) -> None:
    path = write("j.jsonl", [PLAIN | {"label": label} for label in labels])
    assert judged_data_of_lines(path, KNOWN).data.protocol == protocol


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ([{}], "line 1, field references: is missing (or reference)"),
        (
            [PLAIN, PLAIN | {"label": "equivalent"}],
            "line 2, field label: 'equivalent' is not a label of given (correct, incorrect), and",
        ),
        (
            [PLAIN | {"label": "equivalent"}, PLAIN],
            "line 2, field label: True is not a label of ae (equivalent, not-equivalent), and",
        ),
        (
            [PLAIN | {"label": "not-equivalent"}, PLAIN | {"label": "partial"}],
            "line 2, field label: 'partial' is not a label of ae (equivalent, not-equivalent), and",
        ),
        (
            [FULL, FULL | {"id": "i2", "split": None}],
            "line 2, field split: must be on all lines or on none; compare line 1",
        ),
        (
            [PLAIN, PLAIN | {"question_id": "q"}],
            "line 2, field question_id: must be on all lines or on none; compare line 1",
        ),
        ([FULL, FULL], "line 2, field id: the id 'i1' is also on line 1"),
        (
            [FULL, FULL | {"id": "i2", "question": "Where?"}],
            "line 2, field question_id: is that of another question on an earlier line",
        ),
        (
            [FULL, FULL | {"id": "i2", "scores": {"judge": 1}}],
            "line 2, field scores: must name the metrics of line 1",
        ),
        (
            [FULL | {"scores": {"judge": 1.5}}],
            "line 1, field scores.judge: must be between 0 and 1",
        ),
        (
            [FULL | {"scores": {"judge": None}}],
            "line 1, field scores.judge: must be a number, not null",
        ),
        ([FULL | {"scores": [1]}], "line 1, field scores: must be an object, not an array"),
    ],
)
def test_lines_are_refused_with_their_place(
    write: Write, rows: list[dict[str, Any]], problem: str
) -> None:
    path = write("j.jsonl", rows)
    with pytest.raises(InputError) as caught:
        judged_data_of_lines(path, KNOWN)
    assert str(caught.value).startswith(f"{path}, {problem}")


def test_a_file_without_a_line_is_refused(write: Write) -> None:
    path = write("j.jsonl", "\n\n")
    with pytest.raises(InputError, match=r"^upload.jsonl: holds no line$"):
        judged_data_of_lines(path, KNOWN, "upload.jsonl")
