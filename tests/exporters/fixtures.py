"""Releases on disk, for the tests of what makes them and of what reads them."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.exporters.builders import write_release
from tests.exporters.samples import CONTENT


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample release. Not to be changed."""
    folder = tmp_path_factory.mktemp("written") / "demo-1.0.0"
    write_release(CONTENT, folder)
    return folder


@pytest.fixture
def release(written: Path, tmp_path: Path) -> Path:
    """A copy of the sample release, to be tampered with."""
    return Path(shutil.copytree(written, tmp_path / "release"))


@pytest.fixture(scope="session", autouse=True)
def hub_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_HOME", str(tmp_path_factory.mktemp("hub")))
        patch.setenv("HF_HUB_OFFLINE", "1")
        yield
