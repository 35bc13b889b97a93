"""Label Studio's export in JSON, as that tool writes it and as people configure it."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.tomahto.interchange.files import Write
from tomahto.interchange.campaigns.items import read_items
from tomahto.interchange.campaigns.ratings import read_annotations, read_ratings
from tomahto.interchange.reading.records import InputError, ItemRow, RatingRow, Source
from tomahto.interchange.reading.rows import FieldMap

AE = ("q1", "q2", "q3", "q4")
AT = "line 1, field [0].annotations[0]."
NO_ANSWER = "has no answer by the control label, but by"
DATA = {
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
    "of_no_use": {"x": [1]},
}
ITEM = ItemRow(
    source=Source("tasks.json", 1),
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


def choice(control: str, *choices: str) -> dict[str, Any]:
    return {
        "id": "Dx_aB91ISN",
        "from_name": control,
        "to_name": "text",
        "type": "choices",
        "origin": "manual",
        "value": {"choices": [*choices]},
    }


def annotation(*results: object, **fields: object) -> dict[str, Any]:
    return {
        "id": 1001,
        "completed_by": 7,
        "result": [*results],
        "was_cancelled": False,
        "ground_truth": False,
        "created_at": "2026-03-09T22:16:08.728353Z",
        "updated_at": "2026-03-09T22:16:08.728378Z",
        "lead_time": 4.288,
        "task": 1,
        **fields,
    }


def task(*annotations: object, **fields: object) -> dict[str, Any]:
    return {
        "id": 1,
        "data": DATA,
        "annotations": [*annotations],
        "drafts": [],
        "predictions": [],
        "meta": {},
        "project": 83,
        **fields,
    }


def ratings(
    path: Path, *, keys: tuple[str, ...] = AE, fields: FieldMap | None = None
) -> list[RatingRow]:
    given = fields or FieldMap()
    return list(
        read_ratings(path, format=None, question_keys=keys, name="tasks.json", fields=given)
    )


RATING = RatingRow(
    source=ITEM.source,
    item=ITEM,
    item_id="i1",
    rater="label-studio-7",
    label="equivalent",
    seconds=4.288,
    rated_at=datetime(2026, 3, 9, 22, 16, 8, 728353, tzinfo=UTC),
)


def test_tasks_are_items(write: Write) -> None:
    tasks = [task(annotation(choice("label", "equivalent"))), {"data": {**DATA, "item_id": "i2"}}]
    path = write("tasks.json", json.dumps(tasks))
    assert list(read_items(path, format=None, name="tasks.json")) == [ITEM, replace(ITEM, id="i2")]


def test_annotations_are_ratings_of_those_who_completed_them(write: Write) -> None:
    tasks = [
        task(
            annotation(choice("label", "equivalent")),
            annotation(choice("label", "not-equivalent"), completed_by={"id": 8, "email": "e"}),
            annotation(choice("label", "equivalent"), completed_by={"email": "a@example.org"}),
        )
    ]
    path = write("tasks.json", json.dumps(tasks))
    assert ratings(path) == [
        RATING,
        replace(RATING, label="not-equivalent", rater="label-studio-8"),
        replace(RATING, rater="label-studio-a@example.org"),
    ]


def test_rater_is_the_one_given_or_written_down(write: Write) -> None:
    named = {
        "from_name": "rater",
        "to_name": "text",
        "type": "textarea",
        "value": {"text": ["r-1"]},
    }
    tasks = [task(annotation(choice("label", "equivalent"), named, completed_by=None))]
    path = write("tasks.json", json.dumps(tasks))
    assert ratings(path) == [replace(RATING, rater="r-1")]
    assert ratings(path, fields=FieldMap.of(rater="ann")) == [replace(RATING, rater="ann")]


def annotations(path: Path, *, takes_newest: bool = False) -> list[object]:
    """The labels of the ratings, and for what is none the task and the reason."""
    rows = read_annotations(
        path,
        format=None,
        question_keys=AE,
        name="tasks.json",
        fields=FieldMap(takes_newest=takes_newest),
    )
    return [
        (row.rater, row.label) if isinstance(row, RatingRow) else (row.id, row.reason)
        for row in rows
    ]


def test_cancelled_and_empty_annotations_are_passed_over_and_said(write: Write) -> None:
    label = choice("label", "equivalent")
    tasks = [
        task(annotation(label, was_cancelled=True), annotation(), annotation(label)),
        task(annotation(result=None), annotation({"type": 7}, was_cancelled=True), id=2),
        task(annotation({**label, "value": {"choices": []}}), id=3),
        task(id=4),
    ]
    path = write("tasks.json", json.dumps(tasks))
    assert ratings(path) == [RATING]
    assert annotations(path) == [
        ("label-studio-7", "equivalent"),
        ("1", "cancelled annotation"),
        ("1", "empty annotation"),
        ("2", "empty annotation"),
        ("2", "cancelled annotation"),
        ("3", "empty annotation"),
    ]


COMMENT = {"from_name": "comment", "type": "textarea", "value": {"text": ["odd"]}}


@pytest.mark.parametrize(
    "results",
    [
        [COMMENT],
        [COMMENT, {**COMMENT, "from_name": "why"}, COMMENT],
        [COMMENT, choice("label")],
        [{**COMMENT, "from_name": None}],
    ],
)
def test_an_annotation_with_a_comment_alone_is_empty(
    write: Write, results: list[dict[str, Any]]
) -> None:
    path = write("tasks.json", json.dumps([task(annotation(*results), FIRST)]))
    assert annotations(path) == [("label-studio-7", "not-equivalent"), ("1", "empty annotation")]


@pytest.mark.parametrize(
    ("fields", "answer"),
    [
        (FieldMap.of(["label=comment"]), {"label": "odd"}),
        (FieldMap.of(["q1=comment"]), {"label": None, "answers": {"q1": "odd"}}),
    ],
)
def test_a_text_under_a_control_of_ours_is_no_comment(
    write: Write, fields: FieldMap, answer: dict[str, Any]
) -> None:
    path = write("tasks.json", json.dumps([task(annotation(COMMENT))]))
    assert ratings(path, fields=fields) == [replace(RATING, **answer)]


FIRST = annotation(choice("label", "not-equivalent"))
CHANGED = {"updated_at": "2026-03-10T09:00:00Z"}
AGAIN = annotation(choice("label", "equivalent"), **CHANGED)
BY_ANOTHER = annotation(choice("label", "not-equivalent"), completed_by=8)


@pytest.mark.parametrize("given", [(FIRST, BY_ANOTHER, AGAIN), (AGAIN, BY_ANOTHER, FIRST)])
def test_the_newest_of_several_annotations_by_one_rater_counts_where_asked(
    write: Write, given: tuple[dict[str, Any], ...]
) -> None:
    path = write("tasks.json", json.dumps([task(*given)]))
    assert annotations(path, takes_newest=True) == [
        ("label-studio-7", "equivalent"),
        ("label-studio-8", "not-equivalent"),
        ("1", "older annotation by the same rater"),
    ]
    with pytest.raises(InputError) as caught:
        ratings(path)
    assert str(caught.value) == (
        "tasks.json, line 1, field [0].annotations[2].completed_by: 'label-studio-7' has several "
        "annotations of this task; use --newest to keep the newest"
    )


def test_an_annotation_is_as_new_as_its_last_change_or_else_as_itself(write: Write) -> None:
    created = {"created_at": "2026-03-10T08:00:00Z", "updated_at": None}
    older = annotation(choice("label", "not-equivalent"), **created)
    path = write("tasks.json", json.dumps([task(AGAIN, older, FIRST)]))
    assert annotations(path, takes_newest=True)[0] == ("label-studio-7", "equivalent")
    timeless = annotation(choice("label", "equivalent"), created_at=None, updated_at=None)
    path = write("tasks.json", json.dumps([task(timeless, FIRST)]))
    with pytest.raises(InputError) as caught:
        annotations(path, takes_newest=True)
    assert str(caught.value) == f"tasks.json, {AT}updated_at: is missing, so the newest is unknown"


def test_a_question_reference_and_candidate_may_be_numbers(write: Write) -> None:
    data = {**DATA, "question": 2, "references": 1969, "candidate": 19.50}
    text = json.dumps([task(annotation(choice("label", "equivalent")), data=data)])
    path = write("tasks.json", text.replace("19.5", "19.50"))
    item = replace(ITEM, question="2", references=("1969",), candidate="19.50")
    assert ratings(path) == [replace(RATING, item=item)]


def test_answers_are_those_of_controls_named_as_questions(write: Write) -> None:
    relation = {"type": "relation", "from_id": "x", "to_id": "y", "direction": "right"}
    other = {"from_name": "comment", "type": "textarea", "value": {"text": ["odd"]}}
    tasks = [task(annotation(choice("q1", "no"), other, relation, choice("q2", "yes")))]
    path = write("tasks.json", json.dumps(tasks))
    assert ratings(path) == [replace(RATING, label=None, answers={"q1": "no", "q2": "yes"})]


def test_several_choices_are_joined_as_answers_are(write: Write) -> None:
    tasks = [task(annotation(choice("label", "correct"), choice("rules", "semantic", "aliasing")))]
    path = write("tasks.json", json.dumps(tasks))
    assert ratings(path, keys=("label", "rules")) == [
        replace(RATING, label="correct", answers={"label": "correct", "rules": "semantic+aliasing"})
    ]


def test_fields_controls_and_choices_of_others_are_mapped(write: Write) -> None:
    foreign = {"q": {"text": "q?"}, "gold": "a", "passage": "c", "answer": "b"}
    tasks = [task(annotation(choice("verdict", "Same = yes"), choice("q1", "no")), data=foreign)]
    path = write("tasks.json", json.dumps(tasks))
    fields = FieldMap.of(
        [
            "question=data.q.text",
            "references=data.gold",
            "context=data.passage",
            "candidate=data.answer",
            "document=meta.source",
            "label=verdict",
        ],
        ["Same = yes=equivalent"],
    )
    tasks[0]["meta"] = {"source": "d"}
    path = write("tasks.json", json.dumps(tasks))
    item = replace(
        ITEM, id=None, question_key=None, systems=(), reference_index=None, unrated_references=()
    )
    assert ratings(path, fields=fields) == [
        replace(RATING, item=item, item_id=None, answers={"q1": "no"})
    ]


@pytest.mark.parametrize(
    ("tasks", "message"),
    [
        ({"data": DATA}, "line 1: an array was expected here"),
        ([1], "line 1, field [0]: must be an object, not a number"),
        (
            [{**DATA, "sentiment": "good"}],  # the export JSON-MIN
            "line 1, field [0].data: must be an object; is this Label Studio's export JSON?",
        ),
        ([task(data={})], "line 1, field [0].data.references: is missing (or reference)"),
        (
            [task(data={**DATA, "question": None})],
            "line 1, field [0].data.question: is missing",
        ),
        (
            [task(data={**DATA, "references": ["a", True]})],
            "line 1, field [0].data.references[1]: must be text, not true or false",
        ),
        ([{"data": DATA}], "line 1, field [0].annotations: is missing"),
        ([task(7)], "line 1, field [0].annotations[0]: must be an object, not a number"),
        (
            [task(), task(annotation(result={"label": "a"}))],
            "line 1, field [1].annotations[0].result: must be an array, not an object",
        ),
        (
            [task(annotation(choice("verdict", "same"), choice("why", "x")))],
            f"{AT}result: {NO_ANSWER} verdict, why; --map label=CONTROL",
        ),
        (
            [task(annotation(choice("verdict", "same"), COMMENT))],
            f"{AT}result: {NO_ANSWER} verdict, comment; --map label=CONTROL",
        ),
        (
            [task(annotation({**COMMENT, "from_name": "rater"}))],
            f"{AT}result: {NO_ANSWER} rater; --map label=CONTROL",
        ),
        (
            [task(annotation({"type": "relation", "from_id": "x", "to_id": "y"}))],
            f"{AT}result: {NO_ANSWER} none; --map label=CONTROL",
        ),
        (
            [task(annotation(choice("label", "a"), choice("label", "b")))],
            f"{AT}result[1].from_name: is the second answer by this control",
        ),
        (
            [task(annotation({**choice("label"), "type": "labels"}))],
            f"{AT}result[0].type: must be choices or textarea, not 'labels'",
        ),
        (
            [task(annotation({**choice("label"), "value": ["a"]}))],
            f"{AT}result[0].value: must be an object, not an array",
        ),
        (
            [task(annotation(choice("label"), choice("rater", "ann")))],
            f"{AT}result[0].value.choices: is empty",
        ),
        (
            [task(annotation({**choice("label"), "value": {"choices": [["a", "b"]]}}))],
            f"{AT}result[0].value.choices[0]: must be text, not an array",
        ),
        (
            [task(annotation(choice("label", "a"), completed_by=None))],
            f"{AT}completed_by: is missing: the file does not name the rater; use --rater NAME",
        ),
        (
            [task(annotation(choice("label", "a"), completed_by={"first_name": "A"}))],
            f"{AT}completed_by: is missing: the file does not name the rater; use --rater NAME",
        ),
        (
            [task(annotation(choice("label", "a"), completed_by=[7]))],
            f"{AT}completed_by: must be text, not an array",
        ),
        (
            [task(annotation(choice("label", "a"), lead_time="long"))],
            f"{AT}lead_time: must be a number, not text",
        ),
        (
            [task(annotation(choice("label", "a"), created_at="then"))],
            f"{AT}created_at: is not an ISO 8601 date and time",
        ),
    ],
)
def test_export_that_cannot_be_understood_is_refused(
    tasks: object, message: str, write: Write
) -> None:
    path = write("tasks.json", json.dumps(tasks))
    with pytest.raises(InputError) as caught:
        list(read_ratings(path, format="label-studio", question_keys=AE, name="tasks.json"))
    assert str(caught.value) == f"tasks.json, {message}"


def test_error_names_the_line_on_which_the_task_begins(write: Write) -> None:
    tasks = [task(), task(data={**DATA, "candidate": [7]})]
    path = write("tasks.json", json.dumps(tasks, indent=1))
    line = 1 + path.read_text().splitlines().index(" {", 2)
    with pytest.raises(InputError) as caught:
        ratings(path)
    assert str(caught.value) == (
        f"tasks.json, line {line}, field [1].data.candidate: must be text, not an array"
    )


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("data.q", "field [0].data.q: is missing, although --map names it for question"),
        (
            "data.references.0",
            "field [0].data.references.0: is missing, although --map names it for question",
        ),
        ("data.of_no_use", "field [0].data.of_no_use: must be text, not an object"),
    ],
)
def test_mapping_to_a_place_that_holds_nothing_is_refused(
    place: str, message: str, write: Write
) -> None:
    path = write("tasks.json", json.dumps([task()]))
    with pytest.raises(InputError) as caught:
        ratings(path, fields=FieldMap.of([f"question={place}"]))
    assert str(caught.value) == f"tasks.json, line 1, {message}"


def test_what_comes_after_the_tasks_is_refused(write: Write) -> None:
    path = write("tasks.json", "[] []")
    with pytest.raises(InputError) as caught:
        ratings(path)
    assert str(caught.value) == (
        "tasks.json, line 1: has more text after the end of the JSON document"
    )


def test_tasks_are_read_one_by_one(write: Write) -> None:
    """The first comes before the file is known to be whole."""
    text = json.dumps([task()])
    path = write("tasks.json", f"{text[:-1]}, ")
    rows = read_items(path, format=None, name="tasks.json")
    assert next(rows) == ITEM
    with pytest.raises(InputError):
        next(rows)
