"""An object store with a place for each test, and a small release to put there."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bootstrap.services import PrivateObjectStore
from tasks.release_store.files import ObjectPlace
from tests.exporters.builders import write_release
from tests.exporters.folders import contents, manifest_of
from tests.exporters.samples import CONTENT, reseal
from tests.object_store import used
from tomahto.releases.stored.manifest import CHECKSUMS, MANIFEST


@pytest.fixture
def place(
    object_store: PrivateObjectStore, monkeypatch: pytest.MonkeyPatch
) -> Iterator[ObjectPlace]:
    with used(object_store, monkeypatch) as place:
        yield place


FEW = ("README.md", "agreement.json", "items/test.parquet", "splits.json", "tables/sizes.csv")


@pytest.fixture(scope="package")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a manifest, as that of a release, but of few files. Not to be changed."""
    folder = tmp_path_factory.mktemp("written") / "release"
    write_release(CONTENT, folder)
    for path in contents(folder).keys() - {*FEW, MANIFEST, CHECKSUMS}:
        (folder / path).unlink()
    reseal(folder, files=[each for each in manifest_of(folder)["files"] if each["path"] in FEW])
    return folder
