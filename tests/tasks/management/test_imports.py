"""`manage.py import_questions`, `import_predictions`, `import_items`, `import_ratings`,
`import_adjudications`."""

import json
from pathlib import Path

import pytest

from tasks.models import Candidate, Membership, Question, Slot, System
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
JUNIPER = ("--system", "juniper")
NOTHING_SKIPPED: dict[str, object] = {"skipped": [], "skipped_by_reason": {}}


def test_import_questions_counts_what_came_in_its_split(
    manage: Manage, campaign: str, write: Write
) -> None:
    path = write("q.json", json.dumps(SQUAD))
    assert manage.json("import_questions", campaign, path, "--split", "dev") == {
        "documents": 1,
        "questions": 2,
        "unanswerable": 1,
        "references": 1,
        "skipped": [],
        "skipped_by_reason": {},
    }
    assert set(Question.objects.values_list("split", flat=True)) == {"dev"}
    assert manage.stderr == ""
    misread = manage.error("import_questions", campaign, path, "--format", "jsonl")
    assert misread.startswith(f"CommandError: {path}, line 1, field ")


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("Dev", "split name 'Dev' may hold only a-z, 0-9 and _"),
        ("all", "a split cannot be called 'all'"),
        ("d" * 41, "a split name has at most 40 characters"),
    ],
)
def test_import_questions_refuses_what_no_split_can_be_called(
    manage: Manage, campaign: str, name: str, error: str
) -> None:
    arguments = ("import_questions", campaign, "q.json", "--split", name)
    assert f"argument --split: {error}" in manage.error(*arguments, code=2)


def test_import_questions_sums_up_what_it_skipped(
    manage: Manage, campaign: str, write: Write
) -> None:
    asked = [{"id": f"h{n}", "question": f"Who is {n}?"} for n in range(1200)]
    hidden = {"title": "Hidden", "paragraphs": [{"context": "A passage.", "qas": asked}]}
    path = write("q.json", json.dumps({"data": [*SQUAD["data"], hidden]}))
    manage("import_questions", campaign, path)
    assert manage("import_questions", campaign, path).splitlines() == [
        "documents: 0",
        "questions: 0",
        "unanswerable: 0",
        "references: 0",
        "skipped: 1202",
        "  no reference answer: 1,200 (h0, h1, h2, …)",
        "  already exists: 2 (q1, q2)",
    ]
    brought = manage.json("import_questions", campaign, path)
    assert brought["skipped_by_reason"] == {"no reference answer": 1200, "already exists": 2}
    assert len(brought["skipped"]) == 22
    assert brought["skipped"][0] == {"line": 1, "id": "h0", "reason": "no reference answer"}


def test_import_predictions_before_questions_is_refused(
    manage: Manage, campaign: str, write: Write
) -> None:
    path = write("p.json", '{"q1": "in the Alps"}')
    arguments = ("import_predictions", campaign, path, *JUNIPER)
    place = f"CommandError: {path}, line 1, field id: "
    assert manage.error(*arguments) == (
        f"{place}the campaign has no questions yet: import them before predictions\n"
    )
    manage("import_questions", campaign, write("q.jsonl", [{**QUESTION, "id": "other"}]))
    assert manage.error(*arguments) == (
        f"{place}no prediction belongs to a question of the campaign: the ids do not match (here "
        "'q1', in the campaign 'other')\n"
    )
    assert (Candidate.objects.count(), System.objects.count()) == (0, 0)


def test_import_predictions_counts_what_came_with_the_overlap_of_its_system(
    manage: Manage, campaign: str, write: Write
) -> None:
    manage("import_questions", campaign, write("q.jsonl", [QUESTION]))
    path = write("p.csv", "id,candidate\nq1,in the Alps\nq9,x\n")
    arguments = ("import_predictions", campaign, path, *JUNIPER)
    assert manage.json(*arguments, "--overlap", "4") == {
        "candidates": 1,
        "exact_matches": 0,
        "empty": 0,
        "unanswerable": 0,
        "items_created": 2,
        "items_existing": 0,
        "unknown_questions": 1,
    }
    assert Slot.objects.count() == 2 * 4
    again = manage.json(*arguments)
    assert (again["candidates"], again["items_created"], again["items_existing"]) == (0, 0, 2)


def test_exact_answers_become_items_only_where_asked(
    manage: Manage, cap_campaign: str, write: Write
) -> None:
    manage("import_questions", cap_campaign, write("q.jsonl", [{**QUESTION, "references": ["1"]}]))
    asked = ("import_predictions", cap_campaign, write("a.json", '{"q1": "1."}'), *JUNIPER)
    found = [manage.json(*asked), manage.json(*asked, "--rate-exact")]
    assert [(one["exact_matches"], one["items_created"]) for one in found] == [(1, 0), (0, 1)]


@pytest.mark.parametrize("system", ["", " ", "s" * 256])
def test_import_predictions_refuses_a_name_no_system_has(
    manage: Manage, campaign: str, write: Write, system: str
) -> None:
    path = write("p.json", '{"q1": "in the Alps"}')
    printed = manage.error("import_predictions", campaign, path, "--system", system)
    assert printed.startswith("CommandError: system: ")


def test_import_items_and_ratings_count_what_is_new_and_what_was_there(
    manage: Manage, campaign: str, write: Write
) -> None:
    items = ("import_items", campaign, write("i.jsonl", [ITEM]))
    assert manage.json(*items) == {"items_created": 1, "items_existing": 0}
    assert manage.json(*items) == {"items_created": 0, "items_existing": 1}
    for file, raters, new in (
        (write("r.jsonl", [RATING]), 1, 0),
        (write("ae.jsonl", [AE] * 2), 2, 1),
    ):
        found = [manage.json("import_ratings", campaign, file) for _ in range(2)]
        assert found == [
            {
                "ratings_created": created,
                "ratings_existing": raters - created,
                "raters": raters,
                "items_created": items_created,
                **NOTHING_SKIPPED,
            }
            for created, items_created in ((raters, new), (0, 0))
        ]


BAD_QUESTION = {**QUESTION, "id": "q2", "question": True}
BAD_ITEM = {**ITEM, "id": "i2", "references": []}
BAD_RATING = {**RATING, "rater": "ben", "q1": True, "q2": True}


@pytest.mark.parametrize(
    ("command", "rows", "place"),
    [
        ("import_questions", [QUESTION, BAD_QUESTION], "line 2, field question: must be text"),
        ("import_items", [ITEM, BAD_ITEM], "line 2, field references: is empty"),
        ("import_ratings", [RATING, BAD_RATING], "line 2, field q2: is not asked after"),
        ("import_ratings", [AE, {**AE, "question_1": "maybe"}], "line 2, field question_1: must"),
        ("import_adjudications", [{"id": "i2", "adjudicator": "oak", "label": "equivalent"}],
         "line 1, field id: there is no item 'i2'"),
    ],
)  # fmt: skip
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
    path = write("p.json", '{"q1": "in the Alps",\n "q2": true}')
    printed = manage.error("import_predictions", campaign, path, *JUNIPER)
    fault = "line 2, field q2.candidate: must be text, not true or false"
    assert printed == f"CommandError: {path}, {fault}\n"


@pytest.mark.parametrize(
    ("kind", "more"),
    [("questions", ()), ("predictions", JUNIPER), ("items", ()), ("ratings", ())],
)
def test_a_file_that_is_not_there_is_told(
    manage: Manage, campaign: str, tmp_path: Path, kind: str, more: tuple[str, ...]
) -> None:
    path = tmp_path / "none.jsonl"
    assert manage.error(f"import_{kind}", campaign, path, *more) == (
        f"CommandError: {path}: cannot be opened: No such file or directory\n"
    )


def test_long_imports_show_progress_on_stderr(
    manage: Manage, campaign: str, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tasks.management.command.TomahtoCommand.progress_seconds", 0.0)
    manage.json("import_questions", campaign, write("q.jsonl", [QUESTION]))
    assert manage.stderr == "1 questions\n"


ANSWER = {
    "question_id": "q2",
    "question": "Where does the Aare rise?",
    "references": ["in the Bernese Alps"],
    "system": "willow",
    "candidate": "In the Bernese Alps!",
    "settled": "exact",
}


@pytest.mark.parametrize(
    ("kind", "rows", "counts"),
    [
        (
            "adjudications",
            [{"id": "i1", "adjudicator": who, "label": "equivalent"} for who in ("oak", "fern")],
            {"adjudications_created": 2, "adjudications_existing": 0, "adjudicators": 2},
        ),
        (
            "answers",
            [ANSWER],
            {"answers": 1, "questions_created": 1, "candidates": 1, "items_created": 0},
        ),
    ],
)
def test_import_of_the_other_tables_of_a_release_counts_what_came(
    manage: Manage, campaign: str, write: Write,
    kind: str, rows: list[dict[str, object]], counts: dict[str, int],
) -> None:  # fmt: skip
    manage("import_items", campaign, write("items.jsonl", [ITEM]))
    assert manage.json(f"import_{kind}", campaign, write("table.jsonl", rows)) == counts


CHOICE = {"from_name": "verdict", "type": "choices", "value": {"choices": ["Same"]}}
ANNOTATION = {"completed_by": 4, "result": [CHOICE]}
TASK = {
    "data": {"q": QUESTION["question"], "gold": "in the Swiss Alps", "said": "in the Alps"},
    "annotations": [ANNOTATION],
}
MAPS = ("--map", "question=data.q", "--map", "references=data.gold", "--map", "candidate=data.said")


def test_import_of_foreign_tasks_takes_maps_and_labels(
    manage: Manage, campaign: str, write: Write
) -> None:
    path = write("tasks.json", json.dumps([TASK]))
    assert manage.json("import_items", campaign, path, *MAPS)["items_created"] == 1
    labels = ("--map", "label=verdict", "--label", "Same=equivalent", "--rater", "ann")
    assert manage.json("import_ratings", campaign, path, *MAPS, *labels) == {
        "ratings_created": 1,
        "ratings_existing": 0,
        "raters": 1,
        "items_created": 0,
        **NOTHING_SKIPPED,
    }
    assert manage.json("agreement", campaign)["labels"] == {"equivalent": 1, "not-equivalent": 0}
    unlabelled = manage.error("import_ratings", campaign, path, *MAPS, *labels[:2])
    fault = "line 1, field label: 'Same' is not one of equivalent, not-equivalent"
    assert unlabelled == f"CommandError: {path}, {fault}\n"
    printed = manage.error("import_items", campaign, path, "--map", "question")
    assert printed == "CommandError: --map 'question' is not written FIELD=PLACE\n"


def test_import_of_foreign_tasks_says_what_it_skipped_and_takes_the_newest_where_asked(
    manage: Manage, campaign: str, write: Write
) -> None:
    other = {**CHOICE, "value": {"choices": ["Other"]}}
    times = ("2026-03-09T10:00:00Z", "2026-03-09T11:00:00Z")
    first, again = (
        {**ANNOTATION, "result": [each], "updated_at": time}
        for each, time in zip((other, CHOICE), times, strict=True)
    )
    given = [again, first, {**ANNOTATION, "result": []}, {**ANNOTATION, "was_cancelled": True}]
    path = write("tasks.json", json.dumps([{**TASK, "id": 12, "annotations": given}]))
    labels = ("--label", "Same=equivalent", "--label", "Other=not-equivalent")
    arguments = ("import_ratings", campaign, path, *MAPS, "--map", "label=verdict", *labels)
    assert manage.error(*arguments) == (
        f"CommandError: {path}, line 1, field [0].annotations[1].completed_by: 'label-studio-4' "
        "has several annotations of this task; use --newest to keep the newest\n"
    )
    assert manage(*arguments, "--newest").splitlines() == [
        "ratings created: 1",
        "ratings existing: 0",
        "raters: 1",
        "items created: 1",
        "skipped: 3",
        "  older annotation by the same rater: 1 (12)",
        "  empty annotation: 1 (12)",
        "  cancelled annotation: 1 (12)",
    ]
    assert manage.json("agreement", campaign)["labels"] == {"equivalent": 1, "not-equivalent": 0}
    lines = write("r.jsonl", [RATING])
    assert manage.error("import_ratings", campaign, lines, "--newest") == (
        f"CommandError: {lines}: is read as jsonl; --newest is for label-studio\n"
    )


# with a no-break space, decomposed, with a byte order mark
SPELLINGS = ("Zoë", "Zoë\u00a0", "Zoe\u0308", "\ufeffZoë")


def test_one_person_is_one_rater_however_the_name_is_spelled(
    manage: Manage, campaign: str, write: Write
) -> None:
    items = write("i.jsonl", [{**ITEM, "id": f"i{n}", "candidate": f"c{n}"} for n in range(2)])
    manage("import_items", campaign, items)
    rows: list[dict[str, object]] = [
        {"id": f"i{n}", "rater": name, "label": "equivalent"}
        for n in range(2)
        for name in SPELLINGS
    ]
    assert manage.json("import_ratings", campaign, write("r.jsonl", rows)) == {
        "ratings_created": 2,
        "ratings_existing": 6,
        "raters": 1,
        "items_created": 0,
        **NOTHING_SKIPPED,
    }
    by_hand = ("--format", "doccano", "--rater", SPELLINGS[2])
    lines = write("d.jsonl", [{**ITEM, "item_id": "i2", "id": 1, "label": ["equivalent"]}])
    assert manage.json("import_ratings", campaign, lines, *by_hand)["ratings_created"] == 1
    [rater] = Membership.objects.filter(user=None)
    assert (rater.name, rater.ratings.count()) == ("Zoë", 3)
    other = write("o.jsonl", [{**rows[1], "label": "not-equivalent"}])
    assert manage.error("import_ratings", campaign, other) == (
        f"CommandError: {other}, line 1, field rater: rater 'Zoë' has already rated this item "
        "differently\n"
    )
    assert manage.error("import_ratings", campaign, lines, *by_hand[:3], "\u200b") == (
        "CommandError: --rater is empty\n"
    )


def test_one_system_is_one_however_its_name_is_spelled(
    manage: Manage, campaign: str, write: Write
) -> None:
    manage("import_questions", campaign, write("q.jsonl", [QUESTION]))
    path = write("p.json", '{"q1\u00a0": "in the Alps"}')
    for name in SPELLINGS:
        manage("import_predictions", campaign, path, "--system", name)
    assert [*System.objects.values_list("name", flat=True)] == ["Zoë"]
    overlap = ("--system-overlap", f"{SPELLINGS[2]} =4")
    configured = manage.json("configure_campaign", campaign, *overlap)
    assert configured["system_overlap"] == {"Zoë": 4}
