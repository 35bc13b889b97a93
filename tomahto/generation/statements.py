"""Triples of question, answer and statement, by subject and type of question (CAP App. B.5)."""

import re
from collections.abc import Mapping
from fractions import Fraction
from itertools import cycle
from typing import Any, Final

from tomahto.endpoint.chat import ChatEndpoint, Parameters
from tomahto.generation.drafts import (
    Draft,
    Fault,
    UnusableReply,
    UnusableText,
    ask_for_array,
    prompt_named,
    usable_fields,
)
from tomahto.text.same_question import question_form

BATCH: Final = 10
_PROMPT: Final = prompt_named("statement")
_PARAMETERS: Final = Parameters(max_tokens=4096, temperature=1.0, top_p=0.95)
_FIELDS: Final = ("question", "answer", "statement")
_BLANK: Final = re.compile(r"_{2,}")

QUESTION_TYPES: Final = tuple(_PROMPT.parts)
GENERAL: Final = "General knowledge"
SUBJECTS: Final = (
    GENERAL,
    *("Biology", "Physics", "History", "Geography", "Chemistry", "Mathematics"),
    "Computer Science",
)
_GENERAL_SHARE: Final = Fraction("0.562")


def cell_counts(total: int) -> dict[str, int]:
    """The number of triples for each cell `SUBJECT/TYPE`, of so many in all.

    General knowledge gets 56.2 %, rounded to the nearest, and the seven subjects share the rest
    alike, those that are first one more where it does not come out even. The four types are dealt
    in turn, each subject going on where the one before ended, so that they differ by at most one
    within a subject and in all.
    """
    general = int(total * _GENERAL_SHARE + Fraction(1, 2))
    each, more = divmod(total - general, len(SUBJECTS) - 1)
    counts = {f"{subject}/{kind}": 0 for subject in SUBJECTS for kind in QUESTION_TYPES}
    kinds = cycle(QUESTION_TYPES)
    for place, subject in enumerate(SUBJECTS):
        for _ in range(each + (place <= more) if place else general):
            counts[f"{subject}/{next(kinds)}"] += 1
    return counts


def generate_statements(
    endpoint: ChatEndpoint, cell: str, count: int, *, draw: int = 0
) -> list[Draft | Fault]:
    """Up to so many triples of one cell; what is not one is a fault of its own."""
    subject, kind = cell.split("/")
    values = {
        "subject": subject,
        "type": kind,
        "count": str(count),
        "series": str(draw + 1),
        **_PROMPT.parts[kind],
    }
    try:
        triples, provenance = ask_for_array(endpoint, _PROMPT, values, _PARAMETERS, draw=draw)
    except UnusableReply as error:
        return [Fault(cell, str(error), error.provenance, texts=count)]
    return [_checked(cell, kind, triple, provenance) for triple in triples[:count]]


def _checked(cell: str, kind: str, triple: Any, provenance: Mapping[str, Any]) -> Draft | Fault:
    try:
        question, answer, statement = usable_fields(triple, _FIELDS)
        _require_statement(kind, question, statement)
    except UnusableText as error:
        return Fault(cell, str(error), provenance)
    return Draft(
        target=cell,
        question=question,
        reference=answer,
        candidate=statement,
        provenance=provenance,
        question_type=kind,
    )


def _require_statement(kind: str, question: str, statement: str) -> None:
    """Raises UnusableText for faults of a statement that need no judgement."""
    if "?" in statement:
        raise UnusableText("the statement holds a question mark")
    if _BLANK.search(statement):
        raise UnusableText("the statement holds a blank")
    if kind == "blank-spaces-task" and not _BLANK.search(question):
        raise UnusableText("the question holds no blank")
    is_question = kind in {"short-question", "long-question"}
    if is_question and question_form(question) in question_form(statement):
        raise UnusableText("the statement repeats the question word for word")
