"""A release in a folder of this machine, or of one that it shares."""

from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from tasks.release_store.interface import NoSuchFile, StoredFile


@dataclass(frozen=True, slots=True)
class FolderFiles:
    """Regular files below the folder; what a link leads to outside it is none of them."""

    folder: Path

    def listed(self) -> list[StoredFile]:
        paths = sorted(path for path in self.folder.rglob("*") if path.is_file())
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
        place = (root / path).resolve()
        if not place.is_relative_to(root) or not place.is_file():
            raise NoSuchFile(path)
        return place
