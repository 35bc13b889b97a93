"""Triples by subject and type: shares of the cells, checks of the texts."""

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.chat_server import endpoint, says
from tests.http_server import LocalServer
from tomahto.generation.drafts import Draft, Fault
from tomahto.generation.statements import (
    QUESTION_TYPES,
    SUBJECTS,
    cell_counts,
    generate_statements,
)

GOOD = {
    "question": "Which gas do volcanoes emit most?",
    "answer": "water vapour",
    "statement": "Volcanoes emit water vapour more than any other gas.",
}


def by_subject_and_type(total: int) -> tuple[list[int], list[int]]:
    """The number of triples of each subject, and of each type."""
    counts = cell_counts(total)
    cells = [[counts[f"{subject}/{kind}"] for kind in QUESTION_TYPES] for subject in SUBJECTS]
    return [sum(row) for row in cells], [sum(column) for column in zip(*cells, strict=True)]


def test_cells_have_the_shares_of_the_paper() -> None:
    # 56.2 % of 11,000 is 6,182; the rest is 7 · 688 and 2, which the first two subjects get
    assert by_subject_and_type(11_000) == ([6182, 689, 689, *[688] * 5], [2750] * 4)
    # 56.2 % of 240 is 134.88; the rest is 7 · 15.02
    assert by_subject_and_type(240) == ([135, *[15] * 7], [60] * 4)
    # 56.2 % of 10 is 5.62
    assert by_subject_and_type(10) == ([6, 1, 1, 1, 1, 0, 0, 0], [3, 3, 2, 2])
    assert len(cell_counts(0)) == 32


@given(st.integers(0, 20_000))
def test_every_share_is_within_one_of_what_is_meant(total: int) -> None:
    counts = cell_counts(total)
    assert sum(counts.values()) == total
    for cell, count in counts.items():
        share = Fraction(562, 4000) if cell.startswith("General") else Fraction(438, 28_000)
        assert abs(count - total * share) < 1
    (general, *others), kinds = by_subject_and_type(total)
    assert abs(general - total * Fraction(562, 1000)) <= Fraction(1, 2)
    assert all(abs(count - total * Fraction(438, 7000)) < 1 for count in others)
    assert max(kinds) - min(kinds) <= 1


def test_a_cell_is_asked_for_with_its_definition(server: LocalServer) -> None:
    server.script.append(says(json.dumps([GOOD])))
    [draft] = generate_statements(endpoint(server), "Physics/short-question", 1, draw=4)
    user = server.received[0].json["messages"][1]["content"]
    assert "Subject: Physics\nType of question: short-question\n" in user
    assert "a direct question about a fact" in user
    assert "series 5" in user
    assert draft == Draft(
        target="Physics/short-question",
        question=GOOD["question"],
        reference=GOOD["answer"],
        candidate=GOOD["statement"],
        provenance=draft.provenance,
        question_type="short-question",
    )


def test_more_than_asked_for_is_left(server: LocalServer) -> None:
    server.script.append(says(json.dumps([GOOD] * 5)))
    assert len(generate_statements(endpoint(server), "Physics/short-question", 2)) == 2


@pytest.mark.parametrize(
    ("kind", "changes", "reason"),
    [
        ("short-question", {"statement": "What is it?"}, "holds a question mark"),
        ("short-question", {"statement": "Volcanoes emit __."}, "the statement holds a blank"),
        ("short-question",
         {"statement": "Which gas do volcanoes emit most water vapour."}, "word for word"),
        ("blank-spaces-task", {}, "the question holds no blank"),
        ("short-question", {"statement": ""}, "the statement is empty"),
        ("short-question", {"question": 7}, "the question is not a text"),
        ("short-question", {"label": "correct"}, "question, answer, statement alone"),
    ],
)  # fmt: skip
def test_what_is_no_statement_is_a_fault(
    server: LocalServer, kind: str, changes: dict[str, object], reason: str
) -> None:
    server.script.append(says(json.dumps([{**GOOD, **changes}, GOOD])))
    first, *rest = generate_statements(endpoint(server), f"History/{kind}", 2)
    assert isinstance(first, Fault)
    assert reason in first.reason
    assert len(rest) == 1


def test_a_filled_blank_is_a_statement(server: LocalServer) -> None:
    triple = {**GOOD, "question": "Volcanoes emit mostly _____."}
    server.script.append(says(json.dumps([triple])))
    [draft] = generate_statements(endpoint(server), "Chemistry/blank-spaces-task", 1)
    assert isinstance(draft, Draft)
