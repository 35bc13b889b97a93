"""The database in a backup: the migrations it has seen, its tables at one moment, each after those
that its rows point at, and a row as a line of JSON that says the same whichever database it came
from."""

import base64
import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import date, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

from django.apps import apps
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.models import CharField, F, Field, JSONField, Model, QuerySet
from django.db.models.functions import Collate
from django.utils.duration import duration_string

from tasks.backup.manifest import BackupError
from tasks.migrations import FIRST
from tasks.storing.database import execute


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


_COPY = "snapshot"


@contextmanager
def snapshot(workplace: Path) -> Iterator[str]:
    """The alias of a database that stands still for the length of the block.

    PostgreSQL shows one transaction one moment. SQLite's rollback journal would keep writers out
    as long as somebody reads, so the database is copied first, by its online backup, to a file in
    `workplace`; writers wait for that, and no longer.
    """
    if connection.vendor == "postgresql":
        with transaction.atomic():
            execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield DEFAULT_DB_ALIAS
        return
    copy = workplace / f"{_COPY}.sqlite3"
    try:
        connection.ensure_connection()
        source: sqlite3.Connection = connection.connection
        with closing(sqlite3.connect(copy)) as target:
            source.backup(target)  # in one step: a writer between two would start it anew
        connections.databases[_COPY] = {**connection.settings_dict, "NAME": str(copy)}
        try:
            yield _COPY
        finally:
            connections[_COPY].close()
            del connections[_COPY]
            del connections.databases[_COPY]
    finally:
        for file in workplace.glob(f"{copy.name}*"):
            file.unlink()


# sessions: worth nothing without the secret key, and a key to somebody's account with it; when the
# scheduler of another site was heard of; what the explorer works out again from the rest
LEFT_OUT = frozenset({"django_session", "tasks_schedulertick"}) | {
    *("tasks_itemsummary", "tasks_itemscore", "tasks_staleitem"),
}
# a new database has rows in these already; outcomes can be added to, the rest is replaced
OUTCOMES = "tasks_outcome"
REPLACED = frozenset({"django_content_type", "auth_permission"})

_ROWS_AT_A_TIME = 2000
_CODE_POINTS = {"postgresql": "C", "sqlite": "BINARY"}


def backed_up_models() -> list[type[Model]]:
    """The models of all tables of a backup, each after those that its rows point at.

    Where two tables point at each other, one comes first all the same.
    """
    ordered: dict[type[Model], None] = {}
    for model in sorted(apps.get_models(include_auto_created=True), key=_table):
        if model._meta.managed and not model._meta.proxy and _table(model) not in LEFT_OUT:
            _visit(model, ordered, set())
    return list(ordered)


def _visit(model: type[Model], ordered: dict[type[Model], None], begun: set[type[Model]]) -> None:
    if model in ordered or model in begun:
        return
    begun.add(model)
    for field in model._meta.concrete_fields:
        if isinstance(field.related_model, type):
            _visit(field.related_model, ordered, begun)
    ordered[model] = None


def _table(model: type[Model]) -> str:
    return model._meta.db_table


def columns_of(model: type[Model]) -> tuple[str, ...]:
    return tuple(str(field.column) for field in model._meta.concrete_fields)


def fields_of(model: type[Model], columns: Collection[str]) -> list["Field[Any, Any]"]:
    by_column = {field.column: field for field in model._meta.concrete_fields}
    return [by_column[column] for column in columns]


def rows_of(
    model: type[Model],
    fields: Sequence["Field[Any, Any]"],
    *,
    using: str = DEFAULT_DB_ALIAS,
    among: Collection[Any] | None = None,
) -> Iterator[tuple[Any, ...]]:
    """The values of these fields, a tuple for each row by its key; `among`: of these keys only.

    Text keys are in the order of code points. Only a few thousand rows are in memory at a time.
    """
    rows: QuerySet[Model] = model._base_manager.using(using)
    if among is not None:
        rows = rows.filter(pk__in=among)
    key = model._meta.pk
    order: F | Collate = F(key.attname)
    if isinstance(key, CharField):
        order = Collate(key.attname, _CODE_POINTS[connections[using].vendor])
    names = [field.attname for field in fields]
    return rows.order_by(order).values_list(*names).iterator(chunk_size=_ROWS_AT_A_TIME)


def filled_tables() -> list[str]:
    """The tables that have rows although the database is said to be a new one."""
    return [
        _table(model)
        for model in backed_up_models()
        if _table(model) not in {OUTCOMES, *REPLACED} and model._base_manager.exists()
    ]


# from here on PostgreSQL's jsonb writes a float as a whole number
_WHOLE_FROM = 1e16
# where the files of a release are; what lies in the site's own folder moves with that
_PLACE = ("tasks_release", "path")
_OWN = "releases:"


def lines_of(fields: Sequence["Field[Any, Any]"], rows: Iterable[Sequence[Any]]) -> Iterator[bytes]:
    """A line of UTF-8 for each row: a JSON array of its values, keys of objects sorted."""
    writers = [writer_of(field) for field in fields]
    for row in rows:
        values = [write(value) for write, value in zip(writers, row, strict=True)]
        yield f"{as_json(values)}\n".encode()


def as_json(value: Any) -> str:
    """The text of a line, or of a value in one."""
    return json.dumps(
        value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=_as_text
    )


def writer_of(field: "Field[Any, Any]") -> Callable[[Any], Any]:
    """A function from a value of the field to what stands for it in a line."""
    if isinstance(field, JSONField):
        return _portable
    return _portable_place if is_place(field) else lambda value: value


def site_place(place: str) -> str:
    if place.startswith(_OWN):
        return str(Path(settings.RELEASES_DIR) / place.removeprefix(_OWN))
    return place


def is_place(field: "Field[Any, Any]") -> bool:
    return (field.model._meta.db_table, field.column) == _PLACE


def _portable_place(place: str) -> str:
    own = Path(settings.RELEASES_DIR)
    if not Path(place).is_relative_to(own):
        return place
    return _OWN + Path(place).relative_to(own).as_posix()


def _portable(value: Any) -> Any:
    """The JSON value with its numbers as they are after a stay in either database."""
    match value:
        case dict():
            return {key: _portable(inner) for key, inner in value.items()}
        case list():
            return [_portable(inner) for inner in value]
        case float() if abs(value) >= _WHOLE_FROM or value == 0:
            return int(Decimal(repr(value))) if value else 0.0
        case _:
            return value


def _as_text(value: Any) -> str:
    match value:
        case date() | time():
            return value.isoformat()
        case timedelta():
            return duration_string(value)
        case bytes() | memoryview():
            return base64.b64encode(value).decode()
        case Decimal() | UUID():
            return str(value)
    raise TypeError(f"no column holds a {type(value).__name__}")
