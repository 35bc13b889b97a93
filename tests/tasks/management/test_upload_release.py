"""`manage.py upload_release` against a stand-in for the hub, through the hub's real client.

The client reads its switches when it is loaded: what they say is tried in processes of their own.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from huggingface_hub import close_session, constants

from tests.exporters.builders import digest_of, write_release
from tests.exporters.samples import ANSWERED, CONTENT
from tests.hub_server import TOKEN, Hub, running_hub
from tests.site import ROOT
from tests.tasks.management.conftest import Manage

# the hub's client uses its HTTP library in a way that this discourages
pytestmark = [
    pytest.mark.filterwarnings("ignore:Use 'content=:DeprecationWarning"),
    pytest.mark.slow,
]

REPOSITORY = "acme/rivers"


@pytest.fixture
def hub() -> Iterator[Hub]:
    with running_hub() as hub:
        yield hub


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release in a folder. Not to be changed."""
    return write_release(ANSWERED, tmp_path_factory.mktemp("written") / "release").path


def test_upload_release_prints_what_the_hub_has_now(
    manage: Manage, written: Path, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_XET", True)
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    arguments = ("upload_release", written, "--repo", REPOSITORY, "--endpoint", hub.url)
    result = manage.json(*arguments, "--private")
    said = manage(*arguments)
    close_session()
    repository = hub.repositories[REPOSITORY]
    files = [path for path in written.rglob("*") if path.is_file()]
    assert repository.is_private
    assert result == {
        "repository": REPOSITORY,
        "url": f"{hub.url}/datasets/{REPOSITORY}",
        "commit": repository.tags["1.0.0"],
        "tag": "1.0.0",
        "digest": digest_of(CONTENT),
        "files": len(files),
        "bytes": sum(path.stat().st_size for path in files),
        "is_new": True,
    }
    assert said.startswith(f"{result['url']} had already version 1.0.0: {len(files)} files, ")


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("variable", "value", "said", "is_asked"),
    [
        ("HF_TOKEN", "hf_other", "the hub: ", True),
        (
            *("HF_TOKEN", ""),
            *("no token for the hub; set HF_TOKEN, or run `hf auth login`", False),
        ),
        (
            *("HF_HUB_OFFLINE", "1"),
            *("HF_HUB_OFFLINE is set, so nothing can be uploaded; unset it", False),
        ),
    ],
)
def test_upload_release_says_what_it_lacks_and_never_the_token(
    written: Path, hub: Hub, variable: str, value: str, said: str, is_asked: bool
) -> None:
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("HF_")},
        "HF_HOME": str(written.parent / "hf-home"),
        "HF_TOKEN": TOKEN,
        "HF_HUB_DISABLE_XET": "1",
        "HF_HUB_DISABLE_TELEMETRY": "1",
        variable: value,
    }
    command = ("manage.py", "upload_release", str(written), "--repo", REPOSITORY)
    done = subprocess.run(
        [sys.executable, *command, "--endpoint", hub.url],
        cwd=ROOT, env=environment, capture_output=True, encoding="utf-8", timeout=120, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.strip().splitlines()[-1].startswith(f"CommandError: {said}")
    assert bool(hub.requests) == is_asked
    assert hub.repositories == {}
    assert not {TOKEN, "hf_other"} & set(done.stderr.split())
