"""From predictions to a release and back: what is settled without a rating, and what is empty."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.tasks.management.conftest import Manage
from tests.tomahto.interchange.files import Write
from tomahto.releases.stored.reading import read_release
from tomahto.text.normalisation import ExactRule

pytestmark = pytest.mark.slow

QUESTIONS: list[dict[str, Any]] = [
    {"id": "1", "document": "School", "question": "Which grade is best?", "references": ["A"]},
    {"id": "2", "document": "Winter", "question": "How warm was January?", "references": ["5"]},
    {"id": "3", "document": "Ions", "question": "Has sodium lost charge?", "references": ["+"]},
]
SPLIT = "document:dev=50,test=50"


def taken_in(
    manage: Manage, write: Write, answers: dict[str, str], *settings: str
) -> dict[str, Any]:
    """A campaign `signs` that has the questions; says what the answers of a system brought."""
    manage("create_campaign", "signs", "--protocol", "ae", "--overlap", "1")
    manage("configure_campaign", "signs", *settings)
    manage("import_questions", "signs", write("questions.jsonl", QUESTIONS))
    return predicted(manage, write, answers)


def predicted(manage: Manage, write: Write, answers: dict[str, str]) -> dict[str, Any]:
    path = write("predictions.json", json.dumps(answers))
    return manage.json("import_predictions", "signs", path, "--system", "juniper")


def released(manage: Manage, write: Write, answers: dict[str, str], out: Path) -> dict[str, Any]:
    """The campaign with ratings of these answers, which are all wrong, as a release."""
    ratings = [
        {**each, "id": None, "question_id": each["id"], "candidate": answers[each["id"]],
         "rater": "ann", "label": "not-equivalent"}
        for each in QUESTIONS
        if each["id"] in answers
    ]  # fmt: skip
    manage("import_ratings", "signs", write("ratings.jsonl", ratings))
    return release(manage, "signs", out)


def release(manage: Manage, slug: str, out: Path) -> dict[str, Any]:
    manage("release", slug, "--version", "1.0.0", "--split", SPLIT, "--out", out)
    return manage.json("verify_release", out)


ANSWERS = {"1": "", "2": "-5", "3": "-"}


def test_answers_that_say_something_else_are_rated_and_empty_ones_are_wrong(
    manage: Manage, write: Write, tmp_path: Path
) -> None:
    brought = taken_in(manage, write, ANSWERS)
    counts = {name: brought[name] for name in ("candidates", "exact_matches", "empty")}
    assert counts == {"candidates": 3, "exact_matches": 0, "empty": 1}
    out = tmp_path / "release"
    released(manage, write, {"2": "-5", "3": "-"}, out)
    page = manage.json("figures", "signs", "systems")["systems"][0]
    statistics = json.loads((out / "statistics.json").read_bytes())["systems"][0]
    for shown in (page, statistics):
        assert (shown["exact_matches"], shown["empty_answers"]) == (0, 1)
        assert shown["accuracy"]["with_exact_matches"]["value"] == 0.0
    assert read_release(out).manifest.terms.exact_rule is ExactRule.STRICT
    card = (out / "README.md").read_text()
    assert "| juniper | 0 | 2 | 1 | 0.000 (" in card
    assert "one of the references but for case, quotation marks, articles and final" in card
    asked = [
        question
        for path in (out / "squad").iterdir()
        for article in json.loads(path.read_bytes())["data"]
        for paragraph in article["paragraphs"]
        for question in paragraph["qas"]
    ]
    assert {each["id"]: each["is_impossible"] for each in asked} == dict.fromkeys("123", False)


def test_a_campaign_may_ask_for_the_rule_of_the_paper(manage: Manage, write: Write) -> None:
    brought = taken_in(manage, write, ANSWERS, "--exact-rule", "squad")
    counts = {name: brought[name] for name in ("exact_matches", "empty", "items_created")}
    assert counts == {"exact_matches": 2, "empty": 1, "items_created": 0}
    manage("configure_campaign", "signs", "--exact-rule", "strict")
    again = predicted(manage, write, ANSWERS)
    counts = {name: again[name] for name in ("candidates", "items_created")}
    assert counts == {"candidates": 0, "items_created": 2}
    (system,) = manage.json("figures", "signs", "systems")["systems"]
    assert (system["exact_matches"], system["empty_answers"]) == (0, 1)


def test_a_release_comes_back_with_its_answers_settled_as_they_were(
    manage: Manage, write: Write, tmp_path: Path
) -> None:
    answers = {"1": "B", "2": "-5", "3": "no"}
    taken_in(manage, write, answers, "--exact-rule", "squad")
    first = tmp_path / "first"
    released(manage, write, {"1": "B", "3": "no"}, first)
    assert read_release(first).manifest.terms.exact_rule is ExactRule.SQUAD
    assert (
        "one of the references in normal form (the rule `squad`)"
        in (first / "README.md").read_text()
    )
    manage("create_campaign", "again", "--protocol", "ae", "--overlap", "1")
    for table in ("items", "ratings", "answers"):
        for path in sorted((first / "jsonl" / table).iterdir()):
            manage(f"import_{table}", "again", path)
    second = tmp_path / "second"
    release(manage, "again", second)
    one, other = read_release(first), read_release(second)
    assert other.manifest.digest == one.manifest.digest
    assert {each.key[0]: each.settled for each in other.dataset.answers} == {
        "1": "rated",
        "2": "exact",
        "3": "rated",
    }
    assert "1 answer came in as `exact` by another rule." in (second / "README.md").read_text()
