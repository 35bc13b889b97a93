"""The plan of an import: rows in temporary tables, until everything is checked.

A kind of row gets its table with its first row: making all of them takes longer than a small file.
Temporary tables belong to one connection. On SQLite they lie in a file of their own, so filling
them takes no lock of the database, however long a file is; a process that dies leaves nothing. The
rows are then copied by the database itself, a statement for each table, in one transaction that is
over in a fraction of a second.

A campaign counts how often what is to be rated in it has changed: by this an import knows, when it
stores what it has planned, whether the campaign is still the one it was planned for.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from types import TracebackType
from typing import Any, Final, Self, TypeVar

from django.db import connection
from django.db.models import F, Field, Model, Q, QuerySet

from tasks.models import (
    Adjudication,
    Campaign,
    Candidate,
    Document,
    ExpectedAnswer,
    Item,
    ItemSystem,
    Membership,
    Question,
    Rating,
    Slot,
    Suggestion,
    System,
)
from tasks.storing.database import allow_long_statements, batches, execute, reserved_ids


class CampaignChanged(Exception):
    """Something else has changed what is to be rated in the campaign since a plan was made."""


def count_change(campaign: Campaign) -> int:
    """Count a change, in its transaction; others that make one in the campaign wait for its end.

    To be called before the change reads what it depends on. Returns the new count.
    """
    Campaign.objects.filter(pk=campaign.pk).update(intakes=F("intakes") + 1)
    return Campaign.objects.values_list("intakes", flat=True).get(pk=campaign.pk)


_Row = TypeVar("_Row", bound=Model)

# in the order in which rows refer to each other, with the columns by which planned rows are found
_TABLES: Final[Mapping[type[Model], tuple[str, ...]]] = {
    Document: ("key",),
    Question: ("key", "fingerprint"),
    System: ("name",),
    Item: ("key",),
    ItemSystem: ("item_id",),
    ExpectedAnswer: ("item_id",),
    Candidate: ("question_id",),
    Membership: ("name", "pseudonym"),
    Slot: (),
    Rating: ("item_id",),
    Adjudication: ("item_id",),
    Suggestion: ("item_id",),
}
_REFERRED_TO: Final = (Document, Question, System, Item, Membership)
# the items whose slots are to fit, and the number above which unused ones go
_NOTED_ITEMS: Final = "CREATE TEMPORARY TABLE planned_fit (item_id bigint PRIMARY KEY, most bigint)"
_CACHE: Final = 32 << 20  # bytes, before temporary tables go to the disk
_DROP: Final = "DROP TABLE IF EXISTS planned_fit"


class Plan:
    """New and changed rows of one campaign. To be used in a `with` block, which ends them.

    Rows that others refer to get their ids at once; an id that is not used in the end is no loss.
    """

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self._tables: set[type[Model]] = set()
        self._added = dict.fromkeys(_TABLES, 0)
        self._changed: set[type[Model]] = set()
        self._before: dict[type[Model], list[str]] = {model: [] for model in _TABLES}
        self._when_stored: list[Callable[[], None]] = []

    def __enter__(self) -> Self:
        if connection.in_atomic_block:
            # part of an act that holds its transaction already: others wait for it
            count_change(self.campaign)
        # as it is now: with its count of changes come the settings that the plan follows
        self.campaign = Campaign.objects.get(pk=self.campaign.pk)
        if connection.vendor == "sqlite":
            self.execute(f"PRAGMA temp.cache_size = -{_CACHE >> 10}")
        for statement in _DROP, _NOTED_ITEMS:
            self.execute(statement)
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        if error is None or not connection.in_atomic_block:
            for model in self._tables:
                self.execute(f"DROP TABLE IF EXISTS {planned_table(model)}")
            self.execute(_DROP)

    def add(self, rows: Iterable[Model]) -> None:
        """Rows of one kind that are new."""
        for batch in batches(rows):
            model = type(batch[0])
            for row, pk in zip(batch, self._ids(model, len(batch)), strict=True):
                row.pk = pk
            self._put(model, batch, is_new=True)

    def change(self, row: Model) -> None:
        """A row that is there, or planned, with other values."""
        self._changed.add(type(row))
        self._put(type(row), [row], is_new=False)

    def find(self, stored: QuerySet[_Row], **values: Collection[Any]) -> dict[Any, _Row]:
        """By id, the rows that have one of these values in one of these columns, as they will be.

        `stored` is where to look for those that are there.
        """
        wanted = {column: list(given) for column, given in values.items() if given}
        if not wanted:
            return {}
        conditions = Q()
        for column, given in wanted.items():
            conditions |= Q(**{f"{column}__in": given})
        found = {row.pk: row for row in stored.filter(conditions)}
        if not self.has(stored.model):
            return found
        if found and stored.model in _REFERRED_TO:
            # a row may have been given another key in the plan
            wanted["id"] = [*wanted.get("id", []), *found]
        return found | {row.pk: row for row in self._planned(stored.model, wanted)}

    def execute(self, statement: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run a statement on the temporary tables; the rows it returns."""
        return execute(statement, parameters)

    def execute_many(self, statement: str, parameters: Sequence[Sequence[Any]]) -> None:
        """Run a statement on a temporary table for each of the parameters."""
        if not parameters:
            return
        # on SQLite a transaction for all of them locks nothing: it writes to no other table
        is_alone = connection.vendor == "sqlite" and not connection.in_atomic_block
        with connection.cursor() as cursor:
            if is_alone:
                cursor.execute("SAVEPOINT filling")
            try:
                cursor.executemany(statement, parameters)
            finally:
                if is_alone:
                    cursor.execute("RELEASE filling")

    def index(self, table: str, column: str) -> None:
        # it is where its table is, on SQLite only if it is named so
        schema = "temp." if connection.vendor == "sqlite" else ""
        name = f"{schema}{table}_by_{column}"
        self.execute(f"CREATE INDEX {name} ON {table} ({_quoted(column)})")

    def before(self, model: type[Model], *statements: str) -> None:
        """Have `store` run these after all that comes before the rows of this kind."""
        self._before[model] += statements

    def when_stored(self, act: Callable[[], None]) -> None:
        """Have `store` do this at its end, in the same transaction."""
        self._when_stored.append(act)

    def has(self, model: type[Model]) -> bool:
        """Whether there are new or changed rows of a kind."""
        return model in self._tables

    def count_new(self, model: type[Model]) -> int:
        """The number of new rows of a kind."""
        if not self.has(model):
            return 0
        table = planned_table(model)
        return int(self.execute(f"SELECT COUNT(*) FROM {table} WHERE is_new = 1")[0][0])  # noqa: S608 - ours

    def store(self) -> None:
        """Store all of it, within a transaction of the caller's.

        Raises CampaignChanged if the campaign is no longer what the plan was made for.
        """
        if count_change(self.campaign) != self.campaign.intakes + 1:
            raise CampaignChanged
        # a kind is stored by one statement, however many rows it has and whoever asked for it
        allow_long_statements()
        for model in _TABLES:
            for statement in self._before[model]:
                self.execute(statement)
            if self.has(model):
                self.execute(_insertion(model))
            if model in self._changed:
                self.execute(_update(model))
        for act in self._when_stored:
            act()

    def _make_table(self, model: type[Model]) -> None:
        table = planned_table(model)
        first, *others = (f"{_column(f)} {f.db_type(connection)}" for f in _fields(model))
        self.execute(f"DROP TABLE IF EXISTS {table}")
        self.execute(
            f"CREATE TEMPORARY TABLE {table} "
            f"({first} PRIMARY KEY, {', '.join(others)}, is_new smallint)"
        )
        for column in _TABLES[model]:
            self.index(table, column)
        self._tables.add(model)

    def _ids(self, model: type[Model], count: int) -> Iterable[int]:
        before = self._added[model]
        self._added[model] += count
        if model in _REFERRED_TO:
            return reserved_ids(model, count)
        # below those of all that is stored, which have theirs from the database
        return range(-before - 1, -before - count - 1, -1)

    def _put(self, model: type[Model], rows: list[Any], *, is_new: bool) -> None:
        if not self.has(model):
            self._make_table(model)
        fields = _fields(model)
        names = [_column(field) for field in fields]
        values = [
            [
                *(f.get_db_prep_save(getattr(row, f.attname), connection) for f in fields),
                int(is_new),
            ]
            for row in rows
        ]
        update = ", ".join(f"{name} = excluded.{name}" for name in names)
        self.execute_many(
            f"INSERT INTO {planned_table(model)} ({', '.join(names)}, is_new) "  # noqa: S608 - names of ours only
            f"VALUES ({', '.join(['%s'] * (len(names) + 1))}) "
            f"ON CONFLICT (id) DO UPDATE SET {update}",
            values,
        )

    def _planned(self, model: type[_Row], wanted: Mapping[str, list[Any]]) -> Iterable[_Row]:
        conditions = [
            f"{_quoted(column)} IN ({', '.join(['%s'] * len(values))})"
            for column, values in wanted.items()
        ]
        parameters = [value for values in wanted.values() for value in values]
        columns = ", ".join(_column(field) for field in _fields(model))
        return model._default_manager.raw(
            f"SELECT {columns} FROM {planned_table(model)} WHERE {' OR '.join(conditions)}",  # noqa: S608 - as above
            parameters,
        )


def planned_table(model: type[Model]) -> str:
    """The name of the temporary table that holds the planned rows."""
    return f"planned_{model._meta.db_table}"


def _fields(model: type[Model]) -> "list[Field[Any, Any]]":
    """The id and what an import says of a row; its time is the database's to say."""
    return [field for field in model._meta.concrete_fields if field.name != "created_at"]


def _insertion(model: type[Model]) -> str:
    names, order = [_column(field) for field in _fields(model)], "id"
    if model not in _REFERRED_TO:
        names.remove(_quoted("id"))
        order = "id DESC"
    columns = ", ".join(names)
    # that a system gave a candidate may be known already
    conflict = " ON CONFLICT DO NOTHING" if model is ItemSystem else ""
    return (
        f"INSERT INTO {model._meta.db_table} ({columns}) "  # noqa: S608 - names of ours only
        f"SELECT {columns} FROM {planned_table(model)} WHERE is_new = 1 ORDER BY {order}{conflict}"
    )


def _update(model: type[Model]) -> str:
    table = model._meta.db_table
    names = [_column(field) for field in _fields(model)][1:]
    changes = ", ".join(f"{name} = p.{name}" for name in names)
    return (
        f"UPDATE {table} SET {changes} FROM {planned_table(model)} p "  # noqa: S608 - as above
        f"WHERE p.is_new = 0 AND p.id = {table}.id"
    )


def _column(field: "Field[Any, Any]") -> str:
    return _quoted(str(field.column))


def _quoted(name: str) -> str:
    return connection.ops.quote_name(name)
