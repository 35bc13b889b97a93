"""Whether the database is the one that this code expects: looked at once by every command, when it
first uses the database. Those that need none go on without one.
"""

import fcntl
import pkgutil
import sys
from collections.abc import Iterator, Set
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import DatabaseError, connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from tasks.migrations import FIRST

Name = tuple[str, str]
"""A migration: the label of its app, and its own name."""

MIGRATING: Final = frozenset({"migrate", "prepare"})
"""Commands that bring the database up to date themselves."""
_ABOUT_MIGRATIONS: Final = frozenset(
    {"makemigrations", "showmigrations", "sqlmigrate", "squashmigrations"}
)
# what SQLite says of a file, not of a statement
_OF_THE_FILE: Final = ("SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_NOTADB", "SQLITE_IOERR")
_LOCK: Final = "preparing.lock"


def look_at_first_use(command: str = "") -> None:
    """Have the database checked as soon as this command connects to it.

    One of SQLite that lacks migrations is migrated then. Otherwise, and if it is newer than the
    code or older than the first release, whoever connects gets a CommandError.
    """

    def look(connection: BaseDatabaseWrapper, **_signal: Any) -> None:
        connection_created.disconnect(look)
        applied = _applied()
        _require_known(applied)
        if command not in MIGRATING and _on_disk() - applied:
            _make_ready(connection)

    if command not in _ABOUT_MIGRATIONS:
        connection_created.connect(look, weak=False)


def bring_up_to_date() -> int:
    """Migrate, while nobody else does on this data folder; how many migrations were applied."""
    with _only_one():
        missing = _on_disk() - _applied()
        if missing:
            call_command("migrate", verbosity=0, interactive=False)
    return len(missing)


def why_unusable(error: DatabaseError) -> str:
    """One line if the database cannot be opened, reached or written at all; else nothing."""
    said = " ".join(str(error).split())
    if connection.vendor == "sqlite":
        kind = getattr(error.__cause__, "sqlite_errorname", "")
        name = settings.DATABASES["default"]["NAME"]
        return (
            f"the database {name} cannot be used: {said}" if kind.startswith(_OF_THE_FILE) else ""
        )
    return f"the database cannot be reached: {said}" if connection.connection is None else ""


def _make_ready(database: BaseDatabaseWrapper) -> None:
    if database.vendor != "sqlite":
        raise CommandError(
            "the database is not ready for this version of Tomahto: run `./run manage migrate`, or "
            "the service migrate of docker/compose.yaml, first"
        )
    print("Making the database ready …", file=sys.stderr, flush=True)
    bring_up_to_date()


def _require_known(applied: Set[Name]) -> None:
    labels = {config.label for config in apps.get_app_configs()}
    unknown = {name for name in applied - _on_disk() if name[0] in labels}
    if not (unknown := unknown - _replaced(unknown)):
        return
    if FIRST not in applied and any(app == FIRST[0] for app, _name in unknown):
        raise CommandError(
            "the database is older than Tomahto 0.1.0, the first release, and cannot be upgraded "
            f"(it has the migration {'.'.join(max(unknown))}): use a new data folder or database, "
            "or the version that made this one"
        )
    raise CommandError(
        f"the database is newer than this version of Tomahto, which does not know its migration"
        f" {'.'.join(max(unknown))}: use the version that made it"
    )


def _replaced(unknown: Set[Name]) -> set[Name]:
    """Those that squashed migrations stand for; only looked for where something is unknown."""
    if not unknown:
        return set()
    migrations = MigrationLoader(None).disk_migrations.values()
    return {(app, name) for migration in migrations for app, name in migration.replaces}


def _applied() -> set[Name]:
    return set(MigrationRecorder(connection).applied_migrations())


def _on_disk() -> set[Name]:
    """By the names of their files: none is loaded."""
    return {
        (config.label, name) for config in apps.get_app_configs() for name in _files(config.label)
    }


def _files(label: str) -> Iterator[str]:
    module, _is_set = MigrationLoader.migrations_module(label)
    spec = find_spec(module) if module else None
    for found in pkgutil.iter_modules(spec.submodule_search_locations if spec else ()):
        if not found.ispkg and found.name[0] not in "_~":
            yield found.name


@contextmanager
def _only_one() -> Iterator[None]:
    """./run waits here for a command, and a command for ./run."""
    with Path(settings.DATA_DIR, _LOCK).open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
