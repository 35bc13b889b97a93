"""Questions with their references."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from tomahto.interchange.campaigns.references import distinct_references
from tomahto.interchange.campaigns.source_split import in_split, source_split
from tomahto.interchange.description import FileToRead, Kind
from tomahto.interchange.reading.distinct_keys import DistinctKeys
from tomahto.interchange.reading.limits import MAX_CONTEXT, MAX_DOCUMENT_BYTES, MAX_TYPE
from tomahto.interchange.reading.records import QuestionRecord
from tomahto.interchange.reading.row import Row
from tomahto.interchange.reading.rows import json_cell, list_cell
from tomahto.interchange.table import read_records

REFERENCE_NAMES: Final = ("references", "reference", "answers")

_CELLS: Final = {**dict.fromkeys(REFERENCE_NAMES, list_cell), "answer_starts": json_cell}


def read_questions(
    path: Path,
    *,
    format: str | None,  # noqa: A002 -- the word that commands and forms use
    name: str | None = None,
    split: str | None = None,
    max_document_bytes: int = MAX_DOCUMENT_BYTES,
) -> Iterator[QuestionRecord]:
    """Yield the questions of a file in file order, reading on only as far as asked.

    JSON lines and CSV have the fields id, document, question, context, references (or reference, or
    answers: a list or one text), answer_starts, question_type and split; all but question and
    references may be missing. NQ-open has question and answer. `format` None takes it from the
    file, `name` is what errors call the file, `split` the split that all of it is of.

    A question without references is yielded without; whether it is skipped is not decided here.
    Raises InputError at the first thing that is wrong, an id that stands twice included.
    """
    file = FileToRead.at(path, name, max_document_bytes=max_document_bytes)
    questions = read_records(_QUESTIONS, file, format)
    if split is not None:
        questions = (in_split(question, split) for question in questions)
    return _distinct(questions)


def _distinct(questions: Iterator[QuestionRecord]) -> Iterator[QuestionRecord]:
    keys = DistinctKeys("the id", "id")
    for question in questions:
        if question.key is not None:
            keys.add(question.key, question.source)
        yield question


def _question(row: Row, _keys: Sequence[str]) -> QuestionRecord:
    context = row.optional_text("context", limit=MAX_CONTEXT)
    texts = row.texts(*REFERENCE_NAMES)
    references, starts = distinct_references(texts, _starts(row, len(texts)), context)
    return QuestionRecord(
        source=row.source,
        key=row.optional_name("id"),
        document=row.optional_name("document"),
        text=row.text("question"),
        context=context,
        references=references,
        answer_starts=starts,
        question_type=row.optional_name("question_type", limit=MAX_TYPE) or "",
        split=source_split(row),
        is_unanswerable=not references,
    )


def _starts(row: Row, length: int) -> list[int | None]:
    if row.name_of("answer_starts") is None:
        return [None] * length
    starts = row.array("answer_starts")
    if len(starts) != length:
        message = f"has {len(starts)} entries for {length} references"
        raise row.error(message, "answer_starts")
    fields = {f"answer_starts[{place}]": start for place, start in enumerate(starts)}
    entries = Row(row.source, fields, row.path)
    return [entries.whole_number(field) for field in fields]


_QUESTIONS: Final = Kind(
    name="questions",
    record=_question,
    marks=frozenset({"question"}),
    columns=(("question",), REFERENCE_NAMES),
    cells=lambda _keys: _CELLS,
)
