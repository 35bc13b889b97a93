"""Model folders that are named by their content, so that a name says what must be inside.

One is written under a hidden name (`unfinished_folder`), finished, and then published.
"""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from tomahto.pretrained.errors import ModelFilesError
from tomahto.pretrained.files import digest_file
from tomahto.pretrained.output_folder import sync_files, sync_folder, unfinished_folder


@dataclass(frozen=True, slots=True)
class ContentFolder:
    """A folder whose files are known by their digest (`digest_files`)."""

    path: Path
    digest: str

    def is_whole(self) -> bool:
        """Whether no file is missing, changed or new."""
        return self.path.is_dir() and digest_files(self.path) == self.digest

    def require_whole(self) -> None:
        """Raises ModelFilesError if a file is missing, changed or new."""
        if not self.is_whole():
            fault = (
                "contains other files than were stored" if self.path.exists() else "is not there"
            )
            raise ModelFilesError(f"{self.path}: {fault}; train the matcher again")


def finish(unfinished: Path) -> str:
    """The digest of the folder's files, once all of them are on the disk."""
    sync_files(unfinished)
    return digest_files(unfinished)


def publish(unfinished: Path, digest: str) -> ContentFolder:
    """Give the finished folder the name that its digest is, beside where it lies.

    A folder of that name stays if it is whole, and is replaced if it is not.
    """
    place = unfinished.parent
    target = ContentFolder(place / digest, digest)
    if target.is_whole():
        return target
    with unfinished_folder(place, digest) as damaged:
        if target.path.exists():
            target.path.rename(damaged / digest)
        unfinished.rename(target.path)
    sync_folder(place)
    return target


def digest_files(folder: Path) -> str:
    """The SHA-256 in hexadecimal over the names and contents of all files below the folder.

    Equal folders give equal digests, wherever they lie.
    """
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        name = path.relative_to(folder).as_posix()
        digest.update(f"{digest_file(path)} {name}\n".encode())
    return digest.hexdigest()
