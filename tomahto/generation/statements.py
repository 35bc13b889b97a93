"""Triples of question, answer and statement, by subject and type of question (CAP App. B.5)."""

import re
from collections.abc import Mapping
from typing import Any, Final

from tomahto.endpoint.chat import ChatEndpoint, Parameters
from tomahto.generation.array import (
    UnusableReply,
    UnusableText,
    ask_for_array,
    prompt_named,
    usable_fields,
)
from tomahto.generation.drafts import Draft, Fault
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
_GENERAL_SHARE: Final = 0.562


def cell_counts(total: int) -> dict[str, int]:
    """How many triples each cell `SUBJECT/TYPE` gets of so many.

    General knowledge gets 56.2 %, the seven subjects share the rest alike, and so do the four
    types within a subject; what is left by rounding down goes to the cells with the largest
    remainders, of equals to the first.
    """
    others = (1 - _GENERAL_SHARE) / (len(SUBJECTS) - 1)
    exact = {
        f"{subject}/{kind}": total
        * (_GENERAL_SHARE if subject == GENERAL else others)
        / len(QUESTION_TYPES)
        for subject in SUBJECTS
        for kind in QUESTION_TYPES
    }
    counts = {cell: int(share) for cell, share in exact.items()}
    by_remainder = sorted(exact, key=lambda cell: counts[cell] - exact[cell])
    for cell in by_remainder[: total - sum(counts.values())]:
        counts[cell] += 1
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
        return [Fault(cell, str(error), error.provenance)]
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
    """What can be told of a statement without judgement."""
    if "?" in statement:
        raise UnusableText("the statement holds a question mark")
    if _BLANK.search(statement):
        raise UnusableText("the statement holds a blank")
    if kind == "blank-spaces-task" and not _BLANK.search(question):
        raise UnusableText("the question holds no blank")
    is_question = kind in {"short-question", "long-question"}
    if is_question and question_form(question) in question_form(statement):
        raise UnusableText("the statement repeats the question word for word")
