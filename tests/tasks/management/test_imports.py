"""`manage.py import_questions`, `import_predictions`, `import_items`, `import_ratings`."""

import json
from pathlib import Path

import pytest

from tasks.models import Candidate, System
from tests.tasks.management.conftest import Manage
from tests.tasks.management.samples import ITEM, QUESTION
from tests.tomahto.interchange.files import Write

pytestmark = pytest.mark.slow


SQUAD: dict[str, list[object]] = {
    "data": [
        {
            "title": "Rhine",
            "paragraphs": [
                {
                    "context": QUESTION["context"],
                    "qas": [
                        {
                            "id": "q1",
                            "question": QUESTION["question"],
                            "answers": [{"text": "in the Swiss Alps", "answer_start": 16}],
                        },
                        {"id": "q2", "question": "Why?", "answers": [], "is_impossible": True},
                    ],
                }
            ],
        }
    ]
}
RATING = {**ITEM, "rater": "ann", "q1": False, "q2": True, "q3": None, "q4": None}
AE = {
    "qid": "q1",
    "context": QUESTION["context"],
    "question": QUESTION["question"],
    "reference": "Graubünden",
    "candidate": "in the Alps",
    "gold_index": 1,
    "score": 0.5,
    "question_1": "no",
    "question_2": "yes",
    "question_3": "undefined",
    "question_4": "undefined",
}
QUESTION_CSV = 'id,question,references\nq1,Where?,"[""here"", ""there""]"\n'
ITEM_CSV = "question,reference,candidate,system\nWhere?,here,there,juniper\n"
RATING_CSV = "question,reference,candidate,rater,q1,q2\nWhere?,here,there,ann,no,yes\n"


@pytest.mark.parametrize(
    ("name", "format_", "content", "counts"),
    [
        ("q.json", "squad", json.dumps(SQUAD), (1, 2, 1, 1)),
        ("q.jsonl", "jsonl", [QUESTION], (1, 1, 0, 2)),
        ("q.csv", "csv", QUESTION_CSV, (1, 1, 0, 2)),
        ("nq.jsonl", "nq-open", [{"question": "where", "answer": ["here", "there"]}], (1, 1, 0, 2)),
    ],
)
@pytest.mark.parametrize("is_told", [True, False])
def test_import_questions_reads_four_formats(
    manage: Manage, campaign: str, write: Write,
    name: str, format_: str, content: str, counts: tuple[int, int, int, int], is_told: bool,
) -> None:  # fmt: skip
    told = ("--format", format_) if is_told else ()
    brought = manage.json("import_questions", campaign, write(name, content), *told)
    documents, questions, unanswerable, references = counts
    assert brought == {
        "documents": documents,
        "questions": questions,
        "unanswerable": unanswerable,
        "references": references,
        "skipped": [],
        "skipped_by_reason": {},
    }
    assert manage.stderr == ""


def test_import_questions_sums_up_what_it_skipped(
    manage: Manage, campaign: str, write: Write
) -> None:
    asked = [{"id": f"h{n}", "question": f"Who is {n}?"} for n in range(3000)]
    hidden = {"title": "Hidden", "paragraphs": [{"context": "A passage.", "qas": asked}]}
    path = write("q.json", json.dumps({"data": [*SQUAD["data"], hidden]}))
    manage("import_questions", campaign, path)
    assert manage("import_questions", campaign, path).splitlines() == [
        "documents: 0",
        "questions: 0",
        "unanswerable: 0",
        "references: 0",
        "skipped: 3002",
        "  no reference answer: 3,000 (h0, h1, h2, …)",
        "  is there already: 2 (q1, q2)",
    ]
    brought = manage.json("import_questions", campaign, path)
    assert brought["skipped_by_reason"] == {"no reference answer": 3000, "is there already": 2}
    assert len(brought["skipped"]) == 22
    assert brought["skipped"][0] == {"line": 1, "id": "h0", "reason": "no reference answer"}


def test_import_predictions_before_questions_is_refused(
    manage: Manage, campaign: str, write: Write
) -> None:
    path = write("p.json", '{"q1": "in the Alps"}')
    arguments = ("import_predictions", campaign, path, "--system", "juniper")
    assert manage.error(*arguments).strip() == (
        f"CommandError: {path}, line 1, field id: the campaign has no questions yet: "
        "import them before predictions"
    )
    manage("import_questions", campaign, write("q.jsonl", [{**QUESTION, "id": "other"}]))
    assert manage.error(*arguments).strip() == (
        f"CommandError: {path}, line 1, field id: no prediction is for a question of the campaign: "
        "the ids do not match (here 'q1', in the campaign 'other')"
    )
    assert (Candidate.objects.count(), System.objects.count()) == (0, 0)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("p.json", '{"q1": "in the Alps", "q9": "x"}'),
        ("p.jsonl", '{"id": "q1", "candidate": "in the Alps"}\n{"id": "q9", "candidate": "x"}\n'),
        ("p.csv", "id,candidate\nq1,in the Alps\nq9,x\n"),
    ],
)
def test_import_predictions_reads_three_formats(
    manage: Manage, campaign: str, write: Write, name: str, content: str
) -> None:
    manage("import_questions", campaign, write("q.jsonl", [QUESTION]))
    arguments = ("import_predictions", campaign, write(name, content), "--system", "juniper")
    assert manage.json(*arguments) == {
        "candidates": 1,
        "exact_matches": 0,
        "empty": 0,
        "unanswerable": 0,
        "items_created": 2,
        "items_existing": 0,
        "unknown_questions": 1,
    }
    again = manage.json(*arguments)
    assert (again["candidates"], again["items_created"], again["items_existing"]) == (0, 0, 2)


@pytest.mark.parametrize("system", ["", " ", "s" * 256])
def test_import_predictions_refuses_a_name_no_system_has(
    manage: Manage, campaign: str, write: Write, system: str
) -> None:
    path = write("p.json", '{"q1": "in the Alps"}')
    printed = manage.error("import_predictions", campaign, path, "--system", system)
    assert printed.startswith("CommandError: system: ")


@pytest.mark.parametrize(
    ("name", "content"), [("i.jsonl", [ITEM]), ("i.csv", ITEM_CSV), ("ae.jsonl", [AE, AE])]
)
def test_import_items_reads_three_formats(
    manage: Manage, campaign: str, write: Write, name: str, content: str
) -> None:
    arguments = ("import_items", campaign, write(name, content))
    assert manage.json(*arguments) == {"items_created": 1, "items_existing": 0}
    assert manage.json(*arguments) == {"items_created": 0, "items_existing": 1}


@pytest.mark.parametrize(
    ("name", "content", "raters"),
    [("r.jsonl", [RATING], 1), ("r.csv", RATING_CSV, 1), ("ae.jsonl", [AE, AE], 2)],
)
def test_import_ratings_reads_three_formats(
    manage: Manage, campaign: str, write: Write, name: str, content: str, raters: int
) -> None:
    arguments = ("import_ratings", campaign, write(name, content))
    assert manage.json(*arguments) == {
        "ratings_created": raters,
        "ratings_existing": 0,
        "raters": raters,
        "items_created": 1,
    }
    assert manage.json(*arguments) == {
        "ratings_created": 0,
        "ratings_existing": raters,
        "raters": raters,
        "items_created": 0,
    }


BAD_QUESTION = {**QUESTION, "id": "q2", "question": 7}
BAD_ITEM = {**ITEM, "id": "i2", "references": []}
BAD_RATING = {**RATING, "rater": "ben", "q1": True, "q2": True}


@pytest.mark.parametrize(
    ("command", "rows", "place"),
    [
        ("import_questions", [QUESTION, BAD_QUESTION], "line 2, field question: must be text"),
        ("import_questions", [QUESTION, QUESTION], "line 2, field id: the id 'q1' stands on"),
        ("import_items", [ITEM, BAD_ITEM], "line 2, field references: is empty"),
        ("import_items", [AE, {**AE, "gold_index": -1}], "line 2, field gold_index: must lie"),
        ("import_ratings", [RATING, BAD_RATING], "line 2, field q2: is not asked after"),
        ("import_ratings", [AE, {**AE, "question_1": "maybe"}], "line 2, field question_1: must"),
    ],
)
def test_a_wrong_line_is_told_by_file_line_and_field_and_nothing_is_stored(
    manage: Manage, campaign: str, write: Write,
    command: str, rows: list[dict[str, object]], place: str,
) -> None:  # fmt: skip
    path = write("wrong.jsonl", rows)
    assert manage.error(command, campaign, path).startswith(f"CommandError: {path}, {place}")


def test_a_wrong_prediction_is_told_by_file_line_and_field(
    manage: Manage, campaign: str, write: Write
) -> None:
    manage("import_questions", campaign, write("q.jsonl", [QUESTION]))
    path = write("p.json", '{"q1": "in the Alps",\n "q2": 2}')
    printed = manage.error("import_predictions", campaign, path, "--system", "juniper")
    assert (
        printed == f"CommandError: {path}, line 2, field q2.candidate: must be text, not a number\n"
    )


@pytest.mark.parametrize(
    ("command", "more"),
    [
        ("import_questions", ()),
        ("import_predictions", ("--system", "juniper")),
        ("import_items", ()),
        ("import_ratings", ()),
    ],
)
def test_a_file_that_is_not_there_is_told(
    manage: Manage, campaign: str, tmp_path: Path, command: str, more: tuple[str, ...]
) -> None:
    path = tmp_path / "none.jsonl"
    assert manage.error(command, campaign, path, *more) == (
        f"CommandError: {path}: cannot be opened: No such file or directory\n"
    )


def test_long_imports_show_progress_on_stderr(
    manage: Manage, campaign: str, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tasks.management.command.TomahtoCommand.progress_seconds", 0.0)
    manage.json("import_questions", campaign, write("q.jsonl", [QUESTION]))
    assert manage.stderr == "1 questions\n"


def test_import_adjudications_of_a_release_counts_what_came(
    manage: Manage, campaign: str, write: Write
) -> None:
    manage("import_items", campaign, write("items.jsonl", [ITEM]))
    rows = [{"id": "i1", "adjudicator": name, "label": "equivalent"} for name in ("oak", "fern")]
    path = write("decisions.jsonl", rows)
    counts = {"adjudications_created": 2, "adjudications_existing": 0, "adjudicators": 2}
    assert manage.json("import_adjudications", campaign, path) == counts
    unknown = write("unknown.jsonl", [{**rows[0], "id": "i2"}])
    assert manage.error("import_adjudications", campaign, unknown) == (
        f"CommandError: {unknown}, line 1, field id: there is no item 'i2'\n"
    )


TASK = {
    "data": {"q": QUESTION["question"], "gold": "in the Swiss Alps", "said": "in the Alps"},
    "annotations": [
        {
            "completed_by": 4,
            "result": [{"from_name": "verdict", "type": "choices", "value": {"choices": ["Same"]}}],
        }
    ],
}
UNANSWERED = "has no answer by the control label, but by verdict; --map label=CONTROL"
MAPS = ("--map", "question=data.q", "--map", "references=data.gold", "--map", "candidate=data.said")


def test_import_of_foreign_tasks_takes_maps_and_labels(
    manage: Manage, campaign: str, write: Write
) -> None:
    path = write("tasks.json", json.dumps([TASK]))
    assert manage.json("import_items", campaign, path, *MAPS) == {
        "items_created": 1,
        "items_existing": 0,
    }
    labels = ("--map", "label=verdict", "--label", "Same=equivalent", "--rater", "ann")
    assert manage.json("import_ratings", campaign, path, *MAPS, *labels) == {
        "ratings_created": 1,
        "ratings_existing": 0,
        "raters": 1,
        "items_created": 0,
    }
    assert manage.json("agreement", campaign)["labels"] == {"equivalent": 1, "not-equivalent": 0}


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ((), "line 1, field [0].data.references: is missing (or reference)"),
        (
            (*MAPS, "--map", "label=verdict"),
            "line 1, field label: 'Same' is not one of equivalent, not-equivalent",
        ),
        (
            MAPS,
            f"line 1, field [0].annotations[0].result: {UNANSWERED}",
        ),
    ],
)
def test_import_of_foreign_tasks_that_are_not_explained_is_refused(
    manage: Manage, campaign: str, write: Write, options: tuple[str, ...], error: str
) -> None:
    path = write("tasks.json", json.dumps([TASK]))
    printed = manage.error("import_ratings", campaign, path, *options)
    assert printed == f"CommandError: {path}, {error}\n"


def test_import_with_a_map_that_is_none_is_refused(
    manage: Manage, campaign: str, write: Write
) -> None:
    path = write("tasks.json", json.dumps([TASK]))
    printed = manage.error("import_items", campaign, path, "--map", "question")
    assert printed == "CommandError: --map 'question' is not written FIELD=PLACE\n"
