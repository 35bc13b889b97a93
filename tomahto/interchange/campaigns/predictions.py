"""The answers of a system."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from tomahto.interchange.description import FileToRead, Kind
from tomahto.interchange.reading.distinct_keys import DistinctKeys
from tomahto.interchange.reading.limits import MAX_DOCUMENT_BYTES
from tomahto.interchange.reading.records import PredictionRecord
from tomahto.interchange.reading.row import Row
from tomahto.interchange.reading.rows import empty_text_cell, number_cell
from tomahto.interchange.table import read_records

_KEY_NAMES: Final = ("id", "qid")
_CANDIDATE_NAMES: Final = ("candidate", "prediction", "answer")
_CELLS: Final = {**dict.fromkeys(_CANDIDATE_NAMES, empty_text_cell), "score": number_cell}


def read_predictions(
    path: Path,
    *,
    format: str | None,  # noqa: A002 -- the word that commands and forms use
    name: str | None = None,
    max_document_bytes: int = MAX_DOCUMENT_BYTES,
) -> Iterator[PredictionRecord]:
    """Yield one candidate per question, in file order, reading on only as far as asked.

    SQuAD's is one object {question id: candidate}; rows have the fields id (or qid), candidate (or
    prediction, or answer) and, if the system gives one, score. An empty candidate stands for a
    system that abstains. N-best files have several answers to a question, and the first is the
    candidate (tomahto.interchange.formats.nbest). `format` None takes it from the
    file; `name` is what errors call the file.

    Raises InputError at the first thing that is wrong; a second candidate for a question is,
    because the two of one system could not be told apart later.
    """
    file = FileToRead.at(path, name, max_document_bytes=max_document_bytes)
    return _distinct(read_records(_PREDICTIONS, file, format))


def _distinct(predictions: Iterator[PredictionRecord]) -> Iterator[PredictionRecord]:
    keys = DistinctKeys("the question id", "id")
    for prediction in predictions:
        keys.add(prediction.question_key, prediction.source)
        yield prediction


def _prediction(row: Row, _keys: Sequence[str]) -> PredictionRecord:
    return PredictionRecord(
        row.source,
        row.required_name(*_KEY_NAMES),
        row.text_or_empty(*_CANDIDATE_NAMES),
        row.real_number("score"),
    )


_PREDICTIONS: Final = Kind(
    name="predictions",
    record=_prediction,
    marks=frozenset(),
    columns=(_KEY_NAMES, _CANDIDATE_NAMES),
    cells=lambda _keys: _CELLS,
)
