"""The files of one release, wherever they live, and those of a folder."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Protocol

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
    """The rest of a file, which is closed at the end."""
    with closing(file):
        while chunk := file.read(CHUNK):
            yield chunk


@dataclass(frozen=True, slots=True)
class FolderFiles:
    """Regular files below the folder; what a link leads to outside it is none of them."""

    folder: Path

    def listed(self) -> list[StoredFile]:
        root = self.folder.resolve()
        paths = sorted(path for path in self.folder.rglob("*") if _is_inside(path, root))
        return [
            StoredFile(path.relative_to(self.folder).as_posix(), path.stat().st_size)
            for path in paths
        ]

    def size(self, path: str) -> int:
        return self._place(path).stat().st_size

    def open(self, path: str, part: range | None = None) -> BinaryIO:
        file = self._place(path).open("rb")
        if part is not None:
            file.seek(part.start)
        return file

    def _place(self, path: str) -> Path:
        root = self.folder.resolve()
        is_name = "\0" not in path and str(PurePosixPath(path)) == path
        if not is_name or not _is_inside(root / path, root):
            raise NoSuchFile(path)
        return root / path


def _is_inside(path: Path, root: Path) -> bool:
    return path.is_file() and path.resolve().is_relative_to(root)


SCHEME = "s3://"


@dataclass(frozen=True, slots=True)
class ObjectPlace:
    """A folder of an object store; `prefix` neither begins nor ends with a slash."""

    bucket: str
    prefix: str

    def __str__(self) -> str:
        return f"{SCHEME}{self.bucket}/{self.prefix}"

    def __truediv__(self, name: str) -> "ObjectPlace":
        return ObjectPlace(self.bucket, f"{self.prefix}/{name}".lstrip("/"))

    def key(self, path: str) -> str:
        """Of the object at a path below this place."""
        return f"{self.prefix}/{path}".lstrip("/")


def object_place(url: str) -> ObjectPlace:
    """From `s3://BUCKET/PREFIX`; the prefix may be missing."""
    bucket, _, prefix = url.removeprefix(SCHEME).partition("/")
    return ObjectPlace(bucket, prefix.strip("/"))
