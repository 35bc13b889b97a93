"""Questions with their references, and the answers of systems: the table `answers` of a release."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from tomahto.interchange.reading.records import (
    MAX_CONTEXT,
    MAX_DOCUMENT_BYTES,
    MAX_NAME,
    MAX_SPLIT_NAME,
    MAX_TYPE,
    AnswerRow,
    DistinctKeys,
    QuestionRecord,
)
from tomahto.interchange.reading.row import Row
from tomahto.interchange.reading.rows import Cell, empty_text_cell, json_cell, list_cell
from tomahto.interchange.table import RecordKind
from tomahto.releases.dataset.choices import SplitError, check_split_name


def distinct_references(
    texts: Sequence[str], starts: Sequence[int | None], context: str
) -> tuple[tuple[str, ...], tuple[int | None, ...]]:
    """The distinct texts and, for each, the first of its starts where it stands in the context.

    A start that does not point at its text is dropped and the text kept: datasets carry such
    starts after cleaning, and -1 for "not found".
    """
    places: dict[str, int | None] = {}
    for text, start in zip(texts, starts, strict=True):
        if places.get(text) is None:
            stands = start is not None and start >= 0 and context.startswith(text, start)
            places[text] = start if stands else None
    return tuple(places), tuple(places.values())


_SPLIT_NAMES: Final = ("split", "source_split")  # the second is the column of our own releases


def source_split(row: Row) -> str:
    """The split of the row's question, "" if it names none."""
    name = row.field_of(*_SPLIT_NAMES)
    if name is None:
        return ""
    split = row.optional_text(name, limit=MAX_SPLIT_NAME)
    if split:
        try:
            check_split_name(split)
        except SplitError as error:
            raise row.error(str(error), name) from None
    return split


def in_split(question: QuestionRecord, split: str) -> QuestionRecord:
    """The question of a file that is all of one split. Raises InputError if it says another."""
    if question.split not in ("", split):
        message = f"is {question.split!r}, but the file is said to be {split!r}"
        raise question.source.error(message, "split")
    return replace(question, split=split)


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
    questions = _QUESTIONS.read(
        path, format=format, name=name, max_document_bytes=max_document_bytes
    )
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
    if row.field_of("answer_starts") is None:
        return [None] * length
    starts = row.array("answer_starts")
    if len(starts) != length:
        message = f"has {len(starts)} entries for {length} references"
        raise row.error(message, "answer_starts")
    fields = {f"answer_starts[{place}]": start for place, start in enumerate(starts)}
    entries = Row(row.source, fields, row.path)
    return [entries.optional_whole_number(field) for field in fields]


_QUESTIONS: Final = RecordKind(
    name="questions",
    record=_question,
    line_fields=frozenset({"question"}),
    columns=(("question",), REFERENCE_NAMES),
    cells=lambda _keys: _CELLS,
)

_SETTLED: Final = ("exact", "rated", "not-rated")
_ANSWER_CELLS: Final[dict[str, Cell]] = {
    "references": list_cell,
    "items": list_cell,
    "candidate": empty_text_cell,
}
_ANSWER_COLUMNS: Final = tuple(
    (name,) for name in ("question_id", "question", "references", "system", "candidate", "settled")
)


def _answer(row: Row, _keys: Sequence[str]) -> AnswerRow:
    settled = row.text("settled", limit=MAX_NAME)
    if settled not in _SETTLED:
        raise row.error(f"is not one of {', '.join(_SETTLED)}", "settled")
    references = tuple(dict.fromkeys(row.texts("references")))
    return AnswerRow(
        source=row.source,
        question=QuestionRecord(
            source=row.source,
            key=row.name("question_id"),
            document=row.optional_name("document"),
            text=row.text("question"),
            context=row.optional_text("context", limit=MAX_CONTEXT),
            references=references,
            answer_starts=(None,) * len(references),
            split=source_split(row),
        ),
        system=row.name("system"),
        candidate=row.text_or_empty("candidate"),
        settled=settled,
        items=len(row.texts("items")) if row.field_of("items") else 0,
    )


_ANSWERS: Final = RecordKind(
    name="answers",
    record=_answer,
    line_fields=frozenset({"settled"}),
    columns=_ANSWER_COLUMNS,
    cells=lambda _keys: _ANSWER_CELLS,
)
read_answers: Final = _ANSWERS.read
"""A row has the columns of the table; a context may be missing where the question is known."""
