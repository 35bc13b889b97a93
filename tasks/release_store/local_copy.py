"""A release as a folder of this machine, for what reads it as one."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tasks.release_store.interface import ReleaseFiles, chunks
from tasks.release_store.object_place import SCHEME
from tasks.release_store.places import release_files
from tomahto.releases.comparison.compared_folder import is_compared


@contextmanager
def compared_folder(place: str) -> Iterator[Path]:
    """The folder of a release with at least the files that a comparison reads.

    Those of an object store are fetched, and gone at the end. Raises StoreError.
    """
    if not place.startswith(SCHEME):
        yield Path(place)
        return
    files = release_files(place)
    with tempfile.TemporaryDirectory(prefix="tomahto-") as name:
        for file in files.listed():
            if is_compared(file.path):
                _fetch(files, file.path, Path(name, file.path))
        yield Path(name)


def _fetch(files: ReleaseFiles, path: str, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    with to.open("wb") as target:
        for chunk in chunks(files.open(path)):
            target.write(chunk)
