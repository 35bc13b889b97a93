"""SQuAD files as the official evaluation reads them.

Importing makes questions to be rated, and drops repeated gold answers and those of unanswerable
questions; scoring takes every gold answer as it stands, so it has a reader of its own.
"""

from collections.abc import Iterator
from pathlib import Path

from tomahto.interchange.campaigns.predictions import read_predictions
from tomahto.interchange.formats.squad import squad_articles
from tomahto.interchange.judgements.squad_lists import (
    SquadAnswers,
    is_list_of,
    read_listed_answers,
    read_listed_gold,
)
from tomahto.interchange.reading.distinct_keys import DistinctKeys
from tomahto.interchange.reading.input_file import InputFile
from tomahto.interchange.reading.json_document import JsonDocument, open_document
from tomahto.interchange.reading.limits import MAX_DOCUMENT_BYTES
from tomahto.interchange.reading.row import Row, shown
from tomahto.scoring.squad_v2 import SquadQuestion
from tomahto.text.plain_name import plain_name


def read_squad_gold(path: Path) -> list[SquadQuestion]:
    """The questions of SQuAD 1.1 or 2.0 data, or of a list, with their gold answers in file order.

    A question is unanswerable if its list of answers is empty; `is_impossible` is not looked at,
    as in the official script. Raises InputError with file, line and field.
    """
    file = InputFile.at(path)
    if is_list_of(file, "answers"):
        return read_listed_gold(file)
    questions, keys = list[SquadQuestion](), DistinctKeys("the question id", "id")
    for document, article in squad_articles(file, MAX_DOCUMENT_BYTES):
        for row in _paragraphs(document, article):
            questions.extend(_question(question, keys) for question in row.rows("qas"))
    if not questions:
        raise file.error("holds no question")
    return questions


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


def _question(row: Row, keys: DistinctKeys) -> SquadQuestion:
    question = SquadQuestion(
        row.required_name("id"),
        tuple(answer.text_or_empty("text") for answer in row.rows("answers")),
    )
    keys.add(question.id, row.source)
    return question


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
            numbers[name] = Row(source, {}).as_number(shown(key), value)
        document.finish()
    return numbers
