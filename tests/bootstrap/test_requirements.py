"""The lock files against pyproject.toml, without asking an index."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from bootstrap.environment import CORE_LOCK, S3_LOCK, TEST_LOCK, pinned_versions
from bootstrap.system import ROOT

LOCKS = sorted((ROOT / "requirements").glob("*.lock"))


def locked(path: Path) -> dict[str, str]:
    """Versions by canonical name; none of our locks pins one name twice."""
    lines = [Requirement(line) for line in pinned_versions(path.read_text()).splitlines()]
    return {canonicalize_name(line.name): str(line.specifier)[2:] for line in lines}


def wanted(extra: str | None) -> list[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lines = project["optional-dependencies"][extra] if extra else project["dependencies"]
    return [Requirement(line) for line in lines]


@pytest.mark.parametrize(
    ("lock", "extra"),
    [(CORE_LOCK, None), (S3_LOCK, None), (S3_LOCK, "s3"), (TEST_LOCK, None), (TEST_LOCK, "test")],
)
def test_lock_satisfies_the_project(lock: Path, extra: str | None) -> None:
    versions = locked(lock)
    outside = [
        str(requirement)
        for requirement in wanted(extra)
        if not requirement.specifier.contains(versions[canonicalize_name(requirement.name)])
    ]
    assert outside == [], "run ./run lock"


def test_tests_run_on_the_versions_that_are_served() -> None:
    tested = locked(TEST_LOCK)
    for lock in (CORE_LOCK, S3_LOCK):
        assert {name: tested.get(name) for name in locked(lock)} == locked(lock)


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: str(path.name))
def test_every_locked_version_carries_hashes(lock: Path) -> None:
    blocks = re.split(r"^(?=\w)", lock.read_text(), flags=re.MULTILINE)[1:]
    assert [block for block in blocks if "--hash=sha256:" not in block] == []
    assert len(blocks) == len(locked(lock)) > 0


def test_torch_stays_out_of_the_locks() -> None:
    assert [lock.name for lock in LOCKS if "torch" in locked(lock)] == []
