"""A release in a folder of this machine, or of one that it shares."""

from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from tasks.release_store.interface import NoSuchFile, StoredFile


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
    """Whether it is a file that lies, links followed, in the folder."""
    return path.is_file() and path.resolve().is_relative_to(root)
