"""What a system answered, from SQuAD prediction objects, JSON lines and CSV."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tomahto.interchange.campaigns.squad import read_squad_predictions
from tomahto.interchange.reading.distinct_keys import DistinctKeys
from tomahto.interchange.reading.formats import Marks, choose_format
from tomahto.interchange.reading.input_file import InputFile
from tomahto.interchange.reading.limits import MAX_DOCUMENT_BYTES
from tomahto.interchange.reading.records import PredictionRecord
from tomahto.interchange.reading.row import Row
from tomahto.interchange.reading.rows import empty_text_cell, number_cell, table_rows

_KEY_NAMES: Final = ("id", "qid")
_CANDIDATE_NAMES: Final = ("candidate", "prediction", "answer")

_FORMATS: Final[Marks] = {
    "squad": frozenset(),
    "jsonl": frozenset(),
    "csv": frozenset(),
}
_CELLS: Final = {**dict.fromkeys(_CANDIDATE_NAMES, empty_text_cell), "score": number_cell}
_COLUMNS: Final = (_KEY_NAMES, _CANDIDATE_NAMES)


def read_predictions(
    path: Path,
    *,
    format: str | None,  # noqa: A002 -- the word that commands and forms use
    name: str | None = None,
    max_document_bytes: int = MAX_DOCUMENT_BYTES,
) -> Iterator[PredictionRecord]:
    """Yield one candidate per question, in file order, reading on only as far as asked.

    `format` is squad (one object {question id: candidate}), jsonl or csv, the latter two with the
    fields id (or qid), candidate (or prediction, or answer) and, if the system gives one, score;
    None takes the format from the file. An empty candidate stands for a system that abstains.
    `name` is what errors call the file.

    Raises InputError at the first thing that is wrong; a second candidate for a question is,
    because the two of one system could not be told apart later.
    """
    file = InputFile.at(path, name)
    chosen = choose_format(file, format, _FORMATS)
    if chosen == "squad":
        return read_squad_predictions(file, max_document_bytes)
    return _predictions(table_rows(file, chosen, _CELLS, _COLUMNS))


def _predictions(rows: Iterator[Row]) -> Iterator[PredictionRecord]:
    keys = DistinctKeys("the question id", "id")
    for row in rows:
        key = row.required_name(*_KEY_NAMES)
        keys.add(key, row.source)
        candidate = row.text_or_empty(*_CANDIDATE_NAMES)
        yield PredictionRecord(row.source, key, candidate, row.real_number("score"))
