"""A backup is tried by restoring it into an empty site, which compares the hash of every table."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from django.conf import settings
from django.db import ProgrammingError, connection

from tasks.backup.checking import require_whole
from tasks.backup.errors import BackupError
from tasks.backup.scheduled.archive import unpacked
from tasks.models import BackupTrial

SECONDS = 6 * 3600.0
_NO_LEAVE = "42501"
# what Django reads of the options, and no library of PostgreSQL
_OF_DJANGO = {"server_side_binding", "prepare_threshold"}
# the site that is tried sends nothing and takes no backups
_QUIET = {
    "TOMAHTO_BROKER_URL": "",
    "TOMAHTO_EMAIL_URL": "",
    "TOMAHTO_RELEASES_URL": "",
    "TOMAHTO_METRICS_TOKEN": "",
    "TOMAHTO_SENTRY_DSN": "",
    "TOMAHTO_BACKUPS": "",
}


def try_out(archive: Path, workplace: Path, key: bytes) -> BackupTrial:
    """Restore it, or, where the role of PostgreSQL may make no database, read it to its end.

    Raises BackupError if it cannot be restored.
    """
    data = workplace / "trial"
    data.mkdir()
    if connection.vendor == "sqlite":
        _restore(archive, data, "")
        return BackupTrial.RESTORED
    try:
        with _scratch_database() as address:
            _restore(archive, data, address)
            return BackupTrial.RESTORED
    except ProgrammingError as error:
        if getattr(error.__cause__, "sqlstate", "") != _NO_LEAVE:
            raise
    with unpacked(archive, data, key) as folder:
        require_whole(folder)
    return BackupTrial.WHOLE


def _restore(archive: Path, data: Path, address: str) -> None:
    environment = {**os.environ, **_QUIET, "TOMAHTO_DATA": str(data), "DATABASE_URL": address}
    for command in (("migrate", "--verbosity", "0"), ("restore", str(archive))):
        done = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, str(Path(settings.BASE_DIR) / "manage.py"), *command],
            env=environment,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        if done.returncode:
            said = done.stderr.strip().rpartition("\n")[2]
            raise BackupError(f"it cannot be restored: {said}")


@contextmanager
def _scratch_database() -> Iterator[str]:
    """The address of an empty database, which is gone afterwards.

    One that a killed process has left is removed: nobody else's is called like that.
    """
    server = connection.settings_dict
    name = f"{server['NAME'][:30]}_tomahto_trial_of_a_backup"
    with connection.cursor() as cursor:
        cursor.execute(f"DROP DATABASE IF EXISTS {_quoted(name)} WITH (FORCE)")
        cursor.execute(f"CREATE DATABASE {_quoted(name)}")
    try:
        yield _address(server, name)
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"DROP DATABASE IF EXISTS {_quoted(name)} WITH (FORCE)")


def _quoted(name: str) -> str:
    return connection.ops.quote_name(name)


def _address(server: Any, name: str) -> str:
    user, password = quote(server["USER"], safe=""), quote(server["PASSWORD"], safe="")
    port = f":{server['PORT']}" if server["PORT"] else ""
    host = f"[{server['HOST']}]" if ":" in server["HOST"] else server["HOST"]
    options = {k: v for k, v in server["OPTIONS"].items() if k not in _OF_DJANGO}
    login = f"{user}:{password}@" if user else ""
    return f"postgresql://{login}{host}{port}/{quote(name, safe='')}?{urlencode(options)}"
