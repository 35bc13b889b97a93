"""Questions with their references, from SQuAD files, JSON lines, CSV and NQ-open."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tomahto.interchange.campaigns.source_split import in_split, source_split
from tomahto.interchange.campaigns.squad import distinct_references, read_squad_questions
from tomahto.interchange.reading.distinct_keys import DistinctKeys
from tomahto.interchange.reading.formats import Marks, choose_format
from tomahto.interchange.reading.input_file import InputFile
from tomahto.interchange.reading.limits import MAX_CONTEXT, MAX_DOCUMENT_BYTES, MAX_TYPE
from tomahto.interchange.reading.records import QuestionRecord
from tomahto.interchange.reading.row import Row
from tomahto.interchange.reading.rows import json_cell, json_rows, list_cell, table_rows

REFERENCE_NAMES: Final = ("references", "reference", "answers")

_FORMATS: Final[Marks] = {
    "squad": frozenset(),
    "nq-open": frozenset({"question", "answer"}),
    "jsonl": frozenset({"question"}),
    "csv": frozenset(),
}
_CELLS: Final = {**dict.fromkeys(REFERENCE_NAMES, list_cell), "answer_starts": json_cell}
_COLUMNS: Final = (("question",), REFERENCE_NAMES)


def read_questions(
    path: Path,
    *,
    format: str | None,  # noqa: A002 -- the word that commands and forms use
    name: str | None = None,
    split: str | None = None,
    max_document_bytes: int = MAX_DOCUMENT_BYTES,
) -> Iterator[QuestionRecord]:
    """Yield the questions of a file in file order, reading on only as far as asked.

    `format` is squad, jsonl, csv or nq-open; None takes it from the file. JSON lines and CSV have
    the fields id, document, question, context, references (or reference, or answers: a list or
    one text), answer_starts, question_type and split; all but question and references may be
    missing. NQ-open has question and answer. `name` is what errors call the file, `split` the split
    that all of it is of.

    A question without references is yielded without; whether it is skipped is not decided here.
    Raises InputError at the first thing that is wrong, an id that stands twice included.
    """
    file = InputFile.at(path, name)
    match choose_format(file, format, _FORMATS):
        case "squad":
            questions = read_squad_questions(file, max_document_bytes)
        case "nq-open":
            questions = map(_nq_open_question, json_rows(file))
        case chosen:
            questions = map(_question, table_rows(file, chosen, _CELLS, _COLUMNS))
    if split is not None:
        questions = (in_split(question, split) for question in questions)
    return _distinct(questions)


def _distinct(questions: Iterator[QuestionRecord]) -> Iterator[QuestionRecord]:
    keys = DistinctKeys("the id", "id")
    for question in questions:
        if question.key is not None:
            keys.add(question.key, question.source)
        yield question


def _question(row: Row) -> QuestionRecord:
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
        question_type=row.optional_text("question_type", limit=MAX_TYPE),
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


def _nq_open_question(row: Row) -> QuestionRecord:
    texts = row.texts("answer")
    references, starts = distinct_references(texts, [None] * len(texts), "")
    return QuestionRecord(
        source=row.source,
        key=row.optional_name("id"),
        document=None,
        text=row.text("question"),
        context="",
        references=references,
        answer_starts=starts,
        is_unanswerable=not references,
    )
