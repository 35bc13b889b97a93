"""Bringing a backup into a new database and a data folder.

A restored site does nothing by itself: somebody is to look at it first. The backup may be old,
restored for practice on another machine, or made by somebody else.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Final

from django.contrib.sessions.models import Session
from django.core.management.color import no_style
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection, transaction
from django.db.backends.utils import CursorWrapper
from django.db.models import Exists, ForeignKey, Model, OuterRef

from tasks.backup.files import gone_if_it_fails, place_file, require_own_places
from tasks.backup.manifest import BackupError, Manifest, TableEntry, require_whole
from tasks.backup.reading import brief, row_reader
from tasks.backup.tables import (
    OUTCOMES,
    REPLACED,
    applied_migrations,
    backed_up_models,
    columns_of,
    fields_of,
    filled_tables,
    lines_of,
    require_same_migrations,
    rows_of,
)
from tasks.events.workflow.events import switch_off
from tasks.jobs.workflow.jobs import cancel
from tasks.models import UNFINISHED, AuditAction, Job, Webhook
from tasks.models.guards import earlier_outcomes_admitted
from tasks.storing.acts import record
from tasks.storing.database import batches, execute

# far more than any row of a site has; whoever reads a line needs its size several times over
_LONGEST_LINE: Final = 1 << 28
# of databases and of their drivers
_REFUSALS: Final = (DatabaseError, ValueError, OverflowError)


def restore_backup(folder: Path) -> Manifest:
    """Fill a new, migrated database and the data folder from a backup; all of it, or nothing.

    Every value is checked as if it had been typed into a form, and every table is read back and
    compared with the SHA-256 of the backup before anything is committed. Raises BackupError and
    OSError.
    """
    manifest = require_whole(folder)
    here = applied_migrations(DEFAULT_DB_ALIAS)
    require_same_migrations(manifest.migrations, here, software=manifest.software)
    models = _models_of(manifest)
    with gone_if_it_fails() as placed, transaction.atomic():
        if filled := filled_tables():
            raise BackupError(f"the database is not empty: {', '.join(filled)}")
        for model in reversed(list(models)):
            if model._meta.db_table in REPLACED:
                execute(f"DELETE FROM {_quoted(model._meta.db_table)}")  # noqa: S608 - ours
        for model, entry in models.items():
            # ratings of long ago may have outcomes that protocols list no more
            admitting = earlier_outcomes_admitted() if entry.table == OUTCOMES else nullcontext()
            with admitting:
                _load(model, entry, folder)
        for model, entry in models.items():
            _require_references(model, entry, folder)
        # new rows are numbered after the restored ones; on SQLite they are anyhow
        for statement in connection.ops.sequence_reset_sql(no_style(), list(models)):
            execute(statement)
        for model, entry in models.items():
            _compare(model, entry, folder)
        require_own_places(manifest.files)
        for file in manifest.files:
            place_file(folder, file, placed)
        stop_what_would_act()
        details = {"taken_at": manifest.created_at}
        record(AuditAction.BACKUP_RESTORED, subject=("backup", folder.name), details=details)
    # by itself PostgreSQL would count the new rows within a minute, and plan badly until then
    if connection.vendor == "postgresql":
        execute("ANALYZE")
    return manifest


def _models_of(manifest: Manifest) -> dict[type[Model], TableEntry]:
    """In the order in which they are filled."""
    entries = {entry.table: entry for entry in manifest.tables}
    models = {model._meta.db_table: model for model in backed_up_models()}
    if unknown := entries.keys() ^ models.keys():
        raise BackupError(f"backup and software differ in the tables {', '.join(sorted(unknown))}")
    for table, model in models.items():
        columns = Counter(entries[table].columns)
        here = Counter(columns_of(model))
        if odd := sorted({*(columns - here), *(here - columns)}):
            names = brief(", ".join(odd))
            raise BackupError(f"{table}: backup and software differ in the columns {names}")
    return {model: entries[table] for table, model in models.items()}


def _load(model: type[Model], entry: TableEntry, folder: Path) -> None:
    fields = fields_of(model, entry.columns)
    columns = ", ".join(map(_quoted, entry.columns))
    marks = ", ".join(["%s"] * len(entry.columns))
    # names of ours, which _models_of has compared
    statement = f"INSERT INTO {_quoted(entry.table)} ({columns}) VALUES ({marks})"  # noqa: S608 - ours
    # the new database knows most of them already, and none of them ever changes
    known = set(model._base_manager.values_list("pk")) if entry.table == OUTCOMES else set()
    key = fields.index(model._meta.pk)
    values_of = row_reader(fields, connection)
    with (folder / entry.path).open("rb") as file, connection.cursor() as cursor:
        lines = enumerate(iter(lambda: file.readline(_LONGEST_LINE + 1), b""), 1)
        for batch in batches(
            (number, _values(entry, values_of, number, line)) for number, line in lines
        ):
            _store(cursor, entry, statement, [row for row in batch if (row[1][key],) not in known])


def _values(
    entry: TableEntry, values_of: Callable[[bytes], list[Any]], number: int, line: bytes
) -> list[Any]:
    if len(line) > _LONGEST_LINE:
        raise _line_error(entry, number, f"is longer than {_LONGEST_LINE >> 20} MiB")
    try:
        return values_of(line)
    except ValueError as error:
        raise _line_error(entry, number, error) from error


def _line_error(entry: TableEntry, number: int, said: object) -> BackupError:
    return BackupError(f"{entry.path}: line {number}: {brief(said)}")


def _store(
    cursor: CursorWrapper, entry: TableEntry, statement: str, rows: Sequence[tuple[int, list[Any]]]
) -> None:
    """All rows at once; one by one if the database refuses any, which names its line."""
    try:
        with transaction.atomic():
            cursor.executemany(statement, [values for _number, values in rows])
    except _REFUSALS:
        for number, values in rows:
            try:
                cursor.execute(statement, values)
            except _REFUSALS as error:
                raise _line_error(entry, number, f"cannot be stored: {error}") from error


def _require_references(model: type[Model], entry: TableEntry, folder: Path) -> None:
    """Raises BackupError for a row that names one which is not there. The databases themselves
    would say so only at the very end, and not of which line."""
    for field in model._meta.concrete_fields:
        if isinstance(field, ForeignKey):
            aim = field.remote_field.model
            named = aim._base_manager.filter(pk=OuterRef(field.attname))
            pointing = model._base_manager.exclude(**{field.attname: None}).order_by("pk")
            astray = pointing.filter(~Exists(named)).values_list("pk", field.attname).first()
            if astray:
                number = _keys(model, entry, folder).index(astray[0]) + 1
                said = f"field {field.column}: {aim._meta.db_table} has no row {astray[1]!r}"
                raise _line_error(entry, number, said)


def _quoted(name: str) -> str:
    return connection.ops.quote_name(name)


def _compare(model: type[Model], entry: TableEntry, folder: Path) -> None:
    fields = fields_of(model, entry.columns)
    among = _keys(model, entry, folder) if entry.table == OUTCOMES else None
    digest = hashlib.sha256()
    for line in lines_of(fields, rows_of(model, fields, among=among)):
        digest.update(line)
    if digest.hexdigest() != entry.sha256:
        raise BackupError(f"{entry.table}: the database differs from the backup")


def _keys(model: type[Model], entry: TableEntry, folder: Path) -> list[Any]:
    place = entry.columns.index(str(model._meta.pk.column))
    with (folder / entry.path).open("rb") as lines:
        return [json.loads(line)[place] for line in lines]


def stop_what_would_act() -> None:
    """End all sessions, cancel unfinished jobs and switch webhooks off; all can be started again,
    each by somebody who signs in."""
    Session.objects.all().delete()
    for job in Job.objects.filter(state__in=UNFINISHED):
        cancel(job=job)
    for webhook in Webhook.objects.filter(is_active=True).select_related("campaign"):
        switch_off(webhook=webhook)
