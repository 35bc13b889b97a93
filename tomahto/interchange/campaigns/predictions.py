"""The answers of a system, from a file or as they are handed in to a leaderboard."""

from collections.abc import Iterator, Set
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final

from tomahto.interchange.reading.input_file import InputFile
from tomahto.interchange.reading.records import MAX_DOCUMENT_BYTES, DistinctKeys, PredictionRecord
from tomahto.interchange.reading.rows import empty_text_cell, number_cell
from tomahto.interchange.table import RecordKind, format_names
from tomahto.text.normalisation import plain_name

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
    predictions = _PREDICTIONS.read(
        path, format=format, name=name, max_document_bytes=max_document_bytes
    )
    return _distinct(predictions)


def _distinct(predictions: Iterator[PredictionRecord]) -> Iterator[PredictionRecord]:
    keys = DistinctKeys("the question id", "id")
    for prediction in predictions:
        keys.add(prediction.question_key, prediction.source)
        yield prediction


_PREDICTIONS: Final = RecordKind(
    name="predictions",
    record=lambda row, _keys: PredictionRecord(
        row.source,
        row.name(*_KEY_NAMES),
        row.text_or_empty(*_CANDIDATE_NAMES),
        row.optional_number("score"),
    ),
    line_fields=frozenset(),
    columns=(_KEY_NAMES, _CANDIDATE_NAMES),
    cells=lambda _keys: _CELLS,
)

FORMATS = format_names("predictions")


@dataclass(frozen=True, slots=True)
class SubmittedPredictions:
    """The predictions for the questions that are asked, by question id.

    `passed_over` counts those of the file for other questions: a file may be of the whole data set.
    """

    asked: dict[str, str]
    passed_over: int


def read_submission(
    content: bytes,
    *,
    name: str,
    format: str | None,  # noqa: A002 -- the word that commands and forms use
    known: Set[str],
) -> SubmittedPredictions:
    """Predictions in any format that predictions are imported from.

    `known` are the questions that are asked. Raises InputError with file, line and field at the
    first thing that is wrong, and for a file without a prediction for any of them.
    """
    spelled = {plain_name(key): key for key in known}  # older releases have ids as they came
    asked: dict[str, str] = {}
    other: str | None = None
    passed_over = 0
    with NamedTemporaryFile(prefix="tomahto-submission-") as file:
        file.write(content)
        file.flush()
        path = Path(file.name)
        for record in read_predictions(path, format=format, name=name):
            if (key := spelled.get(record.question_key)) is not None:
                asked[key] = record.candidate
            else:
                other = other or record.question_key
                passed_over += 1
        if not asked:
            raise InputFile.at(path, name).error(_nothing_asked(other, known))
    return SubmittedPredictions(asked, passed_over)


def _nothing_asked(other: str | None, known: Set[str]) -> str:
    if other is None:
        return "holds no prediction"
    example = f", such as {min(known)!r:.80}" if known else ""
    return f"question {other!r:.80} and all others are not among those asked{example}"
