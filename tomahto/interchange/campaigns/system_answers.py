"""The answers of systems: the table `answers` of a release."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from tomahto.interchange.campaigns.source_split import source_split
from tomahto.interchange.description import FileToRead, Kind
from tomahto.interchange.reading.limits import MAX_CONTEXT, MAX_NAME
from tomahto.interchange.reading.records import AnswerRow, QuestionRecord
from tomahto.interchange.reading.row import Row
from tomahto.interchange.reading.rows import Cell, empty_text_cell, list_cell
from tomahto.interchange.table import read_records

_SETTLED: Final = ("exact", "rated", "not-rated")
_CELLS: Final[dict[str, Cell]] = {
    "references": list_cell,
    "items": list_cell,
    "candidate": empty_text_cell,
}
_COLUMNS: Final = tuple(
    (name,) for name in ("question_id", "question", "references", "system", "candidate", "settled")
)


def read_answers(
    path: Path,
    *,
    format: str | None,  # noqa: A002 -- the word that commands and forms use
    name: str | None = None,
) -> Iterator[AnswerRow]:
    """Yield the answers of a file in file order, reading on only as far as asked.

    `format` None takes it from the file. A row has the columns of the table; a
    context may be missing where the question is known. `name` is what errors call the file.
    Raises InputError at the first thing that is wrong.
    """
    return read_records(_ANSWERS, FileToRead.at(path, name), format)


def _answer(row: Row, _keys: Sequence[str]) -> AnswerRow:
    settled = row.text("settled", limit=MAX_NAME)
    if settled not in _SETTLED:
        raise row.error(f"is not one of {', '.join(_SETTLED)}", "settled")
    references = tuple(dict.fromkeys(row.texts("references")))
    return AnswerRow(
        source=row.source,
        question=QuestionRecord(
            source=row.source,
            key=row.required_name("question_id"),
            document=row.optional_name("document"),
            text=row.text("question"),
            context=row.optional_text("context", limit=MAX_CONTEXT),
            references=references,
            answer_starts=(None,) * len(references),
            split=source_split(row),
        ),
        system=row.required_name("system"),
        candidate=row.text_or_empty("candidate"),
        settled=settled,
        items=len(row.texts("items")) if row.name_of("items") else 0,
    )


_ANSWERS: Final = Kind(
    name="answers",
    record=_answer,
    marks=frozenset({"settled"}),
    columns=_COLUMNS,
    cells=lambda _keys: _CELLS,
)
