"""An object store with a place for each test, and a small release to put there."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bootstrap.object_store import PrivateObjectStore
from tasks.release_store.object_place import ObjectPlace
from tests.exporters.made import write_release
from tests.exporters.samples import CONTENT
from tests.object_store import used


@pytest.fixture
def place(
    object_store: PrivateObjectStore, monkeypatch: pytest.MonkeyPatch
) -> Iterator[ObjectPlace]:
    with used(object_store, monkeypatch) as place:
        yield place


@pytest.fixture(scope="package")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release in a folder. Not to be changed."""
    return write_release(CONTENT, tmp_path_factory.mktemp("written") / "release").path
