"""Whether a failed request failed because nothing could be asked or stored, and may be repeated."""

import errno
import sqlite3
import time
from enum import StrEnum
from typing import Final

from django.db import Error, OperationalError

TRY_AGAIN_AFTER = "5"  # seconds
DETAIL = "the database is busy or cannot be reached; try again in a few seconds"
REMEMBERED: Final = 30.0
"""Seconds for which a write that failed is believed to fail again."""


class Unwritable(StrEnum):
    """Why nothing can be stored until somebody mends it; what is read is read all the same."""

    FULL = "full"
    READ_ONLY = "read-only"

    @property
    def detail(self) -> str:
        why = "its disk is full" if self is Unwritable.FULL else "its disk or database is read-only"
        return f"the site cannot store anything at the moment, {why}: nothing of this was stored"


_OF_FILES: Final = {
    errno.ENOSPC: Unwritable.FULL,
    errno.EDQUOT: Unwritable.FULL,
    errno.EROFS: Unwritable.READ_ONLY,
}
_OF_POSTGRES: Final = {"53100": Unwritable.FULL, "25006": Unwritable.READ_ONLY}
_OF_SQLITE: Final = {
    sqlite3.SQLITE_FULL: Unwritable.FULL,
    sqlite3.SQLITE_READONLY: Unwritable.READ_ONLY,
}
_PRIMARY: Final = 0xFF  # the part of an extended result code of SQLite that says what it is


def why_unwritable(error: BaseException | None) -> Unwritable | None:
    """Whether there was no room, or only leave to read: of a file or of the database."""
    if isinstance(error, OSError):
        return _OF_FILES.get(error.errno or 0)
    if not isinstance(error, Error):
        return None
    if found := _OF_POSTGRES.get(getattr(error.__cause__, "sqlstate", None) or ""):
        return found
    return _OF_SQLITE.get(getattr(error.__cause__, "sqlite_errorcode", 0) & _PRIMARY)


def is_outage(error: BaseException | None) -> bool:
    """Whether the database was gone, busy for too long, full, read-only or out of connections, or
    a file could not be written for want of room.

    What was asked has not been answered, and may be asked again. SQLite has the same error for a
    statement that is wrong, and that one stays wrong.
    """
    if why_unwritable(error):
        return True
    if not isinstance(error, OperationalError):
        return False
    return getattr(error.__cause__, "sqlite_errorcode", None) != sqlite3.SQLITE_ERROR


def detail_of(error: BaseException | None) -> str:
    """What a program is told of an outage."""
    why = why_unwritable(error)
    return why.detail if why else DETAIL


class _Memory:
    """The last write of this process that could not be stored."""

    why: Unwritable | None = None
    until = 0.0


def remember(error: BaseException | None) -> None:
    """Let `recently_unwritable` know of a write that failed."""
    if why := why_unwritable(error):
        _Memory.why, _Memory.until = why, time.monotonic() + REMEMBERED


def recently_unwritable() -> Unwritable | None:
    """Why a write of this process could not be stored in the last half minute."""
    return _Memory.why if time.monotonic() < _Memory.until else None
