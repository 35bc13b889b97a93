"""`manage.py datasheet`: shown, answered, refused."""

from tests.tasks.management.conftest import Manage
from tomahto.releases.documents.datasheet import QUESTIONS

KEYS = [question.key for question in QUESTIONS]


def test_datasheet_shows_every_question_and_what_is_blank(manage: Manage, campaign: str) -> None:
    assert manage.json("datasheet", campaign) == {
        "answers": dict.fromkeys(KEYS),
        "blanks": KEYS,
        "changed": [],
    }
    printed = manage("datasheet", campaign, "--set", "pay=15 EUR = fair")
    assert "pay: What were raters paid?\n  15 EUR = fair\n" in printed
    assert "funding: Who funded its creation?\n  not stated\n" in printed


def test_datasheet_sets_and_takes_back_answers(manage: Manage, campaign: str) -> None:
    first = manage.json("datasheet", campaign, "--set", "pay=a", "--set", "uses=b")
    assert first["changed"] == ["pay", "uses"]
    then = manage.json("datasheet", campaign, "--set", "pay=")
    assert (then["answers"]["pay"], then["answers"]["uses"]) == (None, "b")
    assert "pay" in then["blanks"]


def test_datasheet_refuses_in_one_line_and_changes_nothing(manage: Manage, campaign: str) -> None:
    manage("datasheet", campaign, "--set", "uses=b", "--set", "salary=x", code=1)
    assert manage.stderr.startswith(
        "CommandError: salary: is not a question; the questions are purpose,"
    )
    assert manage.stderr.count("\n") == 1
    manage("datasheet", campaign, "--set", "pay", code=2)
    assert "'pay' is not KEY=TEXT" in manage.stderr
    assert manage.json("datasheet", campaign)["blanks"] == KEYS
