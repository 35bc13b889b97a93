"""A folder that appears whole or not at all, and the record of every file in it.

Whoever writes one holds the lock of a partial folder, which the kernel takes away when the process
ends, however it ends. So a folder whose lock is free was left behind and can go, while one that
another worker is writing at this moment is left alone. Where a file system has no locks on folders
(NFS), nothing is taken for left behind.
"""

import fcntl
import hashlib
import io
import os
import re
import secrets
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

from tomahto.releases.records.fields import ReleaseError


@dataclass(frozen=True, slots=True)
class FileEntry:
    """A file of a release: its path with slashes, and `rows` if it is a table."""

    path: str
    sha256: str
    bytes: int
    rows: int | None = None


def file_sha256(path: Path) -> str:
    """Raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


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

    def write_text(self, records: Iterable[str]) -> None:
        """Write the records one after the other as UTF-8."""
        self.write("".join(records).encode())

    def tell(self) -> int:
        return self.size


class NewFolder:
    """A folder under a temporary name. `files` lists what was written, in order."""

    def __init__(self, path: Path, target: Path) -> None:
        self.path = path
        self.files: list[FileEntry] = []
        self._target = target

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
        self.write_bytes(name, content.encode())

    def write_bytes(self, name: str, content: bytes, rows: int | None = None) -> None:
        with self.open(name, rows) as file:
            file.write(content)

    def sync(self) -> None:
        """Returns once the names of all files are on the disk."""
        for folder, _, _ in os.walk(self.path, topdown=False):
            _sync_folder(Path(folder))

    def publish(self) -> None:
        """Take the name that was asked for. Raises ReleaseError if it is taken."""
        _check_free(self._target)
        self.path.rename(self._target)
        try:
            _sync_folder(self._target.parent)
        except BaseException:
            # Nobody was told of the release yet, and a retry must find its place free.
            self._target.rename(self.path)
            raise


Publish: TypeAlias = Callable[[Callable[[], None]], None]
"""Calls what it is given, which lets a folder take its name, among other things of its own."""


def at_once(take_name: Callable[[], None]) -> None:
    """Publish a folder and do nothing else."""
    take_name()


@contextmanager
def new_folder(target: Path, publish: Publish = at_once) -> Iterator[NewFolder]:
    """Write a folder beside `target` that `publish` may rename when all is on the disk.

    Whatever fails, nothing of it stays behind; only a kill can leave a folder whose name begins
    with a dot and ends in `.partial`, and the next release beside it removes that
    (tomahto.releases.files.folder). Parents of `target` are made.
    Raises ReleaseError if `target` is there already, OSError if the disk refuses.
    """
    _check_free(target)
    _make_folders(target.parent)
    with partial_folder(target) as partial:
        folder = NewFolder(partial, target)
        yield folder
        folder.sync()
        publish(folder.publish)


def _check_free(target: Path) -> None:
    if os.path.lexists(target):
        raise ReleaseError(f"{target} already exists; a release is never overwritten")


def _make_folders(path: Path) -> None:
    """Returns once the names of new folders are on the disk, as the release's name will be."""
    new = [place for place in (path, *path.parents) if not place.exists()]
    path.mkdir(parents=True, exist_ok=True)
    for place in new:
        _sync_folder(place.parent)


def _sync_folder(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


_PARTIAL = re.compile(r"\..+\.[0-9a-f]{16}\.partial")


@contextmanager
def partial_folder(target: Path) -> Iterator[Path]:
    """A new folder beside `target`, locked; it is gone at the end unless it was renamed.

    Folders of its kind that were left behind there are removed first.
    """
    _remove_left_behind(target.parent)
    partial, descriptor = _new_locked(target)
    try:
        yield partial
    finally:
        shutil.rmtree(partial, ignore_errors=True)
        os.close(descriptor)


def _new_locked(target: Path) -> tuple[Path, int]:
    """Again under another name if somebody took the new folder for left behind before its lock."""
    while True:
        partial = target.with_name(f".{target.name}.{secrets.token_hex(8)}.partial")
        partial.mkdir()
        with suppress(FileNotFoundError):
            descriptor = os.open(partial, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            if _is_ours(partial, descriptor):
                return partial, descriptor
            os.close(descriptor)


def _is_ours(partial: Path, descriptor: int) -> bool:
    """Whether the folder is locked for us and still there; without locks, nobody removes it."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    try:
        return os.path.samestat(partial.lstat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _remove_left_behind(parent: Path) -> None:
    for place in sorted(parent.iterdir()):
        if _PARTIAL.fullmatch(place.name) and place.is_dir() and not place.is_symlink():
            _remove_if_free(place)


def _remove_if_free(place: Path) -> None:
    try:
        descriptor = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(place, ignore_errors=True)
    except OSError:
        return  # somebody writes it, or nobody can tell
    finally:
        os.close(descriptor)
