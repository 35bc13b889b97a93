"""manage.py campaign"""

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tasks.campaigns.queries import restorable
from tests.factories import make_campaign

pytestmark = pytest.mark.django_db


def run(*words: str) -> Any:
    out = StringIO()
    call_command("campaign", *words, "--json", stdout=out)
    return json.loads(out.getvalue())


def test_campaign_archives_reopens_deletes_and_restores() -> None:
    make_campaign("lakes", title="Lakes")
    archived = {"campaign": "lakes", "state": "archived", "deleted_at": None}
    assert run("archive", "lakes") == archived
    assert run("reopen", "lakes") == {**archived, "state": "paused"}
    assert run("delete", "lakes", "--confirm", "lakes")["deleted_at"] is not None
    until = restorable().get().kept_until.isoformat()  # type: ignore[attr-defined]  # annotated
    assert run("deleted") == {
        "deleted": [{"campaign": "lakes", "title": "Lakes", "kept_until": until}]
    }
    assert run("restore", "lakes") == archived
    assert run("deleted") == {"deleted": []}


@pytest.mark.parametrize(
    ("words", "refusal"),
    [
        (["delete", "lakes"], "this is not the short name of the campaign"),
        (["restore", "lakes"], "there is no deleted campaign 'lakes' to restore"),
        (["archive", "seas"], "there is no campaign 'seas'; known: lakes"),
    ],
)
def test_campaign_says_in_one_line_why_not(words: list[str], refusal: str) -> None:
    make_campaign("lakes")
    with pytest.raises(CommandError) as error:
        run(*words)
    assert str(error.value) == refusal


def test_other_commands_say_that_a_campaign_is_archived() -> None:
    make_campaign("lakes")
    run("archive", "lakes")
    with pytest.raises(CommandError, match="the campaign lakes is archived and read-only"):
        call_command("configure_campaign", "lakes", "--title", "Seas")
