"""However many act at once, the audit log is one chain with every act in it."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.site import running_site

pytestmark = pytest.mark.faults


def act_at_once(folder: Path, arguments: str = "") -> dict[str, Any]:
    with running_site(folder, start=False) as site:
        code = f"from tests.faults.auditors import act_at_once\nact_at_once({arguments})"
        found: dict[str, Any] = json.loads(site.python(code).splitlines()[-1])
    return found


def test_sixteen_who_act_at_once_make_one_chain_and_lose_nothing(tmp_path: Path) -> None:
    assert act_at_once(tmp_path) == {"lost": 0, "forks": 0, "fault": ""}


def test_the_chain_forks_without_the_guards(tmp_path: Path) -> None:
    found = act_at_once(tmp_path, "is_guarded=False")
    assert (found["lost"], found["forks"]) == (0, 15)
    assert found["fault"]
