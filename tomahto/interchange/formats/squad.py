"""SQuAD files: articles with paragraphs and questions (1.1 and 2.0), and prediction objects.

An article is read paragraph by paragraph, so its length does not matter. Only paragraphs that
stand before their article's title have to wait in memory until the title is known. A release writes
such files by `tomahto.releases.formats.squad`.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from tomahto.interchange.campaigns.questions import distinct_references
from tomahto.interchange.reading.input_file import InputFile
from tomahto.interchange.reading.records import (
    MAX_CONTEXT,
    MAX_RECORD_SIZE,
    MEBIBYTE,
    PredictionRecord,
    QuestionRecord,
)
from tomahto.interchange.reading.row import Row, name_in_error
from tomahto.interchange.reading.strict_json import JsonDocument, open_document
from tomahto.interchange.table import FileToRead, ImportFormat


def _questions(file: FileToRead) -> Iterator[QuestionRecord]:
    """Yield the questions of all articles. A record's line is that of its paragraph.

    Unanswerable questions come without references, as do those whose answers the file does not
    give. Raises InputError with the path to the field,
    as in data[3].paragraphs[0].qas[2].answers[0].text.
    """
    for document, path in squad_articles(file.file, file.max_document_bytes):
        yield from _article(document, path)


def squad_articles(file: InputFile, max_bytes: int) -> Iterator[tuple[JsonDocument, str]]:
    """Yield the document before each article, which must be walked before the next one is asked
    for, and the path to its fields. Raises InputError if the file is not of articles."""
    with open_document(file, max_bytes) as document:
        has_data = False
        for key in document.members():
            if key == "data":
                has_data = True
                for place in document.elements():
                    yield document, f"data[{place}]."
            else:
                document.value()
        document.finish()
        if not has_data:
            raise file.source(1).error("is missing; is this a SQuAD file?", "data")


def _article(document: JsonDocument, path: str) -> Iterator[QuestionRecord]:
    article, title, waiting = Row(document.source, {}, path), None, list[QuestionRecord]()
    keys = set[str]()
    for key in document.members():
        keys.add(key)
        if key == "title":
            title = Row(document.source, {key: document.value()}, path).optional_name(key)
        elif key == "paragraphs":
            questions = _paragraphs(document, path, title)
            if "title" in keys:
                yield from questions
            else:
                waiting = _waiting(questions, document)
        else:
            document.value()
    if "paragraphs" not in keys:
        raise article.error("is missing", "paragraphs")
    yield from (replace(question, document=title) for question in waiting)


def _waiting(questions: Iterator[QuestionRecord], document: JsonDocument) -> list[QuestionRecord]:
    start, waiting = document.passed, list[QuestionRecord]()
    for question in questions:
        waiting.append(question)
        if document.passed - start > MAX_RECORD_SIZE:
            limit = MAX_RECORD_SIZE // MEBIBYTE
            message = f"the article's title comes after more than {limit} MiB"
            raise question.source.error(message, "title")
    return waiting


def _paragraphs(document: JsonDocument, path: str, title: str | None) -> Iterator[QuestionRecord]:
    for paragraph in document.rows(f"{path}paragraphs"):
        context = paragraph.text_or_empty("context", limit=MAX_CONTEXT)  # open-domain: no passage
        for question in paragraph.rows("qas"):
            yield _question(question, context, title)


def _question(row: Row, context: str, title: str | None) -> QuestionRecord:
    is_impossible = row.optional_flag("is_impossible") is True
    has_answers = row.field_of("answers") is not None
    answers = list(row.rows("answers")) if has_answers and not is_impossible else []
    references, starts = distinct_references(
        [answer.text("text") for answer in answers],
        [answer.optional_whole_number("answer_start") for answer in answers],
        context,
    )
    return QuestionRecord(
        source=row.source,
        key=row.optional_name("id"),
        document=title,
        text=row.text("question"),
        context=context,
        references=references,
        answer_starts=starts,
        is_unanswerable=is_impossible or (has_answers and not answers),
    )


def _predictions(file: FileToRead) -> Iterator[PredictionRecord]:
    """Yield the pairs of one object {question id: candidate}, without reading it whole."""
    with open_document(file.file, file.max_document_bytes) as document:
        for key in document.members():
            row = Row(
                document.source,
                {"id": key, "candidate": document.value()},
                f"{name_in_error(key)}.",
            )
            question_key = row.name("id")
            yield PredictionRecord(row.source, question_key, row.text_or_empty("candidate"))
        document.finish()


FORMATS: Final = (
    ImportFormat(
        name="squad",
        title="SQuAD",
        place=0,
        endings=(".json",),
        first_character="{",
        readers={"questions": _questions, "predictions": _predictions},
    ),
)
