"""Decisions at the same moment: none lost, none double, no history forked."""

import json
from pathlib import Path

import pytest

from tests.site import running_site

pytestmark = pytest.mark.faults


def decide_at_once(folder: Path, arguments: str) -> dict[str, int]:
    with running_site(folder, start=False) as site:
        code = f"from tests.faults.adjudicators import decide_at_once\ndecide_at_once({arguments})"
        outcome: dict[str, int] = json.loads(site.python(code).splitlines()[-1])
        return outcome


def test_two_adjudicators_at_once_both_have_their_say(tmp_path: Path) -> None:
    # each of them sends the same form four times
    assert decide_at_once(tmp_path, "people=2, keys=1") == {
        "stored": 2,
        "replayed": 6,
        "failed": 0,
        "rows": 2,
        "current": 2,
        "looks": 2,
    }


def test_one_adjudicator_in_eight_tabs_has_one_history(tmp_path: Path) -> None:
    assert decide_at_once(tmp_path, "people=1, keys=8") == {
        "stored": 8,
        "replayed": 0,
        "failed": 0,
        "rows": 8,
        "current": 1,
        "looks": 1,
    }


def test_the_races_are_lost_without_the_guard(tmp_path: Path) -> None:
    outcome = decide_at_once(tmp_path, "people=1, keys=8, is_guarded=False")
    # the database still lets no history fork
    assert (outcome["stored"], outcome["failed"], outcome["current"]) == (1, 7, 1)
