"""SQuAD files as the official evaluation reads them, and lists as Hugging Face's metric takes them.

Importing makes questions to be rated, and drops repeated gold answers and those of unanswerable
questions; scoring takes every gold answer as it stands, so it has a reader of its own.

A list is one JSON array of objects or JSON lines. References are {"id", "answers"}, with the
answers {"text": [...], "answer_start": [...]} or [{"text", "answer_start"}, ...]; predictions are
{"id", "prediction_text"[, "no_answer_probability"]}. Other fields are passed over.
"""

from collections.abc import Iterator
from pathlib import Path, PurePath
from typing import NamedTuple

from tomahto.interchange.campaigns.predictions import read_predictions
from tomahto.interchange.formats.squad import squad_articles
from tomahto.interchange.reading.input_file import LINES_SUFFIXES, InputFile
from tomahto.interchange.reading.records import MAX_DOCUMENT_BYTES, DistinctKeys
from tomahto.interchange.reading.row import Row, name_in_error
from tomahto.interchange.reading.rows import json_rows
from tomahto.interchange.reading.strict_json import (
    JsonDocument,
    JsonError,
    decode_line,
    open_document,
)
from tomahto.scoring.squad import SquadQuestion
from tomahto.text.normalisation import plain_name

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


def read_listed_answers(file: InputFile) -> SquadAnswers:
    """The predictions, whose probabilities all of them have or none. Raises InputError."""
    keys, texts = DistinctKeys("the question id", "id"), dict[str, str]()
    na_probs, first = dict[str, float](), None
    for row in _rows(file):
        first = first or row
        key = row.name("id")
        keys.add(key, row.source)
        texts[key] = row.text_or_empty("prediction_text")
        if (row.field_of(_PROBABILITY) is None) != (first.field_of(_PROBABILITY) is None):
            raise row.error("must be in all predictions or in none", _PROBABILITY)
        if row.field_of(_PROBABILITY):
            na_probs[key] = row.as_number(_PROBABILITY, row.values[_PROBABILITY])
    return SquadAnswers(texts, na_probs or None)


def _rows(file: InputFile) -> Iterator[Row]:
    if not file.head().lstrip().startswith("["):
        yield from json_rows(file)
        return
    with open_document(file, MAX_DOCUMENT_BYTES) as document:
        yield from document.rows()
        document.finish()


def read_squad_gold(path: Path) -> list[SquadQuestion]:
    """The questions of SQuAD 1.1 or 2.0 data, or of a list, with their gold answers in file order.

    A question is unanswerable if its list of answers is empty; `is_impossible` is not looked at,
    as in the official script. Raises InputError with file, line and field.
    """
    file = InputFile.at(path)
    is_list = is_list_of(file, "answers")
    questions, keys = list[SquadQuestion](), DistinctKeys("the question id", "id")
    for row in _rows(file) if is_list else _questions(file):
        question = row.name("id")
        if is_list and isinstance(row.values[row.required_field("answers")], dict):
            answers = row.object("answers").texts_or_empty("text")
        else:
            answers = [answer.text_or_empty("text") for answer in row.rows("answers")]
        keys.add(question, row.source)
        questions.append(SquadQuestion(question, tuple(answers)))
    if not questions:
        raise file.error("holds no question")
    return questions


def _questions(file: InputFile) -> Iterator[Row]:
    for document, article in squad_articles(file, MAX_DOCUMENT_BYTES):
        for paragraph in _paragraphs(document, article):
            yield from paragraph.rows("qas")


def _paragraphs(document: JsonDocument, path: str) -> Iterator[Row]:
    """The paragraphs of an article, one in memory at a time."""
    article, has_paragraphs = Row(document.source, {}, path), False
    for key in document.members():
        if key == "paragraphs":
            has_paragraphs = True
            yield from document.rows(f"{path}{key}")
        else:
            document.value()
    if not has_paragraphs:
        raise article.error("is missing", "paragraphs")


def read_squad_answers(path: Path) -> SquadAnswers:
    """Predictions by question id, as a list or in any format that predictions are imported from.

    Raises InputError with file, line and field.
    """
    file = InputFile.at(path)
    if is_list_of(file, "prediction_text"):
        return read_listed_answers(file)
    records = read_predictions(path, format=None)
    return SquadAnswers({record.question_key: record.candidate for record in records}, None)


def read_no_answer_probabilities(path: Path) -> dict[str, float]:
    """No-answer probabilities, a JSON object by question id; the order of the file is kept.

    They may be any numbers, as the script only compares them; whole numbers stay whole.
    Raises InputError with file, line and field.
    """
    return _numbers(path)


def read_expected_values(path: Path) -> dict[str, float]:
    """Values by name, as the official scripts print them. Raises InputError."""
    return _numbers(path)


def _numbers(path: Path) -> dict[str, float]:
    file, numbers, keys = InputFile.at(path), dict[str, float](), DistinctKeys("the key")
    with open_document(file, MAX_DOCUMENT_BYTES) as document:
        for key in document.members():
            source, value, name = document.source, document.value(), plain_name(key)
            keys.add(name, source)
            numbers[name] = Row(source, {}).as_number(name_in_error(key), value)
        document.finish()
    return numbers
