"""Triples by subject and type: shares of the cells, checks of the texts."""

import json

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


def test_cells_have_the_shares_of_the_paper() -> None:
    counts = cell_counts(11_000)
    by_subject = {
        subject: sum(counts[f"{subject}/{kind}"] for kind in QUESTION_TYPES) for subject in SUBJECTS
    }
    # 56.2 % of 11,000 is 6,182, so 1,545.5 for each type: four times 1,546; the rest is 28 · 172
    assert by_subject["General knowledge"] == 6184
    assert {by_subject[subject] for subject in SUBJECTS[1:]} == {688}
    assert len(counts) == 32


@given(st.integers(0, 20_000))
def test_every_cell_is_within_one_of_its_share(total: int) -> None:
    counts = cell_counts(total)
    assert sum(counts.values()) == total
    for cell, count in counts.items():
        share = 0.562 / 4 if cell.startswith("General") else 0.438 / 28
        assert abs(count - total * share) < 1


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
