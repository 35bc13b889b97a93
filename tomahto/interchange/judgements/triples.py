"""Statements made of questions and answers, that generators learn from."""

from pathlib import Path

from tomahto.interchange.judgements.places import rows_at, source_of
from tomahto.interchange.reading.input_file import InputFile
from tomahto.interchange.reading.row import Row
from tomahto.learning.examples import Examples
from tomahto.statements.generator import QuestionAnswer
from tomahto.statements.triples import Triple


def read_triples(path: Path, *, split: str = "") -> Examples[Triple]:
    """From a split of a release its statements, from JSON lines of {"question", "answer",
    "statement"} a triple each; further fields are ignored.

    Raises InputError with file, line and field at the first wrong line, and for a place without
    triples.
    """
    triples = tuple(map(_triple, rows_at(path, split)))
    if not triples:
        raise InputFile.at(path).error("holds no examples")
    return Examples(triples, f"{path}:{split}" if split else str(path), source_of(path, split))


def _triple(row: Row) -> Triple:
    """An item of a release has the answer as its reference, and the statement that was judged as
    its candidate."""
    question = row.text("question")
    answer = row.texts("references")[0] if row.name_of("references") else row.text("answer")
    return Triple(QuestionAnswer(question, answer), row.text("statement", "candidate"))
