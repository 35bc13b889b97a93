"""Model folders being made: whole under their name and on the disk, or not there.

`card.json` beside the weights says what a model was made of, and how it is to be used. A folder
that is named by its content is written under a hidden name, finished, and then published.
"""

import hashlib
import json
import os
import secrets
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tomahto.pretrained.files import ModelFilesError, digest_file

CARD = "card.json"


def write_card(folder: Path, card: Mapping[str, Any]) -> None:
    text = json.dumps(card, ensure_ascii=False, indent=1, allow_nan=False)
    (folder / CARD).write_text(f"{text}\n", encoding="utf-8")


def read_options(folder: Path) -> dict[str, Any]:
    """The card's options; none where there is no card. Raises ModelFilesError."""
    path = folder / CARD
    if not path.is_file():
        return {}
    try:
        card = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise ModelFilesError(f"{path}: not JSON ({error})") from error
    options = card.get("options", {}) if isinstance(card, dict) else None
    if not isinstance(options, dict):
        raise ModelFilesError(f"{path}, field options: not a JSON object")
    return options


def require_free(out: Path) -> None:
    """Raises FileExistsError if something has the name already, so that no model is lost."""
    if out.exists():
        raise FileExistsError(f"{out}: already exists; name a new folder")


@contextmanager
def output_folder(out: Path) -> Iterator[Path]:
    """A folder that takes the name `out` once it is complete; nothing stays if anything fails.

    Raises FileExistsError if something has that name.
    """
    require_free(out)
    with unfinished_folder(out.parent, out.name) as unfinished:
        yield unfinished
        sync_files(unfinished)
        unfinished.rename(out)
        sync_folder(out.parent)


@contextmanager
def unfinished_folder(place: Path, owner: str) -> Iterator[Path]:
    """A new folder in `place` under a hidden name that holds `owner`'s.

    At the end it is removed unless it has another name by then. Only a kill can leave one.
    """
    unfinished = place / f".{owner}.{secrets.token_hex(8)}.partial"
    unfinished.mkdir(parents=True)
    try:
        yield unfinished
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def remove_unfinished(place: Path, owner: str) -> None:
    """Remove what a killed `owner` has left in `place`."""
    for left in place.glob(f".{owner}.*.partial"):
        shutil.rmtree(left, ignore_errors=True)


def sync_files(folder: Path) -> None:
    """Returns once all files of the folder, and their names, are on the disk."""
    for path in sorted(folder.iterdir()):
        with path.open("rb") as file:
            os.fsync(file.fileno())
    sync_folder(folder)


def sync_folder(folder: Path) -> None:
    """Returns once the names in the folder are on the disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


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
