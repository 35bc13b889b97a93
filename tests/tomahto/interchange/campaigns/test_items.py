from dataclasses import replace
from pathlib import Path

import pytest

from tests.tomahto.interchange.files import Write
from tomahto.interchange.campaigns.items import read_items
from tomahto.interchange.reading.records import GivenAnswer, InputError, ItemRow, Source


def item(path: Path, line: int) -> ItemRow:
    """An item with nothing but what it must have."""
    return ItemRow(
        source=Source(str(path), line),
        id=None,
        question_key=None,
        document=None,
        question="q?",
        context="",
        references=("a",),
        candidate="b",
        systems=(),
    )


def test_json_lines_items_have_all_fields(write: Write) -> None:
    rows: list[dict[str, object]] = [
        {
            "id": "i1",
            "question_id": "q1",
            "document": "d",
            "question": "q?",
            "context": "c",
            "references": ["a", "b", "a"],
            "candidate": "b",
            "systems": ["bert", "xlnet", "bert"],
            "reference_index": 2,
            "question_type": "why\u00a0",
            "intended": " cafe\u0301",
            "unrated_references": ["c"],
            "label": "ignored here",
        },
        {"question": "q?", "reference": "a", "candidate": "", "system": "bert", "qid": 5},
        {"question": "q?", "references": ["a"], "candidate": "b"},
    ]
    path = write("i.jsonl", rows)
    assert list(read_items(path, format=None)) == [
        ItemRow(
            source=Source(str(path), 1),
            id="i1",
            question_key="q1",
            document="d",
            question="q?",
            context="c",
            references=("a", "b"),
            candidate="b",
            systems=("bert", "xlnet"),
            reference_index=2,
            question_type="why",
            intended="café",
            unrated_references=("c",),
        ),
        replace(item(path, 2), candidate="", systems=("bert",), question_key="5"),
        item(path, 3),
    ]


def test_csv_items_have_the_fields_of_json_lines(write: Write) -> None:
    text = (
        "id,question,references,candidate,systems,reference_index\n"
        ",q?,a,b,,\n"
        'i2,q?,"[""a"", ""c""]",b,"[""bert"", ""xlnet""]",1\n'
        "i3,q?,a,b,bert,\n"
    )
    path = write("i.csv", text)
    assert list(read_items(path, format=None)) == [
        item(path, 2),
        replace(
            item(path, 3),
            id="i2",
            references=("a", "c"),
            systems=("bert", "xlnet"),
            reference_index=1,
        ),
        replace(item(path, 4), id="i3", systems=("bert",)),
    ]


def test_ae_items_are_one_per_rating(write: Write) -> None:
    row: dict[str, object] = {
        "qid": "q1",
        "context": "c",
        "question": "q?",
        "reference": "a",
        "candidate": "b",
        "gold_index": 1,
        "score": 0.5,
        "question_1": "no",
        "question_2": "yes",
        "question_3": "undefined",
        "question_4": "undefined",
    }
    path = write("ae_dev.jsonl", [row, row])
    expected = replace(item(path, 1), question_key="q1", context="c", reference_index=1)
    assert list(read_items(path, format=None)) == [
        expected,
        replace(expected, source=Source(str(path), 2)),
    ]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"candidate": None}, "field candidate: is missing"),
        ({"references": []}, "field references: is empty: an item must have a reference"),
        ({"references": None}, "field references: is missing (or reference)"),
        ({"references": {"text": ["a"]}}, "field references: must be an array, not an object"),
        ({"systems": ["bert", 7.5]}, "field systems[1]: must be text, not a number"),
        ({"system": " "}, "field system: is empty"),
        (
            {"reference_index": 1.0},
            "field reference_index: must be a whole number, without quotes or point",
        ),
        (
            {"reference_index": True},
            "field reference_index: must be a whole number, without quotes or point",
        ),
    ],
)
def test_wrong_item_is_refused(fields: dict[str, object], message: str, write: Write) -> None:
    row = {"question": "q?", "references": ["a"], "candidate": "b", **fields}
    with pytest.raises(InputError) as caught:
        list(read_items(write("i.jsonl", [row]), format="jsonl", name="i.jsonl"))
    assert str(caught.value) == f"i.jsonl, line 1, {message}"


AE = ("q1", "q2", "q3", "q4")
TEXTS = {"question": "q?", "references": ["a"], "candidate": "b"}


def test_items_with_a_known_answer_carry_it_as_label_or_as_answers(write: Write) -> None:
    rows: list[dict[str, object]] = [
        {**TEXTS, "purpose": "calibration", "expected": "equivalent", "explanation": "Same."},
        {**TEXTS, "purpose": "control", "q1": False, "q2": True, "q3": None},
        {**TEXTS, "purpose": "control", "label": "equivalent"},
        {**TEXTS, "purpose": "live", "label": "equivalent", "q1": True, "expected": None},
    ]
    path = write("i.jsonl", rows)
    assert list(read_items(path, format=None, question_keys=AE)) == [
        replace(
            item(path, 1),
            purpose="calibration",
            expected=GivenAnswer("equivalent"),
            explanation="Same.",
        ),
        replace(
            item(path, 2),
            purpose="control",
            expected=GivenAnswer(None, {"q1": False, "q2": True, "q3": None}),
        ),
        replace(item(path, 3), purpose="control", expected=GivenAnswer("equivalent")),
        item(path, 4),
    ]


def test_csv_items_with_a_known_answer_read_it_as_ratings_do(write: Write) -> None:
    text = (
        "question,reference,candidate,purpose,expected,explanation,q1,q2\n"
        "q?,a,b,calibration,,Why.,no,yes\n"
        "q?,a,b,calibration,equivalent,,,\n"
        "q?,a,b,,,,,\n"
    )
    path = write("i.csv", text)
    assert list(read_items(path, format=None, question_keys=AE)) == [
        replace(
            item(path, 2),
            purpose="calibration",
            expected=GivenAnswer(None, {"q1": False, "q2": True}),
            explanation="Why.",
        ),
        replace(
            item(path, 3),
            purpose="calibration",
            expected=GivenAnswer("equivalent", {"q1": None, "q2": None}),
        ),
        item(path, 4),
    ]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {"purpose": "practice"},
            "field purpose: 'practice' is not one of live, calibration, control",
        ),
        ({"purpose": 1}, "field purpose: must be text, not a number"),
        (
            {"purpose": "calibration"},
            "field expected: is missing: a calibration item must have an expected answer",
        ),
        (
            {"purpose": "control", "q1": None},
            "field expected: is missing: a control item must have an expected answer",
        ),
        (
            {"expected": "equivalent"},
            "field expected: is for calibration and control items; this one is live",
        ),
        (
            {"purpose": "control", "q1": 3},
            "field q1: must be true, false, text, a list or null, not a number",
        ),
        (
            {"purpose": "control", "expected": {"q1": True}},
            "field expected: must be text, not an object",
        ),
        (
            {"purpose": "control", "expected": "equivalent", "explanation": ["a"]},
            "field explanation: must be text, not an array",
        ),
    ],
)
def test_wrong_purpose_or_expectation_is_refused(
    fields: dict[str, object], message: str, write: Write
) -> None:
    path = write("i.jsonl", [{**TEXTS, **fields}])
    with pytest.raises(InputError) as caught:
        list(read_items(path, format=None, question_keys=AE, name="i.jsonl"))
    assert str(caught.value) == f"i.jsonl, line 1, {message}"
