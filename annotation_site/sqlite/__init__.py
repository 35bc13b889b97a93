"""Django's SQLite engine with a library that is safe with a write-ahead log, and with writers that
queue; named by the settings.

One process must hold one SQLite: two would give up each other's locks on the file. So the wheel's
takes the place of Python's own before anything imports that.
"""

import sys
from typing import Any

try:
    import pysqlite3
except ImportError:  # no wheel for this machine
    import sqlite3
else:
    sys.modules["sqlite3"] = sqlite3 = pysqlite3
    sys.modules["sqlite3.dbapi2"] = pysqlite3.dbapi2

_FIXED_BACKPORTS = {(3, 44, 6), (3, 50, 7)}
WAIT_SECONDS = 20


def safe_journals(version: tuple[int, ...] = sqlite3.sqlite_version_info) -> tuple[str, ...]:
    """The journals that are safe in this version of SQLite, the quickest first.

    SQLite 3.7.0 to 3.51.2 (bar 3.44.6 and 3.50.7) can corrupt a database when a write-ahead log
    is reset; there it takes a rollback journal.
    """
    affected = (3, 7, 0) <= version <= (3, 51, 2) and version not in _FIXED_BACKPORTS
    return ("TRUNCATE",) if affected else ("WAL", "TRUNCATE")


def options(journal: str) -> dict[str, Any]:
    """Write transactions queue for up to 20 s instead of failing, and reach the disk on commit.

    With recursive triggers a row that INSERT OR REPLACE puts aside counts as deleted, so that it
    cannot get past the triggers of append-only tables.
    """
    pragmas = {"journal_mode": journal, "synchronous": "FULL", "recursive_triggers": "ON"}
    return {
        "timeout": WAIT_SECONDS,
        "transaction_mode": "IMMEDIATE",
        "init_command": "".join(f"PRAGMA {name}={value};" for name, value in pragmas.items()),
    }
