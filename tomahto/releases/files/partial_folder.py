"""The folder in which a release is written before it takes its name, and what a kill leaves of it.

Whoever writes one holds its lock, which the kernel takes away when the process ends, however it
ends. So a folder whose lock is free was left behind and can go, while one that another worker is
writing at this moment is left alone. Where a file system has no locks on folders (NFS), nothing is
taken for left behind.
"""

import fcntl
import os
import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

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
