"""NQ-open: JSON lines of a question and its answers, without passages."""

from collections.abc import Iterator
from typing import Final

from tomahto.interchange.campaigns.questions import distinct_references
from tomahto.interchange.reading.records import QuestionRecord
from tomahto.interchange.reading.rows import json_rows
from tomahto.interchange.table import FileToRead, ImportFormat


def _questions(file: FileToRead) -> Iterator[QuestionRecord]:
    for row in json_rows(file.file):
        texts = row.texts("answer")
        references, starts = distinct_references(texts, [None] * len(texts), "")
        yield QuestionRecord(
            source=row.source,
            key=row.optional_name("id"),
            document=None,
            text=row.text("question"),
            context="",
            references=references,
            answer_starts=starts,
            is_unanswerable=not references,
        )


FORMATS: Final = (
    ImportFormat(
        name="nq-open",
        title="NQ-open",
        place=3,
        line_fields=frozenset({"question", "answer"}),
        readers={"questions": _questions},
    ),
)
