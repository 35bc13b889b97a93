"""Whether what is sent to the site can be stored, and whether the database is one of its own."""

import os
import tempfile
import time
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import DatabaseError, connection

from tasks.storing import outages
from tasks.storing.outages import Unwritable

_ROOM: Final = b"\0" * (64 << 10)
"""What has to fit on the disk: more than one rating takes."""
_TRIED_FOR: Final = 1.0
"""Seconds for which a folder that took it is not tried again: anybody may ask."""
_HELP: Final = {
    Unwritable.FULL: "make room on it, and the site goes on by itself",
    Unwritable.READ_ONLY: "have it written to again, and the site goes on by itself",
}


def why_unwritable() -> str:
    """One line of why nothing can be stored at the moment; empty: something can."""
    database = settings.EMBEDDED_DATABASE
    folder = database.parent if isinstance(database, Path) else None
    if why := _of_folder(folder) if folder else _of_server():
        place = f"the disk of {folder}" if folder else "the database"
        return f"{place} is {why}: {_HELP[why]}"
    if why := outages.recently_unwritable():
        return f"a disk of the site was {why} a moment ago: {_HELP[why]}"
    return ""


class _Room:
    """Until when the folder is believed to have room."""

    until = 0.0


def _of_folder(folder: Path) -> Unwritable | None:
    """Tried out, for quotas and errors of the disk are not to be seen otherwise."""
    if time.monotonic() < _Room.until:
        return None
    try:
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".room-") as file:
            file.write(_ROOM)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        return outages.why_unwritable(error) or Unwritable.READ_ONLY
    _Room.until = time.monotonic() + _TRIED_FOR
    return None


def _of_server() -> Unwritable | None:
    """A server that has run full says so only to who writes: `recently_unwritable`."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT current_setting('transaction_read_only')")
            (said,) = cursor.fetchone()
    except DatabaseError:
        return None
    return Unwritable.READ_ONLY if said == "on" else None


class _Migrations:
    """Once they were seen to be known they stay so: what is migrated while this process runs may
    be used by the code of before (docs/operate.md)."""

    are_known = False


def newer_than_software() -> str:
    """One line if the database had been migrated by newer software before this process began."""
    if _Migrations.are_known:
        return ""
    from tasks.management.schema import unknown_migration  # pages do without

    try:
        if unknown := unknown_migration():
            return (
                f"is newer than this version of Tomahto, which does not know its migration "
                f"{unknown}: use the version that made it"
            )
    except DatabaseError:
        return ""
    _Migrations.are_known = True
    return ""
