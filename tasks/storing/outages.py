"""Whether a failed request failed because the database did not answer, and may be repeated."""

import sqlite3

from django.db import OperationalError

TRY_AGAIN_AFTER = "5"  # seconds
_AWAY = "the database is busy or cannot be reached; try again in a few seconds"
_TOO_LONG = "the database took too long and the call was stopped; try again later"
_CANCELLED = "57014"  # PostgreSQL's code for what a limit ended


def is_outage(error: BaseException | None) -> bool:
    """Whether the database was gone, busy for too long, full or out of connections, or was stopped.

    What was asked has not been answered, and may be asked again. SQLite has the same error for a
    statement that is wrong, and that one stays wrong.
    """
    if not isinstance(error, OperationalError):
        return False
    return getattr(error.__cause__, "sqlite_errorcode", None) != sqlite3.SQLITE_ERROR


def took_too_long(error: BaseException | None) -> bool:
    """Whether the database was there, and was stopped while it looked for the answer."""
    return getattr(getattr(error, "__cause__", None), "sqlstate", None) == _CANCELLED


def detail_of(error: BaseException | None) -> str:
    """What a program is told of an outage."""
    return _TOO_LONG if took_too_long(error) else _AWAY
