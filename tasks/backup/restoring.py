"""Bringing a backup into a new database and a data folder."""

import hashlib
import json
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from django.core.management.color import no_style
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection, transaction
from django.db.models import Field, Model

from tasks.backup.checking import require_whole
from tasks.backup.errors import BackupError
from tasks.backup.files import gone_if_it_fails, place_file, require_own_places
from tasks.backup.manifest import Manifest, TableEntry
from tasks.backup.migrations import applied_migrations, require_same_migrations
from tasks.backup.quiet import stop_what_would_act
from tasks.backup.rows import lines_of, stored_values
from tasks.backup.tables import (
    OUTCOMES,
    REPLACED,
    backed_up_models,
    columns_of,
    fields_of,
    filled_tables,
    rows_of,
)
from tasks.models import AuditAction
from tasks.models.guards import earlier_outcomes_admitted
from tasks.storing.acts import record
from tasks.storing.batches import batches


def restore_backup(folder: Path) -> Manifest:
    """Fill a new, migrated database and the data folder from a backup; all of it, or nothing.

    Every table is read back and compared with the SHA-256 of the backup before anything is
    committed. Raises BackupError and OSError.
    """
    manifest = require_whole(folder)
    here = applied_migrations(DEFAULT_DB_ALIAS)
    require_same_migrations(manifest.migrations, here, software=manifest.software)
    models = _models_of(manifest)
    with gone_if_it_fails() as placed, transaction.atomic():
        if filled := filled_tables():
            raise BackupError(f"the database is not empty: {', '.join(filled)}")
        _empty_replaced(models)
        for model, entry in models.items():
            with _open_for(entry):
                _load(model, entry, folder)
        _continue_numbering(models)
        for model, entry in models.items():
            _compare(model, entry, folder)
        require_own_places(manifest.files)
        for file in manifest.files:
            place_file(folder, file, placed)
        stop_what_would_act()
        details = {"taken_at": manifest.created_at}
        record(AuditAction.BACKUP_RESTORED, subject=("backup", folder.name), details=details)
    _tell_planner()
    return manifest


def _models_of(manifest: Manifest) -> dict[type[Model], TableEntry]:
    """In the order in which they are filled."""
    entries = {entry.table: entry for entry in manifest.tables}
    models = {model._meta.db_table: model for model in backed_up_models()}
    if unknown := entries.keys() ^ models.keys():
        raise BackupError(f"backup and software differ in the tables {', '.join(sorted(unknown))}")
    for table, model in models.items():
        if set(entries[table].columns) != set(columns_of(model)):
            raise BackupError(f"{table}: backup and software differ in its columns")
    return {model: entries[table] for table, model in models.items()}


def _empty_replaced(models: Iterable[type[Model]]) -> None:
    with connection.cursor() as cursor:
        for model in reversed(list(models)):
            if model._meta.db_table in REPLACED:
                # a name of a table of ours
                cursor.execute(f"DELETE FROM {_quoted(model._meta.db_table)}")  # noqa: S608 - ours


def _open_for(entry: TableEntry) -> AbstractContextManager[None]:
    """Ratings of long ago may have outcomes that protocols list no more."""
    return earlier_outcomes_admitted() if entry.table == OUTCOMES else nullcontext()


def _load(model: type[Model], entry: TableEntry, folder: Path) -> None:
    fields, statement = fields_of(model, entry.columns), _insert(entry)
    # the new database knows most of them already, and none of them ever changes
    known = set(model._base_manager.values_list("pk")) if entry.table == OUTCOMES else set()
    key = fields.index(model._meta.pk)
    line_number = 1
    with (folder / entry.path).open("rb") as file, connection.cursor() as cursor:
        for lines in batches(file):
            try:
                rows = [stored_values(fields, line, connection) for line in lines]
                cursor.executemany(statement, [row for row in rows if (row[key],) not in known])
            except (DatabaseError, ValueError) as error:
                last = line_number + len(lines) - 1
                where = f"{entry.path}: lines {line_number} to {last}"
                raise BackupError(f"{where} cannot be stored: {error}") from error
            line_number += len(lines)


def _insert(entry: TableEntry) -> str:
    columns = ", ".join(map(_quoted, entry.columns))
    values = ", ".join(["%s"] * len(entry.columns))
    # names of tables and columns of ours: _models_of has compared them
    return f"INSERT INTO {_quoted(entry.table)} ({columns}) VALUES ({values})"  # noqa: S608 - ours


def _quoted(name: str) -> str:
    return connection.ops.quote_name(name)


def _continue_numbering(models: Iterable[type[Model]]) -> None:
    """Let new rows be numbered after the restored ones; SQLite does so by itself."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), list(models)):
            cursor.execute(statement)


def _compare(model: type[Model], entry: TableEntry, folder: Path) -> None:
    fields = fields_of(model, entry.columns)
    among = _keys(model, entry, fields, folder) if entry.table == OUTCOMES else None
    digest = hashlib.sha256()
    for line in lines_of(fields, rows_of(model, fields, among=among)):
        digest.update(line)
    if digest.hexdigest() != entry.sha256:
        raise BackupError(f"{entry.table}: what the database holds is not what the backup says")


def _keys(
    model: type[Model], entry: TableEntry, fields: list["Field[Any, Any]"], folder: Path
) -> list[Any]:
    number = fields.index(model._meta.pk)
    lines = (folder / entry.path).read_bytes().splitlines()
    return [json.loads(line)[number] for line in lines]


def _tell_planner() -> None:
    """By itself PostgreSQL would count the new rows within a minute, and plan badly until then."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
