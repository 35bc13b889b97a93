"""Whether the database's file is whole, looked at before ./run serves it.

A file that was copied while somebody wrote into it can be opened, and holds pages of two moments.
"""

import math
import sqlite3
import sys
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from tasks.management.endings import ended_well

SMALL: Final = 16 << 20
"""Up to so many bytes a database is looked through at every start, in a tenth of a second."""
LONGEST: Final = 60.0
"""Seconds after which the look at a larger one is broken off, and the site starts."""
_STEPS = 100_000  # of SQLite's machine, between two looks at the clock


class Damaged(Exception):
    """The database must not be served; the message is the line that says why."""


def require_intact(database: Path, backups: str) -> None:
    """Raises Damaged, naming the newest backup in the folder `backups`; changes nothing.

    All of a small database is looked through each time, indexes against tables included; the
    pages of a larger one only after an end that was none of ./run's own, up to LONGEST seconds.
    A journal that a crash has left is applied, as by everybody who opens the file.
    """
    if not database.is_file() or not (size := database.stat().st_size):
        return
    if size > SMALL and ended_well(database):
        return
    if fault := fault_of(database, in_full=size <= SMALL, longest=LONGEST):
        raise Damaged(f"the database {database} is damaged ({fault}): {how_to_restore(backups)}")


def fault_of(database: Path, *, in_full: bool, longest: float = math.inf) -> str:
    """What is wrong with it, in a few words; nothing if nothing was found in so many seconds.

    `in_full`: what indexes say is compared with what tables say.
    """
    check = "integrity_check" if in_full else "quick_check"
    deadline = time.monotonic() + longest
    try:
        with closing(_opened(database)) as connection:
            connection.set_progress_handler(lambda: time.monotonic() > deadline, _STEPS)
            (said,) = connection.execute(f"PRAGMA {check}(1)").fetchone()
    except sqlite3.DatabaseError as error:
        return _words(error)
    return "" if said == "ok" else " ".join(said.removeprefix("*** in database main ***").split())


def _opened(database: Path) -> sqlite3.Connection:
    """For reading only, unless what a crash has left wants to be written."""
    for mode in ("ro", "rw"):
        connection = sqlite3.connect(f"{database.as_uri()}?mode={mode}", uri=True, timeout=20)
        try:
            connection.execute("SELECT count(*) FROM sqlite_schema")
        except sqlite3.OperationalError:
            connection.close()
            continue
        return connection
    return sqlite3.connect(f"{database.as_uri()}?mode=rw", uri=True, timeout=20)


def _words(error: sqlite3.DatabaseError) -> str:
    """Nothing where it is not the file's fault: busy for too long, or the time is up."""
    kind = getattr(error, "sqlite_errorname", "")
    if kind.startswith("SQLITE_INTERRUPT"):
        print(
            f"the database was looked through for {LONGEST:.0f} seconds, not to its end; do it "
            "with `./run manage check_database` while nobody writes",
            file=sys.stderr,
        )
    is_its_fault = kind.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB"))
    return str(error) if is_its_fault else ""


def how_to_restore(backups: str) -> str:
    """What to do about a damaged database, naming the newest backup if there is one to be seen."""
    if backups.startswith("s3://"):
        return f"restore the newest backup of {backups} into a new data folder (docs/operate.md)"
    found: list[str] = []
    with suppress(OSError):
        found = sorted(each.name for each in Path(backups).iterdir() if each.name[:1] != ".")
    if not found:
        return f"no backup is in {backups}; restore your newest one into a new data folder"
    newest = Path(backups) / found[-1]
    return f"restore its newest backup with `./run --data NEW manage restore {newest}`"
