"""Whether a failed request failed because the database could not be asked, and may be repeated."""

import sqlite3

from django.db import OperationalError

TRY_AGAIN_AFTER = "5"  # seconds
DETAIL = "the database is busy or cannot be reached; try again in a few seconds"


def is_outage(error: BaseException | None) -> bool:
    """Whether the database was gone, busy for too long, full or out of connections.

    What was asked has not been answered, and may be asked again. SQLite has the same error for a
    statement that is wrong, and that one stays wrong.
    """
    if not isinstance(error, OperationalError):
        return False
    return getattr(error.__cause__, "sqlite_errorcode", None) != sqlite3.SQLITE_ERROR
