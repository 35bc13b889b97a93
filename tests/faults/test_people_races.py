"""Links are not used more often than they may be, and no campaign loses its last admin."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.site import Site, running_site

pytestmark = pytest.mark.faults


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with running_site(tmp_path_factory.mktemp("site"), start=False) as site:
        yield site


def compete(site: Site, arguments: str) -> dict[str, int]:
    code = f"from tests.faults.people import compete\ncompete({arguments})"
    outcome: dict[str, int] = json.loads(site.python(code).splitlines()[-1])
    return outcome


def test_three_of_eight_come_in_by_a_link_for_three(site: Site) -> None:
    assert compete(site, "'accept'") == {"refused": 5, "active": 3, "visits": 0}


def test_a_participant_who_clicks_eight_times_is_one_member(site: Site) -> None:
    assert compete(site, "'enter'") == {"refused": 0, "active": 1, "visits": 1}


def test_of_eight_admins_who_leave_at_once_one_stays(site: Site) -> None:
    assert compete(site, "'leave'") == {"refused": 1, "active": 1, "visits": 0}


@pytest.mark.parametrize(("what", "active"), [("accept", 8), ("leave", 0)])
def test_the_races_are_lost_without_the_guards(tmp_path: Path, what: str, active: int) -> None:
    with running_site(tmp_path, start=False) as site:
        outcome = compete(site, f"{what!r}, is_guarded=False")
    assert outcome == {"refused": 0, "active": active, "visits": 0}
