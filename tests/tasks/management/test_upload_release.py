"""`manage.py upload_release` against a stand-in for the hub, through the hub's real client.

Each command is a process of its own: the client reads its switches when it is loaded, and here it
must be online, and send large files by Git LFS instead of through Xet's servers.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.exporters.made import digest_of, write_release
from tests.exporters.samples import ANSWERED, CONTENT
from tests.hub_server import TOKEN, Hub, running_hub
from tests.site import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.thorough]


REPOSITORY = "acme/rivers"


@pytest.fixture
def hub() -> Iterator[Hub]:
    with running_hub() as hub:
        yield hub


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release in a folder. Not to be changed."""
    return write_release(ANSWERED, tmp_path_factory.mktemp("written") / "release").path


def content(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def upload(
    folder: Path, hub: Hub, *options: str, repo: str = REPOSITORY, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run the command; it must never show the token."""
    home = folder.parent / "hf-home"
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("HF_")},
        "HF_HOME": str(home),
        "HF_TOKEN": TOKEN,
        "HF_HUB_DISABLE_XET": "1",
        "HF_HUB_DISABLE_TELEMETRY": "1",
        **variables,
    }
    command = ["manage.py", "upload_release", str(folder), "--repo", repo]
    done = subprocess.run(
        [sys.executable, *command, "--endpoint", hub.url, *options],
        cwd=ROOT, env=environment, capture_output=True, encoding="utf-8", timeout=120, check=False,
    )  # fmt: skip
    assert TOKEN not in done.stdout + done.stderr
    return done


def uploaded(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def refusal(done: subprocess.CompletedProcess[str]) -> str:
    assert (done.returncode, done.stdout) == (1, "")
    return done.stderr.strip().splitlines()[-1]


def test_upload_release_prints_what_the_hub_has_now(written: Path, hub: Hub) -> None:
    result = uploaded(upload(written, hub, "--private", "--json"))
    repository = hub.repositories[REPOSITORY]
    files = content(written)
    tree = dict(repository.tree("1.0.0"))
    del tree[".gitattributes"]
    assert tree == files
    assert repository.is_private
    assert result == {
        "repository": REPOSITORY,
        "url": f"{hub.url}/datasets/{REPOSITORY}",
        "commit": repository.tags["1.0.0"],
        "tag": "1.0.0",
        "digest": digest_of(CONTENT),
        "files": len(files),
        "bytes": sum(map(len, files.values())),
        "is_new": True,
    }
    said = upload(written, hub).stdout
    assert said.startswith(f"{result['url']} had already version 1.0.0: {len(files)} files, ")


def test_upload_release_with_a_wrong_token_is_refused(written: Path, hub: Hub) -> None:
    told = refusal(upload(written, hub, HF_TOKEN="hf_other"))
    assert told.startswith("CommandError: the hub: ")
    assert "401" in told
    assert "hf_other" not in told
    assert hub.repositories == {}


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("HF_TOKEN", "", "there is no token of the hub; set HF_TOKEN, or run `hf auth login`"),
        ("HF_HUB_OFFLINE", "1", "HF_HUB_OFFLINE is set, so nothing can be uploaded; unset it"),
    ],
)
def test_upload_release_asks_nothing_without_a_token_or_offline(
    written: Path, hub: Hub, variable: str, value: str, said: str
) -> None:
    assert refusal(upload(written, hub, **{variable: value})) == f"CommandError: {said}"
    assert hub.requests == []
