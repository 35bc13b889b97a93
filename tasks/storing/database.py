"""Reading and writing by the thousand: in batches, at one moment, and as the planner does it best.

PostgreSQL's planner takes a table for an empty one after rows of it were rolled back. It joins such
tables by comparing each row of one with each of the other, which takes minutes with some thousand
ratings. A bare EXISTS and a subquery behind IN become joins. Conditions that stand in a CASE do
not: they are looked up by an index, or in a table of hashes where many rows ask for them.

Hand-written joins as model instances are for the few reads of the rater's cycle, which run
thousands of times a minute: there the ORM takes several times longer to build the statement (about
1 ms for four joined tables) than the database takes to answer it.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import cache, partial
from itertools import islice
from typing import Any, Generic, TypeVar

from django.db import connection, models, transaction
from django.db.models import BooleanField, Case, Exists, F, Func, OuterRef, Q, QuerySet, Value, When
from django.db.models.base import ModelState

from tasks.models import Adjudication, Rating

BATCH = 1000
_LEFT_OUT = 1000  # more claims than are made between two ratings
_ENGINE: Any = connection  # of annotation_site, which adds to Django's
_Record = TypeVar("_Record")
_Row = TypeVar("_Row")


def batches(records: Iterable[_Record], size: int = BATCH) -> Iterator[list[_Record]]:
    iterator = iter(records)
    while batch := list(islice(iterator, size)):
        yield batch


@dataclass(frozen=True, slots=True)
class Reread(Generic[_Record]):
    """Records that are read anew each time, as those of a file."""

    read: Callable[[], Iterable[_Record]]

    def __iter__(self) -> Iterator[_Record]:
        return iter(self.read())


def there_is(rows: QuerySet[Any, Any]) -> Q:
    """Whether there is one of these rows, which say by OuterRef to what they belong."""
    return Q(
        Case(
            When(Exists(rows), then=Value(True)), default=Value(False), output_field=BooleanField()
        )
    )


def is_last_revision(model: type[Adjudication | Rating]) -> Q:
    """Whether a rating or decision stands, and none supersedes it."""
    # that it names one at all is said so that only those that do are made hashes of
    later = model._default_manager.filter(supersedes=OuterRef("pk"), supersedes__isnull=False)
    return ~there_is(later)


def rows_with(
    query: QuerySet[Any, _Row], field: str, values: Iterable[int] | Iterable[str]
) -> Iterator[_Row]:
    """The rows of a query with one of these values in a field, in no order.

    A database takes the values as one array, as quickly as it would have found them itself.
    """
    for batch in batches(values, _AT_ONCE[connection.vendor]):
        yield from query.filter(is_one_of(field, batch))


_AT_ONCE = {"postgresql": 100_000, "sqlite": BATCH}


def is_one_of(field: str, values: Collection[Any]) -> Q:
    """That a field has one of these values. They are one parameter, however many they are."""
    before, after = _one_of(values)
    found = Func(
        F(field),
        Value(_as_parameter(values)),
        arg_joiner=before,
        template=f"%(expressions)s{after}",
        output_field=BooleanField(),
    )
    return Q(found)


def one_of_values(column: str, values: Collection[Any]) -> tuple[str, list[Any] | str]:
    """As `is_one_of`, of a column in SQL, and the parameter."""
    before, after = _one_of(values)
    return f"{column}{before}%s{after}", _as_parameter(values)


def _one_of(values: Collection[Any]) -> tuple[str, str]:
    """The SQL that stands before the parameter, and after it."""
    if connection.vendor == "sqlite":
        return " IN (SELECT value FROM json_each(", "))"
    kind = "text" if isinstance(next(iter(values), None), str) else "bigint"
    return " = ANY(", f"::{kind}[])"


def _as_parameter(values: Collection[Any]) -> list[Any] | str:
    if connection.vendor == "sqlite":
        return json.dumps(list(values))
    if isinstance(next(iter(values), None), int):  # ten times as fast as by the driver
        return f"{{{','.join(map(str, values))}}}"
    return list(values)


LARGEST_ID = 2**63 - 1
"""A stand-in for any larger id in a parameter: no row has it, and no database takes a larger."""


def columns(**tables: type[models.Model]) -> str:
    """The select list of the plain columns of these tables, each under the alias it is named by."""
    return ", ".join(
        f"{alias}.{field.column}" for alias, model in tables.items() for field in _plain(model)
    )


def fetch_joined(
    statement: str, parameters: Sequence[Any], *tables: type[models.Model]
) -> list[Any] | None:
    """One instance per table from the first row of a statement, None if there is no row.

    The statement selects `columns` of the same tables in the same order. A table that an outer
    join did not find gives None. Fields left out of `columns` are loaded when they are used.
    """
    row = fetch_row(statement, parameters)
    return None if row is None else instances(row, *tables)


def execute(
    statement: str, parameters: Sequence[Any] | Mapping[str, Any] = ()
) -> list[tuple[Any, ...]]:
    """Run a statement; the rows it returns, none where it returns nothing."""
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return cursor.fetchall() if cursor.description else []


def fetch_row(
    statement: str, parameters: Sequence[Any] | Mapping[str, Any]
) -> tuple[Any, ...] | None:
    """The first row of a statement as the database gives it, None if there is no row."""
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        row: tuple[Any, ...] | None = cursor.fetchone()
    return row


def instances(row: Iterable[Any], *tables: type[models.Model]) -> list[Any]:
    """One instance per table from the values of `columns` of the same tables in the same order."""
    values = iter(row)
    return [_instance(model, values) for model in tables]


@cache
def _plain(model: type[models.Model]) -> "list[models.Field[Any, Any]]":
    """The fields whose values both databases give as Django wants them."""
    converted = (models.DateTimeField, models.JSONField)
    return [field for field in model._meta.concrete_fields if not isinstance(field, converted)]


@cache
def _names(model: type[models.Model]) -> list[str]:
    return [field.attname for field in _plain(model)]


def _instance(model: type[models.Model], values: Iterator[Any]) -> models.Model | None:
    """As unpickling makes one. `from_db` looks at every field, and takes four times as long."""
    names = _names(model)
    taken = dict(zip(names, islice(values, len(names)), strict=True))
    if taken[names[0]] is None:
        return None
    made = model.__new__(model)
    made.__dict__.update(taken)
    made._state = ModelState()
    made._state.adding, made._state.db = False, connection.alias
    return made


@contextmanager
def one_moment() -> Iterator[None]:
    """A transaction in which every query sees the same.

    It only reads, and raters go on meanwhile. One that is open already has its isolation, and
    decides what is seen.
    """
    is_outermost, is_postgres = not connection.in_atomic_block, connection.vendor == "postgresql"
    reads = _ENGINE.only_reading() if is_outermost and not is_postgres else nullcontext()
    with reads, transaction.atomic():
        if is_outermost and is_postgres:
            execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def synced_later(model: type[models.Model]) -> AbstractContextManager[None]:
    """Transactions begun in this block may leave it to the next one outside to reach the disk with
    them: for what may be undone, whole, by a crash of the machine.

    The numbers of rows of this model that were undone are not given out again. Elsewhere than in a
    write-ahead log of SQLite the transactions are synced themselves.
    """
    if connection.vendor == "postgresql":
        return nullcontext()
    if not connection.in_atomic_block:
        _leave_numbers_out(model)
    later: AbstractContextManager[None] = _ENGINE.synced_later()
    return later


@cache
def _leave_numbers_out(model: type[models.Model]) -> None:
    """Once in each process, as a crash of the machine ends them all: a page that somebody has open
    would be taken for that of the row which has its number now."""
    reserved_ids([model], _LEFT_OUT)


def reserved_ids(
    kinds: Collection[type[models.Model]], count: int
) -> Mapping[type[models.Model], Iterable[int]]:
    """As many ids for each that no other row of its table will get."""
    by_table = {model._meta.db_table: model for model in kinds}
    if connection.vendor == "postgresql":
        rows = execute(
            "WITH counters AS MATERIALIZED ("
            " SELECT name, pg_get_serial_sequence(name, 'id')::regclass AS counter"
            " FROM unnest(%s::text[]) name) "
            "SELECT name, nextval(counter) FROM counters, generate_series(1, %s)",
            [[*by_table], count],
        )
        ids = defaultdict[type[models.Model], list[int]](list)
        for name, number in sorted(rows):
            ids[by_table[name]].append(number)
        return ids
    with transaction.atomic():
        rows = _counted_up(by_table, count)
        if missing := by_table.keys() - {name for name, _ in rows}:
            execute(
                "INSERT INTO sqlite_sequence (name, seq) SELECT value, 0 FROM json_each(%s)",
                [json.dumps(sorted(missing))],
            )
            rows += _counted_up(missing, count)
    return {by_table[name]: range(last - count + 1, last + 1) for name, last in rows}


def _counted_up(tables: Collection[str], count: int) -> list[tuple[Any, ...]]:
    names = ", ".join(["%s"] * len(tables))
    return execute(
        f"UPDATE sqlite_sequence SET seq = seq + %s WHERE name IN ({names}) RETURNING name, seq",  # noqa: S608 - places
        [count, *tables],
    )


def allow_long_statements() -> None:
    """In this transaction PostgreSQL ends none before an hour; elsewhere there is no limit."""
    if connection.vendor == "postgresql":
        execute("SET LOCAL statement_timeout = '1h'")


def refresh_after_commit() -> None:
    """Have PostgreSQL count the tables that claims read, once the import is committed.

    By itself it would do so within a minute; until then it takes a full campaign for an empty one
    and sorts every open slot for each claim (40 ms at 24,000 slots instead of 0.3 ms).
    """
    if connection.vendor == "postgresql":
        transaction.on_commit(partial(execute, "ANALYZE tasks_slot, tasks_item, tasks_question"))


def analyse_what_counts_as_empty(*, at_least: int = 1 << 20) -> list[str]:
    """Let PostgreSQL count the rows of tables that it takes for empty although they have so many
    bytes; the names of these tables.

    It does so of new ones, and after rows were rolled back, and then plans as if to read them all
    were nothing.
    """
    if connection.vendor != "postgresql":
        return []
    names = [name for (name,) in execute(_COUNT_AS_EMPTY, [at_least])]
    for name in names:
        execute(f"ANALYZE {name}")
    return names


_COUNT_AS_EMPTY = r"""
SELECT relname FROM pg_class
WHERE relkind = 'r' AND relname LIKE 'tasks\_%%' AND reltuples <= 0
  AND relnamespace = current_schema()::regnamespace AND pg_relation_size(oid) >= %s
ORDER BY relname
"""
