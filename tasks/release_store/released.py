"""The files of one release: what its row and the manifest beside them agree on.

A row says where to look, and rows can come from a backup that somebody else made. So nothing at
that place is given out unless its manifest is that of the very release, and names the file.
"""

from dataclasses import dataclass
from functools import cached_property

from tasks.models import Release
from tasks.release_store.interface import (
    NoSuchFile,
    Opened,
    ReleaseFiles,
    StoredFile,
    read_whole,
)
from tasks.release_store.places import release_files
from tomahto.releases.files.small_files import MAX_BYTES
from tomahto.releases.records.errors import ReleaseError
from tomahto.releases.stored.manifest import CHECKSUMS, MANIFEST, SIGNATURE, manifest_in


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
            if self.stored.size(MANIFEST) > MAX_BYTES:
                return frozenset()
            manifest = manifest_in(read_whole(self.stored, MANIFEST))
        except (NoSuchFile, ReleaseError):
            return frozenset()
        if (manifest.version, manifest.digest) != (self.version, self.digest):
            return frozenset()
        return frozenset({MANIFEST, CHECKSUMS, SIGNATURE, *(file.path for file in manifest.files)})
