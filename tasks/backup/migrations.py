"""Which migrations a database has seen. Backup and database must have seen the same."""

from collections.abc import Mapping, Sequence

from django.db import connections
from django.db.migrations.executor import MigrationExecutor

from tasks.backup.errors import BackupError
from tasks.migrations import FIRST


def applied_migrations(using: str) -> dict[str, list[str]]:
    """The names of the applied migrations by app, in order.

    Raises BackupError if the software has others that are not applied yet.
    """
    executor = MigrationExecutor(connections[using])
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise BackupError("the database is not up to date: run migrate first")
    found: dict[str, list[str]] = {}
    for app, name in sorted(executor.loader.applied_migrations):
        found.setdefault(app, []).append(name)
    return found


def require_same_migrations(
    backup: Mapping[str, Sequence[str]], here: Mapping[str, Sequence[str]], *, software: str
) -> None:
    """Raises BackupError, naming the first that one has and the other has not."""
    app, first = FIRST
    if first not in backup.get(app, ()):
        raise BackupError(
            "the backup is older than Tomahto 0.1.0, the first release, and cannot be restored: it "
            f"lacks the migration {app}.{first}"
        )
    if newer := _first_missing(backup, here):
        raise BackupError(
            f"the backup is from a newer version: it has the migration {newer}, which this "
            f"software does not know; restore it with version {software} or a later one"
        )
    if older := _first_missing(here, backup):
        raise BackupError(
            f"the backup is from an older version: it lacks the migration {older}; restore it "
            f"with version {software}, then take this one and run migrate"
        )


def _first_missing(these: Mapping[str, Sequence[str]], those: Mapping[str, Sequence[str]]) -> str:
    missing = (
        f"{app}.{name}"
        for app, names in these.items()
        for name in names
        if name not in those.get(app, ())
    )
    return next(missing, "")
