"""Whether the disk has room for a backup, before it is begun."""

import os
import shutil
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import connection

from tasks.backup.errors import BackupError

# the copy that is read, its rows as text, the archive, and the database that it is restored into
_TIMES_DATABASE: Final = 4
# those of the folder, of the archive, and restored
_TIMES_FILES: Final = 3
_ALWAYS: Final = 64 << 20


def require_room(workplace: Path) -> None:
    """Raises BackupError if the backup, its archive and its trial might not fit there."""
    needed = _ALWAYS + _TIMES_DATABASE * database_bytes() + _TIMES_FILES * _file_bytes()
    free = shutil.disk_usage(workplace).free
    if free < needed:
        raise BackupError(
            f"{workplace} has {free >> 20:,} MiB free, and a backup with its trial may need "
            f"{needed >> 20:,} MiB"
        )


def database_bytes() -> int:
    if connection.vendor == "sqlite":
        return Path(connection.settings_dict["NAME"]).stat().st_size
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        (size,) = cursor.fetchone()
    return int(size)


def _file_bytes() -> int:
    return sum(
        (Path(parent) / name).lstat().st_size
        for root in (settings.RELEASES_DIR, settings.MATCHERS_DIR)
        for parent, _folders, names in os.walk(root)
        for name in names
    )
