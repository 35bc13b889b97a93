"""The files of one release: what its row and the manifest beside them agree on; and a release as a
folder of this machine, for what reads it as one.

A row says where to look, and rows can come from a backup that somebody else made. So nothing at
that place is given out unless its manifest is that of the very release, and names the file.
"""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tasks.models import Release
from tasks.release_store.files import (
    SCHEME,
    NoSuchFile,
    Opened,
    ReleaseFiles,
    StoredFile,
    chunks,
    read_whole,
)
from tasks.release_store.places import release_files
from tomahto.releases.comparison.compared import is_compared
from tomahto.releases.records.fields import ReleaseError
from tomahto.releases.stored.manifest import CHECKSUMS, MANIFEST, SIGNATURE, manifest_in

_LARGEST_MANIFEST = 1 << 26  # bytes


def files_of(release: Release) -> ReleaseFiles:
    """The files of a release, wherever they are; none if what is there is something else.

    Raises StoreError.
    """
    return _NamedFiles(release_files(release.path), release.version, release.digest)


@dataclass(frozen=True)
class _NamedFiles:
    stored: ReleaseFiles
    version: str
    digest: str

    def listed(self) -> list[StoredFile]:
        return [file for file in self.stored.listed() if file.path in self._names]

    def size(self, path: str) -> int:
        return self.stored.size(self._named(path))

    def open(self, path: str, part: range | None = None) -> Opened:
        return self.stored.open(self._named(path), part)

    def _named(self, path: str) -> str:
        if path not in self._names:
            raise NoSuchFile(path)
        return path

    @cached_property
    def _names(self) -> frozenset[str]:
        try:
            if self.stored.size(MANIFEST) > _LARGEST_MANIFEST:
                return frozenset()
            manifest = manifest_in(read_whole(self.stored, MANIFEST))
        except (NoSuchFile, ReleaseError):
            return frozenset()
        if (manifest.version, manifest.digest) != (self.version, self.digest):
            return frozenset()
        return frozenset({MANIFEST, CHECKSUMS, SIGNATURE, *(file.path for file in manifest.files)})


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
                to = Path(name, file.path)
                to.parent.mkdir(parents=True, exist_ok=True)
                with to.open("wb") as target:
                    target.writelines(chunks(files.open(file.path)))
        yield Path(name)
