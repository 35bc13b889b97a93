"""A model folder being made: whole under its name and on the disk, or not there."""

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


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
