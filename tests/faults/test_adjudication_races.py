"""Decisions at the same moment: none lost, none double, no history forked."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.site import running_site

pytestmark = pytest.mark.faults


def in_a_process(folder: Path, name: str, arguments: str) -> Any:
    with running_site(folder, start=False) as site:
        code = f"from tests.faults.adjudicators import {name}\n{name}({arguments})"
        return json.loads(site.python(code).splitlines()[-1])


def decide_at_once(folder: Path, arguments: str) -> dict[str, int]:
    outcome: dict[str, int] = in_a_process(folder, "decide_at_once", arguments)
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


def test_nobody_claims_an_item_while_its_votes_are_shown_to_them(tmp_path: Path) -> None:
    assert in_a_process(tmp_path, "claim_while_votes_are_shown", "") is False


def test_nobody_rates_an_item_that_was_complete_while_the_overlap_was_raised(
    tmp_path: Path,
) -> None:
    with_postgres = bool(os.environ.get("DATABASE_URL"))
    place = "raise_overlap_while_the_last_place_is_filled"
    is_read, is_given = in_a_process(tmp_path, place, "")
    assert (is_read, is_given) == (with_postgres, not with_postgres)
    assert in_a_process(tmp_path / "unguarded", place, "is_guarded=False")[1]


def test_an_item_is_claimed_meanwhile_without_the_guard(tmp_path: Path) -> None:
    holds = in_a_process(tmp_path, "claim_while_votes_are_shown", "is_guarded=False")
    with_postgres = bool(os.environ.get("DATABASE_URL"))  # SQLite lets nobody write meanwhile
    assert holds is with_postgres
