"""`manage.py import_predictions --rate-exact`: exact answers are judged like any other."""

from tests.tasks.management.conftest import Manage
from tests.tasks.management.samples import QUESTION
from tests.tomahto.interchange.files import Write


def test_exact_answers_become_items_only_where_asked(
    manage: Manage, cap_campaign: str, write: Write
) -> None:
    question = {**QUESTION, "id": "q1", "question": "Which?", "references": ["one"]}
    manage("import_questions", cap_campaign, write("q.jsonl", [question]))
    answers = write("a.jsonl", [{"id": "q1", "prediction": "One"}])
    asked = ("import_predictions", cap_campaign, answers, "--system", "gpt-4o")
    found = [manage.json(*asked), manage.json(*asked, "--rate-exact")]
    assert [(one["exact_matches"], one["items_created"]) for one in found] == [(1, 0), (0, 1)]
