"""A mark in the data folder that ./run has ended as it should, and with which database file."""

import json
from contextlib import suppress
from pathlib import Path

_MARK = "ended-well.json"


def note_end(database: Path) -> None:
    """All processes have ended. A mark that cannot be written is a start that looks closer."""
    with suppress(OSError):
        _mark_of(database).write_text(json.dumps(_print_of(database)))


def ended_well(database: Path) -> bool:
    """Whether the file is as the last ./run left it at its own end."""
    try:
        return bool(json.loads(_mark_of(database).read_bytes()) == _print_of(database))
    except (OSError, ValueError):
        return False


def note_start(database: Path) -> None:
    """From now on a copy of the folder may be one of two moments."""
    with suppress(OSError):
        _mark_of(database).unlink(missing_ok=True)


def _mark_of(database: Path) -> Path:
    return database.parent / _MARK


def _print_of(database: Path) -> dict[str, int]:
    about = database.stat()
    return {"bytes": about.st_size, "changed_ns": about.st_mtime_ns}
