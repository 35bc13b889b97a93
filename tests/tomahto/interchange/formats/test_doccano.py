"""doccano's JSONL of text classification, as that tool writes it and as a release does."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.tomahto.interchange.files import Write
from tomahto.interchange.campaigns.items import read_items
from tomahto.interchange.campaigns.ratings import read_ratings
from tomahto.interchange.reading.records import InputError, ItemRow, RatingRow, Source
from tomahto.interchange.reading.rows import FieldMap

AE = ("q1", "q2", "q3", "q4")
ROW: dict[str, object] = {
    "id": 3,  # doccano's own
    "text": "as it was shown",
    "item_id": "i1",
    "document": "d",
    "question_id": "k",
    "question": "q?",
    "context": "c",
    "references": ["a"],
    "reference_index": 0,
    "unrated_references": ["in May, 1990"],
    "candidate": "b",
    "systems": ["s"],
    "label": ["equivalent"],
    "rater": "r-1",
    "q1": "no",
    "q2": "yes",
    "q3": None,
    "q4": None,
    "seconds": 2.5,
    "created_at": "2026-03-01T12:30:00+00:00",
    "Comments": [],
}
ITEM = ItemRow(
    source=Source("all.jsonl", 1),
    id="i1",
    question_key="k",
    document="d",
    question="q?",
    context="c",
    references=("a",),
    candidate="b",
    systems=("s",),
    reference_index=0,
    unrated_references=("in May, 1990",),
)
RATING = RatingRow(
    source=ITEM.source,
    item=ITEM,
    item_id="i1",
    rater="r-1",
    label="equivalent",
    answers={"q1": "no", "q2": "yes", "q3": None, "q4": None},
    seconds=2.5,
    rated_at=datetime(2026, 3, 1, 12, 30, tzinfo=UTC),
)


def ratings(
    path: Path, *, keys: tuple[str, ...] = AE, fields: FieldMap | None = None
) -> list[RatingRow]:
    given = fields or FieldMap()
    return list(
        read_ratings(path, format="doccano", question_keys=keys, name="all.jsonl", fields=given)
    )


def test_lines_are_items_and_ratings(write: Write) -> None:
    path = write("all.jsonl", [ROW])
    assert list(read_items(path, format="doccano", name="all.jsonl")) == [ITEM]
    assert ratings(path) == [RATING]


def test_label_goes_by_two_names_and_may_be_one_text(write: Write) -> None:
    rest = {name: value for name, value in ROW.items() if name != "label"}
    path = write("all.jsonl", [rest | {"labels": ["x"]}, rest | {"label": "x"}])
    assert [rating.label for rating in ratings(path)] == ["x", "x"]


def test_rater_goes_by_the_name_of_earlier_exports(write: Write) -> None:
    path = write("all.jsonl", [ROW | {"rater": None, "username": "ann"}])
    assert ratings(path) == [replace(RATING, rater="ann")]


def test_label_that_is_the_question_answers_it(write: Write) -> None:
    path = write("all.jsonl", [ROW | {"rules": "semantic+aliasing"}])
    (read,) = ratings(path, keys=("label", "rules"))
    assert read.answers == {"label": "equivalent", "rules": "semantic+aliasing"}


def test_examples_that_nobody_labelled_are_passed_over(write: Write) -> None:
    path = write("all.jsonl", [ROW | {"label": []}, ROW])
    assert [rating.source.line for rating in ratings(path)] == [2]


def test_columns_and_labels_of_others_are_mapped(write: Write) -> None:
    row: dict[str, object] = {
        "id": 3,
        "text": "b",
        "label": ["Same"],
        "asked": "q?",
        "meta": {"gold": "a"},
        "Comments": [],
    }
    path = write("all.jsonl", [row])
    fields = FieldMap.of(
        ["question=asked", "candidate=text", "references=meta.gold"], ["Same=equivalent"], "ann"
    )
    item = ItemRow(ITEM.source, None, None, None, "q?", "", ("a",), "b", ())
    assert ratings(path, fields=fields) == [
        RatingRow(ITEM.source, item, None, "ann", "equivalent", answers={})
    ]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"label": None}, "field label: is missing (or labels)"),
        ({"label": ["a", "b"]}, "field label: has 2 labels; a rating must have one"),
        ({"label": [[0, 5, "PER"]]}, "field label[0]: must be text, not an array"),
        ({"label": [True]}, "field label[0]: must be text, not true or false"),
        ({"label": {"a": 1}}, "field label: must be an array, not an object"),
        (
            {"rater": None},
            "field rater: is missing: the file does not name the rater; use --rater NAME",
        ),
        ({"rater": 7.0}, "field rater: must be text, not a number"),
        ({"question": None}, "field question: is missing"),
        ({"references": []}, "field references: is empty: an item must have a reference"),
        ({"q1": 1}, "field q1: must be true, false, text, a list or null, not a number"),
        ({"seconds": -1}, "field seconds: must be between 0 and 31,622,400"),
        ({"created_at": "then"}, "field created_at: is not an ISO 8601 date and time"),
    ],
)
def test_line_that_cannot_be_understood_is_refused(
    changes: dict[str, object], message: str, write: Write
) -> None:
    path = write("all.jsonl", [ROW, ROW | changes])
    with pytest.raises(InputError) as caught:
        ratings(path)
    assert str(caught.value) == f"all.jsonl, line 2, {message}"


def test_mapped_names_are_those_of_errors(write: Write) -> None:
    path = write("all.jsonl", [ROW | {"verdict": [None], "took": "long"}])
    with pytest.raises(InputError) as caught:
        ratings(path, fields=FieldMap.of(["label=verdict"]))
    assert str(caught.value) == "all.jsonl, line 1, field verdict[0]: must be text, not null"
    with pytest.raises(InputError) as caught:
        ratings(path, fields=FieldMap.of(["seconds=took"]))
    assert str(caught.value) == "all.jsonl, line 1, field took: must be a number, not text"


def test_places_of_ratings_are_paths_too(write: Write) -> None:
    given = {"who": "ann", "verdict": ["Same"], "first": "no", "second": None}
    row = {name: value for name, value in ROW.items() if name not in ("label", "rater", *AE)}
    path = write("all.jsonl", [row | {"meta": given, "labels": ["x"]}])
    fields = FieldMap.of(
        ["label=meta.verdict", "rater=meta.who", "q1=meta.first", "q2=meta.second"],
        ["Same=equivalent"],
    )
    answers = {"q1": "no", "q2": None}
    assert ratings(path, fields=fields) == [replace(RATING, rater="ann", answers=answers)]


@pytest.mark.parametrize("field", ["label", "rater", "q1", "seconds"])
def test_mapping_to_a_column_that_is_not_there_is_refused(write: Write, field: str) -> None:
    path = write("all.jsonl", [ROW | {"labels": ["x"], "username": "ann"}])
    with pytest.raises(InputError) as caught:
        ratings(path, fields=FieldMap.of([f"{field}=meta.none"]))
    assert str(caught.value) == (
        f"all.jsonl, line 1, field meta.none: is missing, although --map names it for {field}"
    )


def test_rater_given_goes_before_the_one_that_a_line_names(write: Write) -> None:
    path = write("all.jsonl", [ROW])
    assert ratings(path, fields=FieldMap.of(rater="ann")) == [replace(RATING, rater="ann")]
