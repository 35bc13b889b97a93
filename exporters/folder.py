"""A folder that appears whole or not at all, and the record of every file in it."""

import hashlib
import io
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from exporters.errors import ReleaseError


@dataclass(frozen=True, slots=True)
class FileEntry:
    """A file of a release: its path with slashes, and `rows` if it is a table."""

    path: str
    sha256: str
    bytes: int
    rows: int | None = None


class HashingFile(io.RawIOBase):
    """A file written from start to end that keeps the size and SHA-256 of what was written."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._digest = hashlib.sha256()
        self.size = 0

    @property
    def sha256(self) -> str:
        return self._digest.hexdigest()

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        """Write bytes, or what holds bytes."""
        self._file.write(data)
        self._digest.update(data)
        self.size += len(data)
        return len(data)

    def tell(self) -> int:
        return self.size


class NewFolder:
    """A folder under a temporary name. `files` lists what was written, in order."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.files: list[FileEntry] = []

    @contextmanager
    def open(self, name: str, rows: int | None = None) -> Iterator[HashingFile]:
        """Write the file `name` (a path with slashes); it is on the disk when this ends."""
        place = self.path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.open("xb") as file:
            hashing = HashingFile(file)
            yield hashing
            file.flush()
            os.fsync(file.fileno())
        self.files.append(FileEntry(name, hashing.sha256, hashing.size, rows))

    def write(self, name: str, content: str) -> None:
        with self.open(name) as file:
            file.write(content.encode())


@contextmanager
def new_folder(target: Path) -> Iterator[NewFolder]:
    """Write a folder beside `target` and rename it to `target` when all is on the disk.

    Whatever fails, nothing of it stays behind; only a kill can leave a folder whose name begins
    with a dot and ends in `.partial`. Parents of `target` are made.
    Raises ReleaseError if `target` is there already, OSError if the disk refuses.
    """
    _check_free(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(f".{target.name}.{secrets.token_hex(8)}.partial")
    partial.mkdir()
    try:
        folder = NewFolder(partial)
        yield folder
        _publish(partial, target)
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise


def _publish(partial: Path, target: Path) -> None:
    for folder, _, _ in os.walk(partial, topdown=False):
        _sync_folder(Path(folder))
    _check_free(target)
    partial.rename(target)
    try:
        _sync_folder(target.parent)
    except BaseException:
        # Nobody was told of the release yet, and a retry must find its place free.
        target.rename(partial)
        raise


def _check_free(target: Path) -> None:
    if os.path.lexists(target):
        raise ReleaseError(f"{target} is there already; a release is never overwritten")


def _sync_folder(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
