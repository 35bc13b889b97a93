"""The files of one release, wherever they live."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Protocol

CHUNK = 1 << 16  # bytes


class StoreError(OSError):
    """The store of releases cannot be used now. The message says why, in one line."""


class NoSuchFile(LookupError):
    """The path is not that of a file of the release."""


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file of a release: its path with slashes, and its size in bytes."""

    path: str
    size: int


class Opened(Protocol):
    """Bytes to be read once, from start to end."""

    def read(self, size: int = -1, /) -> bytes: ...

    def close(self) -> None: ...


class ReleaseFiles(Protocol):
    """Every method raises StoreError while the store cannot be used."""

    def listed(self) -> list[StoredFile]:
        """All files, in order of their paths."""

    def size(self, path: str) -> int:
        """In bytes. Raises NoSuchFile."""

    def open(self, path: str, part: range | None = None) -> Opened:
        """The file, or what follows the first byte of `part`, which must lie inside it: whoever
        asks for a part reads no more than that. Raises NoSuchFile."""


def read_whole(files: ReleaseFiles, path: str) -> bytes:
    """For small files. Raises NoSuchFile and StoreError."""
    with closing(files.open(path)) as file:
        return file.read()


def chunks(file: Opened) -> Iterator[bytes]:
    """What is left of a file, which is closed at the end."""
    with closing(file):
        while chunk := file.read(CHUNK):
            yield chunk
