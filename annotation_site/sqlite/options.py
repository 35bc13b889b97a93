"""SQLite as it must be opened so that an acknowledged rating is a durable one."""

from typing import Any

_FIXED_BACKPORTS = {(3, 44, 6), (3, 50, 7)}


def journal_mode(version: tuple[int, ...]) -> str:
    """The journal that is safe in this version of SQLite.

    SQLite 3.7.0 to 3.51.2 (bar 3.44.6 and 3.50.7) can corrupt a database when a write-ahead log
    is reset; there a rollback journal is used.
    """
    affected = (3, 7, 0) <= version <= (3, 51, 2) and version not in _FIXED_BACKPORTS
    return "TRUNCATE" if affected else "WAL"


def options(version: tuple[int, ...]) -> dict[str, Any]:
    """Write transactions queue for up to 20 s instead of failing, and reach the disk on commit.

    With recursive triggers a row that INSERT OR REPLACE puts aside counts as deleted, so that it
    cannot get past the triggers of append-only tables.
    """
    pragmas = {
        "journal_mode": journal_mode(version),
        "synchronous": "FULL",
        "recursive_triggers": "ON",
    }
    return {
        "timeout": 20,
        "transaction_mode": "IMMEDIATE",
        "init_command": "".join(f"PRAGMA {name}={value};" for name, value in pragmas.items()),
    }
