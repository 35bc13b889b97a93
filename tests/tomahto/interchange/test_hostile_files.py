"""Every hostile file is refused with file, line and field, or comes through unchanged."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tomahto.interchange.hostile import cells, containers, encodings, exports, fields, syntax
from tests.tomahto.interchange.hostile.case import Hostile, Refused
from tomahto.interchange.campaigns.items import read_items
from tomahto.interchange.campaigns.predictions import read_predictions
from tomahto.interchange.campaigns.questions import read_questions
from tomahto.interchange.campaigns.ratings import read_ratings
from tomahto.interchange.reading.records import InputError

HOSTILE = (
    encodings.CASES + containers.CASES + syntax.CASES + cells.CASES + fields.CASES + exports.CASES
)
QUESTION_KEYS = ("q1", "q2", "q3", "q4")
SECONDS = 10.0  # of processor time; each takes well under one


def read_records(path: Path, name: str) -> Iterator[tuple[object, ...]]:
    """The texts of the file's records, as `Hostile.outcome` gives them."""
    match Path(name).stem:
        case "questions":
            for question in read_questions(path, format=None, name=name):
                yield question.text, question.context, question.references
        case "predictions":
            for prediction in read_predictions(path, format=None, name=name):
                yield prediction.question_key, prediction.candidate
        case "items":
            for item in read_items(path, format=None, name=name):
                yield item.question, item.references, item.candidate
        case "ratings":
            for rating in read_ratings(path, format=None, question_keys=QUESTION_KEYS, name=name):
                yield rating.rater, rating.label, rating.answers


def read_outcome(path: Path, name: str) -> tuple[object, str]:
    """The outcome, and the line that the user is shown."""
    try:
        return list(read_records(path, name)), ""
    except InputError as error:
        return Refused(error.line, error.field, error.message), str(error)


@pytest.mark.parametrize("case", HOSTILE, ids=lambda case: case.id)
def test_hostile_file_is_refused_or_read_faithfully(case: Hostile, tmp_path: Path) -> None:
    path = tmp_path / "upload"
    path.write_bytes(case.content)
    began = time.process_time()
    outcome, shown = read_outcome(path, case.name)
    assert outcome == case.outcome
    assert shown.isprintable()  # one line, whatever the file holds
    assert shown.startswith(case.name if isinstance(case.outcome, Refused) else "")
    assert time.process_time() - began < SECONDS


def test_hostile_files_are_many_and_have_their_own_names() -> None:
    assert len({case.id for case in HOSTILE}) == len(HOSTILE) >= 60
