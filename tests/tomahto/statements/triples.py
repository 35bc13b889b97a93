"""Triples to learn from, and files of them."""

import json
from collections.abc import Sequence
from pathlib import Path

from tomahto.statements.generator import QuestionAnswer, Triple


def triple(number: int, answer: str = "Ada") -> Triple:
    question = f"Who wrote book {number}?"
    return Triple(QuestionAnswer(question, answer), f"{answer.lower()} wrote book {number}.")


def write_triples(path: Path, triples: Sequence[Triple]) -> Path:
    lines = [
        json.dumps({"question": t.pair.question, "answer": t.pair.answer, "statement": t.statement})
        for t in triples
    ]
    path.write_text("\n\n".join(lines), encoding="utf-8")
    return path
