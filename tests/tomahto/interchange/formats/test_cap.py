"""CAP-Correctness and CAP-Statements as items."""

import pytest

from tests.tomahto.interchange.files import Write
from tomahto.interchange.campaigns.items import read_items
from tomahto.interchange.reading.records import InputError, ItemRow, Source

CORRECTNESS = {
    "question": "Which?",
    "gold_answer": "a",
    "candidate_answer": "b",
    "correctness_label": "partial",
}
STATEMENT = {"question": "Which?", "answer": "a", "statement": "It is a."}


def test_the_published_label_is_what_an_answer_was_written_for(write: Write) -> None:
    path = write("c.jsonl", [{**CORRECTNESS, "source": "ARC", "split": "test"}])
    assert list(read_items(path, format=None)) == [
        ItemRow(
            source=Source(str(path), 1),
            id=None,
            question_key=None,
            document="ARC",
            question="Which?",
            context="",
            references=("a",),
            candidate="b",
            systems=(),
            split="test",
            intended="partial",
        )
    ]


def test_lines_of_a_release_keep_class_references_and_system(write: Write) -> None:
    ours = {**CORRECTNESS, "id": "i1", "other_gold_answers": ["c"]}
    written, answered = ({**ours, "synthetic_label": "invalid", "system": ""}, {**ours, "id": "i2"})
    answered |= {"synthetic_label": "", "system": "gpt-4o"}
    items = list(read_items(write("c.jsonl", [written, answered]), format=None))
    assert [(one.id, one.intended, one.systems, one.references) for one in items] == [
        ("i1", "invalid", (), ("a", "c")),
        ("i2", "", ("gpt-4o",), ("a", "c")),
    ]


def test_what_people_said_is_not_what_an_answer_was_written_for(write: Write) -> None:
    """Lines of a release without generated texts, and lines that name a system."""
    lines = [{**CORRECTNESS, "other_gold_answers": []}, {**CORRECTNESS, "system": "gpt-4o"}]
    items = list(read_items(write("c.jsonl", lines), format=None))
    assert [(one.intended, one.systems) for one in items] == [("", ()), ("", ("gpt-4o",))]


def test_a_line_of_a_release_names_each_system(write: Write) -> None:
    line = {**CORRECTNESS, "system": "gpt-4o+gemini-flash"}
    ours = {**line, "other_gold_answers": []}
    items = list(read_items(write("c.jsonl", [ours, line]), format=None))
    assert [one.systems for one in items] == [
        ("gpt-4o", "gemini-flash"),
        ("gpt-4o+gemini-flash",),
    ]


def test_a_statement_keeps_subject_and_type(write: Write) -> None:
    more = {"question_type": "short-question", "subject": "Biology"}
    items = list(read_items(write("s.jsonl", [{**STATEMENT, **more}, STATEMENT]), format=None))
    assert [(one.references, one.candidate, one.question_type, one.intended) for one in items] == [
        (("a",), "It is a.", "short-question", "Biology/short-question"),
        (("a",), "It is a.", "", ""),
    ]


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ({**CORRECTNESS, "candidate_answer": None}, "candidate_answer"),
        ({**CORRECTNESS, "gold_answer": ""}, "gold_answer"),
        ({**CORRECTNESS, "other_gold_answers": [True]}, "other_gold_answers"),
        ({**STATEMENT, "answer": ""}, "answer"),
        ({**STATEMENT, "statement": [1]}, "statement"),
        ({**STATEMENT, "split": "all"}, "split"),
    ],
)
def test_wrong_lines_are_refused_by_the_files_own_names(
    write: Write, line: dict[str, object], field: str
) -> None:
    good = CORRECTNESS if "gold_answer" in line else STATEMENT
    path = write("x.jsonl", [good, line])
    with pytest.raises(InputError, match=f"line 2, field {field}"):
        list(read_items(path, format=None))
