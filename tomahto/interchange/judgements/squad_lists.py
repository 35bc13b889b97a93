"""SQuAD data and predictions as lists, the form in which the Hugging Face metric takes them.

A list is one JSON array of objects or JSON lines. References are {"id", "answers"}, with the
answers {"text": [...], "answer_start": [...]} or [{"text", "answer_start"}, ...]; predictions are
{"id", "prediction_text"[, "no_answer_probability"]}. Other fields are passed over.
"""

from collections.abc import Iterator
from pathlib import PurePath
from typing import NamedTuple

from tomahto.interchange.reading.distinct_keys import DistinctKeys
from tomahto.interchange.reading.input_file import LINES_SUFFIXES, InputFile
from tomahto.interchange.reading.json_document import open_document
from tomahto.interchange.reading.limits import MAX_DOCUMENT_BYTES
from tomahto.interchange.reading.row import Row
from tomahto.interchange.reading.rows import json_rows
from tomahto.interchange.reading.strict_json import JsonError, decode_line
from tomahto.scoring.squad_v2 import SquadQuestion

_PROBABILITY = "no_answer_probability"


class SquadAnswers(NamedTuple):
    """Predictions by question id; no-answer probabilities too, in the order of the file, where it
    has them."""

    texts: dict[str, str]
    na_probs: dict[str, float] | None


def is_list_of(file: InputFile, field: str) -> bool:
    """Whether the file is a list whose objects have this field."""
    first, _, _ = file.head().lstrip().partition("\n")
    if first.startswith("["):
        return True
    try:
        row = decode_line(first)
    except JsonError:
        return PurePath(file.name).suffix.lower() in LINES_SUFFIXES  # a line beyond the head
    return isinstance(row, dict) and field in row and "id" in row


def read_listed_gold(file: InputFile) -> list[SquadQuestion]:
    """The questions with their gold answers, in file order. Raises InputError."""
    keys, questions = DistinctKeys("the question id", "id"), list[SquadQuestion]()
    for row in _rows(file):
        question = SquadQuestion(row.required_name("id"), tuple(_answers(row)))
        keys.add(question.id, row.source)
        questions.append(question)
    if not questions:
        raise file.error("holds no question")
    return questions


def read_listed_answers(file: InputFile) -> SquadAnswers:
    """The predictions, whose probabilities all of them have or none. Raises InputError."""
    keys, texts = DistinctKeys("the question id", "id"), dict[str, str]()
    na_probs, first = dict[str, float](), None
    for row in _rows(file):
        first = first or row
        key = row.required_name("id")
        keys.add(key, row.source)
        texts[key] = row.text_or_empty("prediction_text")
        if (row.name_of(_PROBABILITY) is None) != (first.name_of(_PROBABILITY) is None):
            raise row.error("must be in all predictions or in none", _PROBABILITY)
        if row.name_of(_PROBABILITY):
            na_probs[key] = row.as_number(_PROBABILITY, row.values[_PROBABILITY])
    return SquadAnswers(texts, na_probs or None)


def _rows(file: InputFile) -> Iterator[Row]:
    if not file.head().lstrip().startswith("["):
        yield from json_rows(file)
        return
    with open_document(file, MAX_DOCUMENT_BYTES) as document:
        yield from document.rows()
        document.finish()


def _answers(row: Row) -> list[str]:
    if isinstance(row.values[row.required("answers")], dict):
        return row.object("answers").texts_or_empty("text")
    return [answer.text_or_empty("text") for answer in row.rows("answers")]
