"""Triples, written for these tests."""

from tomahto.statements.generator import QuestionAnswer
from tomahto.statements.triples import Triple


def triple(number: int, answer: str = "Ada") -> Triple:
    question = f"Who wrote book {number}?"
    return Triple(QuestionAnswer(question, answer), f"{answer.lower()} wrote book {number}.")
