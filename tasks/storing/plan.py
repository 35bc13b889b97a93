"""The plan of an import: rows apart from the campaign's, until everything is checked.

A kind of which there are few rows is held in memory: making tables takes longer than a small file.
The others are in temporary tables; a process that dies leaves nothing. They are then copied by the
database itself, a statement for each table, in one transaction that is over in a fraction of a
second.

A campaign counts how often what is to be rated in it has changed: by this an import knows, when it
stores what it has planned, whether the campaign is still the one it was planned for.
"""

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from types import TracebackType
from typing import Any, Final, Self, TypeVar

from django.db import connection
from django.db.models import Model, Q, QuerySet

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
from tasks.storing.database import (
    BATCH,
    allow_long_statements,
    batches,
    execute,
    is_one_of,
    reserved_ids,
)
from tasks.storing.planned import PlannedRows, PlannedValues, execute_many, index, make_table


class CampaignChanged(Exception):
    """Something else has changed what is to be rated in the campaign since a plan was made."""


def count_change(campaign: Campaign) -> int:
    """Count a change, in its transaction; others that make one in the campaign wait for its end.

    To be called before the change reads what it depends on. Returns the new count.
    """
    statement = "UPDATE tasks_campaign SET intakes = intakes + 1 WHERE id = %s RETURNING intakes"
    ((count,),) = execute(statement, [campaign.pk])
    return int(count)


_Row = TypeVar("_Row", bound=Model)

# in the order in which rows refer to each other
_TABLES: Final[Sequence[type[Model]]] = (
    Document,
    Question,
    System,
    Item,
    ItemSystem,
    ExpectedAnswer,
    Candidate,
    Membership,
    Slot,
    Rating,
    Adjudication,
    Suggestion,
)
_CACHE: Final = 32 << 20  # bytes, before temporary tables go to the disk
_FEW: Final = 100  # values
# PostgreSQL looks long arrays up in a table of hashes only if it plans for these very values
_FOR_MANY: Final = {
    "postgresql": "SET plan_cache_mode = force_custom_plan",
    "sqlite": f"PRAGMA temp.cache_size = -{_CACHE >> 10}",
}
_REFERRED_TO: Final = (Document, Question, System, Item, Membership)
SLOT_COLUMNS: Final = ("campaign_id", "item_id", "number", "order_key", "is_filled")


class Plan:
    """New and changed rows of one campaign. To be used in a `with` block, which ends them.

    Rows that others refer to get their ids at once; an id that is not used in the end is no loss.
    """

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self._rows: dict[type[Model], PlannedRows[Any]] = {}
        self._slots = PlannedValues(Slot, SLOT_COLUMNS)
        self._ids: dict[type[Model], deque[int]] = {model: deque() for model in _REFERRED_TO}
        self._before: dict[type[Model], list[str]] = {model: [] for model in _TABLES}
        self._when_stored: list[Callable[[], None]] = []
        self._own_tables: set[str] = set()
        self._expects_many = False
        self.noted: set[int] = set()  # items whose slots are to fit, as long as they are few

    def __enter__(self) -> Self:
        if connection.in_atomic_block:
            # part of an act that holds its transaction already: others wait for it
            count_change(self.campaign)
        # as it is now: with its count of changes come the settings that the plan follows
        self.campaign = Campaign.objects.get(pk=self.campaign.pk)
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        if error is None or not connection.in_atomic_block:
            for kind in self._kinds():
                kind.drop()
            for table in self._own_tables:
                execute(f"DROP TABLE IF EXISTS {table}")
            if self._expects_many and connection.vendor == "postgresql":
                execute("RESET plan_cache_mode")

    @property
    def is_large(self) -> bool:
        """Whether there are more rows of a kind than are held in memory."""
        return any(kind.added > BATCH for kind in self._kinds())

    def add(self, rows: Iterable[Model]) -> None:
        """Rows of one kind that are new."""
        for batch in batches(rows):
            self._expect(len(batch))
            kind = self._of(type(batch[0]))
            rows_by_id = dict(zip(self._new_ids(type(batch[0]), len(batch)), batch, strict=True))
            for pk, row in rows_by_id.items():
                row.pk = pk
            kind.add(rows_by_id)

    def add_slots(self, rows: Iterable[tuple[Any, ...]]) -> None:
        """New slots, as values of SLOT_COLUMNS."""
        self._slots.add(rows)

    def change(self, row: Model) -> None:
        """A row that is there, or planned, with other values."""
        self._of(type(row)).change(row)

    def find(self, stored: QuerySet[_Row], **values: Collection[Any]) -> dict[Any, _Row]:
        """By id, the rows that have one of these values in one of these columns, as they will be.

        `stored` is where to look for those that are there.
        """
        wanted = {column: list(given) for column, given in values.items() if given}
        if not wanted:
            return {}
        self._expect(sum(map(len, wanted.values())))
        conditions = Q()
        for column, given in wanted.items():
            conditions |= is_one_of(column, given)
        found = {row.pk: row for row in stored.filter(conditions)}
        if found and stored.model in _REFERRED_TO:
            # a row may have been given another key in the plan
            wanted["id"] = [*wanted.get("id", []), *found]
        return found | self.planned(stored.model, **wanted)

    def planned(self, model: type[_Row], **values: Collection[Any]) -> dict[Any, _Row]:
        """As `find`, among the new and changed rows alone."""
        return self._rows[model].matching(values) if model in self._rows else {}

    def new_values(self, model: type[Model], *names: str) -> Iterator[list[tuple[Any, ...]]]:
        """The id and these columns of the new rows of a kind, in batches, in order."""
        yield from self._rows[model].new_values(*names) if model in self._rows else ()

    def own_table(self, name: str, *columns: str, rows: str = "") -> None:
        """A temporary table for what the caller plans, if it is not there yet, with the `rows` of a
        query or for those that come; indexed by its item."""
        if name in self._own_tables:
            return
        self._own_tables.add(name)
        if rows:
            execute(f"CREATE TEMPORARY TABLE {name} AS {rows}")
            if self.is_large:
                index(name, "item_id")
        else:
            make_table(name, columns)

    def has_own_table(self, name: str) -> bool:
        return name in self._own_tables

    def execute(self, statement: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run a statement on the temporary tables; the rows it returns."""
        return execute(statement, parameters)

    def execute_many(self, statement: str, parameters: Sequence[Sequence[Any]]) -> None:
        """Run a statement on a temporary table for each of the parameters."""
        execute_many(statement, parameters)

    def before(self, model: type[Model], *statements: str) -> None:
        """Have `store` run these after all that comes before the rows of this kind."""
        self._before[model] += statements

    def when_stored(self, act: Callable[[], None]) -> None:
        """Have `store` do this at its end, in the same transaction."""
        self._when_stored.append(act)

    def has(self, model: type[Model]) -> bool:
        """Whether there are new or changed rows of a kind."""
        return model in self._rows

    def count_new(self, model: type[Model]) -> int:
        """The number of new rows of a kind."""
        return self._rows[model].added if model in self._rows else 0

    def fill_table(self, model: type[Model]) -> None:
        """Have the rows of a kind in their temporary table, for statements on it."""
        self._of(model).fill()

    def fill_tables(self) -> None:
        """The newest rows of kinds that have tables go there too, before others have to wait while
        all is stored."""
        for kind in self._kinds():
            if kind.has_table:
                kind.fill()

    def store(self) -> None:
        """Store all of it, within a transaction of the caller's.

        Raises CampaignChanged if the campaign is no longer what the plan was made for.
        """
        if count_change(self.campaign) != self.campaign.intakes + 1:
            raise CampaignChanged
        if self.is_large:
            # a kind is stored by one statement, however many rows it has and whoever asked for it
            allow_long_statements()
        for model in _TABLES:
            for statement in self._before[model]:
                execute(statement)
            if model is Slot:
                self._slots.store()
            elif model in self._rows:
                self._rows[model].store()
        for act in self._when_stored:
            act()

    def _expect(self, values: int) -> None:
        if values > _FEW and not self._expects_many:
            self._expects_many = True
            execute(_FOR_MANY[connection.vendor])

    def _kinds(self) -> Iterable[PlannedRows[Any] | PlannedValues]:
        return [*self._rows.values(), self._slots]

    def _of(self, model: type[Model]) -> PlannedRows[Any]:
        if model not in self._rows:
            has_own_ids = model in _REFERRED_TO
            self._rows[model] = PlannedRows(model, has_own_ids=has_own_ids)
        return self._rows[model]

    def _new_ids(self, model: type[Model], count: int) -> Iterable[int]:
        if model not in _REFERRED_TO:
            # below those of all that is stored, which have theirs from the database
            last = -self._of(model).added
            return range(last - 1, last - count - 1, -1)
        if len(self._ids[model]) < count:
            # for all kinds at once: most of what a file brings is several of them
            few = [each for each, ids in self._ids.items() if len(ids) < count]
            for each, ids in reserved_ids(few, count).items():
                self._ids[each].extend(ids)
        return [self._ids[model].popleft() for _ in range(count)]
