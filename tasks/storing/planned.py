"""The rows of one kind that a plan holds: the newest in memory, the others in a temporary table.

Few rows need no table at all. Temporary tables belong to one connection; on SQLite they lie in a
file of their own, so filling them takes no lock of the database, however long a file is.
"""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from operator import attrgetter
from typing import Any, Generic, TypeVar, cast

from django.db import connection
from django.db.models import DateTimeField, Field, JSONField, Model

from tasks.models import ItemSystem
from tasks.storing.database import BATCH, execute, one_of_values

_Row = TypeVar("_Row", bound=Model)


def planned_table(model: type[Model]) -> str:
    """The name of the temporary table that holds the planned rows."""
    return f"planned_{model._meta.db_table}"


class PlannedRows(Generic[_Row]):
    """The new and changed rows of one kind, with their ids.

    With `has_own_ids` they are stored with the ids that they have here, else with those that the
    database gives them.
    """

    def __init__(self, model: type[_Row], *, has_own_ids: bool) -> None:
        self._model, self._has_own_ids = model, has_own_ids
        self._table = planned_table(model)
        self._fields = said_fields(model)
        self._columns = [column_of(field) for field in self._fields]
        self._values_of = attrgetter(*(field.attname for field in self._fields))
        # what both databases take as it is needs nobody to prepare it
        self._prepared = [
            (place, _preparation(field))
            for place, field in enumerate(self._fields)
            if isinstance(field, DateTimeField | JSONField)
        ]
        self._held: dict[int, _Row] = {}
        self._are_new: set[int] = set()  # of those that are held
        self._has_changes = False
        self._indexed = {"id"}
        self.has_table = False
        self.added = 0

    def add(self, rows: Mapping[int, _Row]) -> None:
        """New rows by their ids."""
        if len(self._held) + len(rows) > BATCH:
            self.fill()
        self._held |= rows
        self._are_new |= rows.keys()
        self.added += len(rows)

    def change(self, row: _Row) -> None:
        """A row that is there, or planned, with other values."""
        self._has_changes = True
        if len(self._held) >= BATCH and row.pk not in self._held:
            self.fill()
        self._held[row.pk] = row

    def matching(self, wanted: Mapping[str, Collection[Any]]) -> dict[int, _Row]:
        """By id, the rows that have one of these values in one of these columns."""
        matches: dict[int, _Row] = {}
        if self.has_table:
            for column in wanted.keys() - self._indexed:
                index(self._table, column)
                self._indexed.add(column)
            names, parameters = self._conditions(wanted)
            rows = self._model._default_manager.raw(
                f"SELECT {', '.join(self._columns)} FROM {self._table} WHERE {names}",  # noqa: S608 - names of ours only
                parameters,
            )
            matches = {row.pk: row for row in rows}
        # one of the table may be another by now
        matches |= {pk: self._held[pk] for pk in matches.keys() & self._held.keys()}
        for name, values in wanted.items():
            value_of, those = attrgetter(name), frozenset(values)
            matches |= {pk: row for pk, row in self._held.items() if value_of(row) in those}
        return matches

    def new_values(self, *names: str) -> Iterator[list[tuple[Any, ...]]]:
        """The id, which is their own, and these plain columns of the new rows, in batches, in the
        order of the ids."""
        if not self.has_table:
            values_of = attrgetter("pk", *names)
            yield [values_of(row) for pk, row in self._held.items() if pk in self._are_new]
            return
        self.fill()
        columns = ", ".join(map(quoted, names))
        statement = (
            f"SELECT id, {columns} FROM {self._table} WHERE is_new = 1 AND id > %s "  # noqa: S608 - as above
            f"ORDER BY id LIMIT {BATCH}"
        )
        last = 0
        while batch := execute(statement, [last]):
            last = batch[-1][0]
            yield batch

    def fill(self) -> None:
        """Put what is held into the table."""
        if not self._held:
            return
        if not self.has_table:
            types = [f"{column_of(each)} {each.db_type(connection)}" for each in self._fields]
            make_table(self._table, [f"{types[0]} PRIMARY KEY", *types[1:], "is_new smallint"])
            self.has_table = True
        columns = [*self._columns, "is_new"]
        new = [(*self._values(row), 1) for pk, row in self._held.items() if pk in self._are_new]
        write(self._table, columns, new)
        # one that is new and in the table already stays a new one
        update = ", ".join(f"{name} = excluded.{name}" for name in self._columns)
        changed = [
            (*self._values(row), 0) for pk, row in self._held.items() if pk not in self._are_new
        ]
        execute_many(
            f"{_insertion(self._table, columns)} ON CONFLICT (id) DO UPDATE SET {update}", changed
        )
        self._held.clear()
        self._are_new.clear()

    def store(self) -> None:
        """Store all of them."""
        if self.has_table:
            self.fill()
            self._store_from_table()
            return
        new = [self._values(row) for pk, row in self._held.items() if pk in self._are_new]
        columns = self._columns
        if not self._has_own_ids:
            columns, new = columns[1:], [values[1:] for values in new]
        execute_many(_insertion(self._model._meta.db_table, columns) + self._conflict, new)
        changes = ", ".join(f"{name} = %s" for name in self._columns[1:])
        changed = [
            (*values[1:], values[0])
            for values in map(
                self._values, (row for pk, row in self._held.items() if pk not in self._are_new)
            )
        ]
        execute_many(
            f"UPDATE {self._model._meta.db_table} SET {changes} WHERE id = %s",  # noqa: S608 - as above
            changed,
        )

    def drop(self) -> None:
        if self.has_table:
            execute(f"DROP TABLE IF EXISTS {self._table}")

    def _store_from_table(self) -> None:
        table, columns, order = self._model._meta.db_table, self._columns, "id"
        if not self._has_own_ids:
            columns, order = columns[1:], "id DESC"
        names = ", ".join(columns)
        execute(
            f"INSERT INTO {table} ({names}) "  # noqa: S608 - as above
            f"SELECT {names} FROM {self._table} WHERE is_new = 1 ORDER BY {order}{self._conflict}"
        )
        if self._has_changes:
            changes = ", ".join(f"{name} = p.{name}" for name in self._columns[1:])
            execute(
                f"UPDATE {table} SET {changes} FROM {self._table} p "  # noqa: S608 - as above
                f"WHERE p.is_new = 0 AND p.id = {table}.id"
            )

    @property
    def _conflict(self) -> str:
        # that a system gave a candidate may be known already
        return " ON CONFLICT DO NOTHING" if self._model is ItemSystem else ""

    def _values(self, row: _Row) -> Sequence[Any]:
        values = self._values_of(row)
        if not self._prepared:
            return cast(Sequence[Any], values)
        listed = list(values)
        for place, prepare in self._prepared:
            if listed[place] is not None:
                listed[place] = prepare(listed[place])
        return listed

    def _conditions(self, wanted: Mapping[str, Collection[Any]]) -> tuple[str, list[Any]]:
        """One of these values in one of these columns, in SQL."""
        conditions = [one_of_values(quoted(column), values) for column, values in wanted.items()]
        return " OR ".join(sql for sql, _ in conditions), [value for _, value in conditions]


class PlannedValues:
    """New rows of one kind for which nobody looks: the values of these columns alone."""

    def __init__(self, model: type[Model], columns: Sequence[str]) -> None:
        self._model, self._columns, self._table = model, columns, planned_table(model)
        self._held: list[tuple[Any, ...]] = []
        self.has_table = False
        self.added = 0

    def add(self, rows: Iterable[tuple[Any, ...]]) -> None:
        """As many as come at once are held."""
        if len(self._held) > BATCH:
            self.fill()
        before = len(self._held)
        self._held += rows
        self.added += len(self._held) - before

    def fill(self) -> None:
        if not self._held:
            return
        if not self.has_table:
            fields = {field.column: field for field in self._model._meta.concrete_fields}
            make_table(
                self._table,
                [f"{quoted(name)} {fields[name].db_type(connection)}" for name in self._columns],
            )
            self.has_table = True
        write(self._table, self._columns, self._held)
        self._held.clear()

    def store(self) -> None:
        table, names = self._model._meta.db_table, ", ".join(self._columns)
        if self.has_table:
            self.fill()
            execute(f"INSERT INTO {table} ({names}) SELECT {names} FROM {self._table}")  # noqa: S608 - as above
        else:
            execute_many(_insertion(table, self._columns), self._held)

    def drop(self) -> None:
        if self.has_table:
            execute(f"DROP TABLE IF EXISTS {self._table}")


def make_table(table: str, columns: Iterable[str]) -> None:
    """An empty temporary table."""
    execute(f"CREATE TEMPORARY TABLE {table} ({', '.join(columns)})")


def index(table: str, column: str) -> None:
    # it is where its table is, on SQLite only if it is named so
    schema = "temp." if connection.vendor == "sqlite" else ""
    execute(f"CREATE INDEX {schema}{table}_by_{column} ON {table} ({quoted(column)})")


def write(table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Rows into a temporary table that has none of them."""
    if connection.vendor != "postgresql" or not rows:
        execute_many(_insertion(table, columns), rows)
        return
    with (
        connection.wrap_database_errors,
        connection.cursor() as cursor,
        cursor.copy(f"COPY {table} ({', '.join(columns)}) FROM STDIN") as copy,
    ):
        for row in rows:
            copy.write_row(row)


def execute_many(statement: str, parameters: Sequence[Sequence[Any]]) -> None:
    """Run a statement for each of the parameters; outside of a transaction on a temporary table."""
    if not parameters:
        return
    # on SQLite a transaction for all of them locks nothing: it writes to no other table
    is_alone = connection.vendor == "sqlite" and not connection.in_atomic_block
    is_alone = is_alone and len(parameters) > 1
    with connection.cursor() as cursor:
        if is_alone:
            cursor.execute("SAVEPOINT filling")
        try:
            cursor.executemany(statement, parameters)
        finally:
            if is_alone:
                cursor.execute("RELEASE filling")


def _preparation(field: "Field[Any, Any]") -> Callable[[Any], Any]:
    if isinstance(field, JSONField):
        return partial(json.dumps, cls=field.encoder)
    return partial(field.get_db_prep_save, connection=connection)


def said_fields(model: type[Model]) -> "list[Field[Any, Any]]":
    """The id and what an import says of a row; its time is the database's to say."""
    return [field for field in model._meta.concrete_fields if field.name != "created_at"]


def _insertion(table: str, columns: Sequence[str]) -> str:
    places = ", ".join(["%s"] * len(columns))
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({places})"  # noqa: S608 - names of ours only


def column_of(field: "Field[Any, Any]") -> str:
    return quoted(str(field.column))


def quoted(name: str) -> str:
    return connection.ops.quote_name(name)
