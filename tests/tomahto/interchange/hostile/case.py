"""The parts of a hostile case, and the pieces that cases are made of."""

import json
from collections.abc import Sequence
from typing import NamedTuple


class Refused(NamedTuple):
    """The one error a file must end in."""

    line: int | None
    field: str | None
    message: str


class Hostile(NamedTuple):
    """A file's content. Its name says what it is read as: questions, predictions, items, ratings.

    The outcome is the error, or the texts of all records: (question, context, references),
    (question id, candidate), (question, references, candidate) or (rater, label, answers).
    """

    id: str
    name: str
    content: bytes
    outcome: Refused | Sequence[tuple[object, ...]]


def line(**fields: object) -> bytes:
    return json.dumps(fields, ensure_ascii=False).encode() + b"\n"


def squad(*paragraphs: object) -> bytes:
    return json.dumps({"data": [{"title": "T", "paragraphs": paragraphs}]}).encode()


def paragraph(*questions: object) -> dict[str, object]:
    return {"context": "Paris is a city.", "qas": questions}


GOOD = line(question="Who?", references=["Eve"])
GOOD_RECORD = ("Who?", "", ("Eve",))
RATING = {"id": "7", "rater": "r", "label": "equivalent"}
ANSWER = {"text": "Paris", "answer_start": 0}
QUESTION = {"id": "1", "question": "Where?", "answers": [ANSWER]}
DEEP = b"[" * 100_000
