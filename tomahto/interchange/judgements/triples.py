"""What statement generators learn from, and what they are to write statements of."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from tomahto.interchange.judgements.human_labels import labelled_rows
from tomahto.interchange.judgements.places import rows_at, source_of
from tomahto.interchange.reading.input_file import InputFile
from tomahto.interchange.reading.row import Row
from tomahto.interchange.reading.rows import at_least_one
from tomahto.learning.examples import Examples
from tomahto.statements.generator import QuestionAnswer
from tomahto.statements.triples import Triple

_FAULTY: Final = frozenset({"syntactic", "semantic", "wrong"})
"""What people say of statements that are not to be learned from (CAP Tab. 10)."""
_KEPT: Final = ("document", "question_id", "question_type", "intended")


class ToState(NamedTuple):
    """A question and an answer without a statement, and what else is known of the question."""

    pair: QuestionAnswer
    details: dict[str, str]


def read_triples(path: Path, *, split: str = "", with_faulty: bool = False) -> Examples[Triple]:
    """From a split of a release of statements its own, from JSON lines of {"question", "answer",
    "statement"[, "label"]} a triple each; further fields are ignored.

    Those that people labelled syntactic, semantic or wrong are left out, and counted in the
    source, unless they are asked for; those whose label was drawn in a tie always. Raises
    InputError with file, line and field at the first wrong line, for a release of another protocol,
    and for a place without triples.
    """
    rows = list(labelled_rows(rows_at(path, split, "statement")))
    kept = [row for row in rows if with_faulty or row.optional_text("label") not in _FAULTY]
    triples = tuple(map(_triple, kept))
    if not triples:
        raise InputFile.at(path).error("holds no examples")
    source = source_of(path, split)
    if len(kept) < len(rows):
        source["left_out_as_faulty"] = str(len(rows) - len(kept))
    return Examples(triples, f"{path}:{split}" if split else str(path), source)


def read_to_state(path: Path) -> Iterator[ToState]:
    """Questions and answers at such a place, whatever statements it has.

    Raises InputError as `read_triples`.
    """
    for row in at_least_one(rows_at(path), InputFile.at(path)):
        details = {name: row.optional_text(name) for name in _KEPT}
        yield ToState(_pair(row), {name: text for name, text in details.items() if text})


def _triple(row: Row) -> Triple:
    """An item of a release has the statement that was judged as its candidate."""
    return Triple(_pair(row), row.text("statement", "candidate"))


def _pair(row: Row) -> QuestionAnswer:
    """An item of a release has the answer as its reference."""
    question = row.text("question")
    answers = row.name_of("references", "reference")
    return QuestionAnswer(question, row.texts(answers)[0] if answers else row.text("answer"))
