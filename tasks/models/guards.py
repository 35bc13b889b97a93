"""Refusals by the database itself, whoever asks: changed, replaced or deleted ratings,
adjudications, messages, trained matchers, withdrawals of releases, submissions to them, evaluations
and entries of the audit log; foreign outcomes; outcomes that no protocol lists.

There is one exception, and the database keeps to it by its own clock: rows of a campaign that was
deleted KEPT_DAYS ago can be deleted with it.

Installed after every migration rather than in one, because SQLite drops a table's triggers
whenever a migration rebuilds the table. Those that name another table are taken away before
migrations: SQLite cannot rebuild a table that a trigger names.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from typing import Any, NamedTuple

from django.db import connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from tasks.models.belonging import Way, owned_models
from tasks.models.campaign import KEPT_DAYS
from tasks.protocols import protocols

APPEND_ONLY = (
    "tasks_rating",
    "tasks_outcome",
    "tasks_trainedmatcher",
    "tasks_firstlook",
    "tasks_adjudication",
    "tasks_withdrawal",
    "tasks_evaluation",
    "tasks_submission",
    "tasks_submissionscore",
    "tasks_submissionwithdrawal",
    "tasks_message",
    "tasks_sharedanswer",
    "tasks_openedanswer",
    "tasks_auditentry",
)
# the trigger that lets only outcomes of the campaign's protocol into each table
FITTING = {
    "tasks_rating": "tomahto_outcome_fits",
    "tasks_firstlook": "tomahto_first_look_fits",
    "tasks_adjudication": "tomahto_adjudication_fits",
}
LISTED = "tomahto_outcome_listed"
"""The trigger that lets only what a protocol lists into the outcome table."""

_POSTGRES_FUNCTIONS = """
CREATE OR REPLACE FUNCTION tomahto_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME
        USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE OR REPLACE FUNCTION tomahto_outcome_fits() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (
        SELECT 1 FROM tasks_item i JOIN tasks_campaign c ON c.id = i.campaign_id
        WHERE i.id = NEW.item_id AND c.protocol = split_part(NEW.outcome_id, ':', 1)
    ) THEN
        RAISE EXCEPTION 'outcome % is not of the campaign''s protocol', NEW.outcome_id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;
"""

_POSTGRES_FITTING = """
CREATE OR REPLACE TRIGGER {trigger} BEFORE INSERT ON {table}
    FOR EACH ROW EXECUTE FUNCTION tomahto_outcome_fits();
"""

# The function names the columns on the way to the campaign late, so no migration minds it.
_POSTGRES_KEEP = """
CREATE OR REPLACE FUNCTION tomahto_keep_{table}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT 1 FROM tasks_campaign c
        WHERE c.id = {owner} AND c.deleted_at <= statement_timestamp() - interval '{days} days'
    ) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION '{table} is append-only'
        USING ERRCODE = 'integrity_constraint_violation';
END $$;
"""

_POSTGRES_TABLE = """
CREATE OR REPLACE TRIGGER {table}_no_change BEFORE UPDATE ON {table}
    FOR EACH ROW EXECUTE FUNCTION tomahto_refuse_change();
CREATE OR REPLACE TRIGGER {table}_no_delete BEFORE DELETE ON {table}
    FOR EACH ROW EXECUTE FUNCTION {refusal}();
CREATE OR REPLACE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {table}
    FOR EACH STATEMENT EXECUTE FUNCTION tomahto_refuse_change();
"""

_POSTGRES_LISTED = """
CREATE OR REPLACE FUNCTION tomahto_outcome_listed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF ({listed}::jsonb -> NEW.id)
        IS DISTINCT FROM jsonb_build_array(NEW.protocol, NEW.answers, NEW.label, NEW.reading)
    THEN
        RAISE EXCEPTION 'outcome % is none that its protocol lists', NEW.id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER {trigger} BEFORE INSERT ON tasks_outcome
    FOR EACH ROW EXECUTE FUNCTION tomahto_outcome_listed();
"""

# The outcome has to be there: other connections than ours do not look at foreign keys.
_SQLITE_FITTING = """
CREATE TRIGGER {trigger} BEFORE INSERT ON {table}
WHEN NOT EXISTS (
    SELECT 1 FROM tasks_item i
    JOIN tasks_campaign c ON c.id = i.campaign_id
    JOIN tasks_outcome o ON o.id = NEW.outcome_id AND o.protocol = c.protocol
    WHERE i.id = NEW.item_id
)
BEGIN SELECT RAISE(ABORT, 'outcome is not of the campaign''s protocol'); END
"""

_SQLITE_TABLE = """
CREATE TRIGGER {table}_no_{event} BEFORE {event} ON {table}{condition}
BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END
"""

_SQLITE_KEEP = """
WHEN NOT EXISTS (
    SELECT 1 FROM tasks_campaign c
    WHERE c.id = {owner}
      AND c.deleted_at <= strftime('%Y-%m-%d %H:%M:%f', 'now', '-{days} days')
)"""

# REPLACE deletes what it puts aside, for which most connections call no trigger: there must be
# nothing to put aside.
_SQLITE_REPLACE = """
CREATE TRIGGER {table}_no_REPLACE BEFORE INSERT ON {table}
WHEN EXISTS (SELECT 1 FROM {table} WHERE rowid = NEW.rowid){conflicts}
BEGIN SELECT RAISE(ABORT, '{table} is append-only, and has such a row'); END
"""
_SQLITE_CONFLICT = " OR EXISTS (SELECT 1 FROM {row} WHERE {conflict})"

_SQLITE_LISTED = """
CREATE TRIGGER {trigger} BEFORE INSERT ON tasks_outcome
WHEN json_extract({listed}, '$."' || NEW.id || '"')
    IS NOT json_array(NEW.protocol, json(NEW.answers), NEW.label, NEW.reading)
BEGIN SELECT RAISE(ABORT, 'outcome is none that its protocol lists'); END
"""
_NAME = re.compile(r"CREATE TRIGGER (\w+)")
_COLUMN = re.compile(r'"(\w+)"')
_CONDITION = re.compile(r"\)\s*WHERE\s(?P<condition>.*)$", re.DOTALL | re.IGNORECASE)


class UniqueIndex(NamedTuple):
    """The columns that an index of SQLite keeps unique, among rows that meet the condition."""

    columns: Sequence[str]
    condition: str


def install_guards(*, using: str = "default", **_signal: Any) -> None:
    """Create the triggers that are missing or of before. Called after every migration."""
    database = connections[using]
    # a schema of before has not all of them
    there = set(database.introspection.table_names())
    if database.vendor == "sqlite":
        _install_on_sqlite(database, there)
        return
    with database.cursor() as cursor:
        for statement in _on_postgres(there):
            cursor.execute(statement)


def remove_fitting_guards(*, using: str = "default", **_signal: Any) -> None:
    """Take away what would keep SQLite from rebuilding tables; until it is back no row of an
    append-only table can be deleted at all. Called before every migration."""
    database = connections[using]
    if database.vendor != "sqlite":
        return
    there = set(database.introspection.table_names())
    with database.cursor() as cursor:
        for trigger in FITTING.values():
            cursor.execute(f"DROP TRIGGER IF EXISTS {trigger}")
        for table in there.intersection(APPEND_ONLY):
            cursor.execute(f"DROP TRIGGER IF EXISTS {table}_no_DELETE")
            cursor.execute(_SQLITE_TABLE.format(table=table, event="DELETE", condition=""))


@contextmanager
def earlier_outcomes_admitted() -> Iterator[None]:
    """Within a transaction: outcomes that only an earlier version listed can be stored too."""
    on_table = " ON tasks_outcome" if connection.vendor == "postgresql" else ""
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TRIGGER {LISTED}{on_table}")
        yield
        cursor.execute(_listed_guard(connection.vendor))


def unique_indexes(database: BaseDatabaseWrapper, table: str) -> Iterator[UniqueIndex]:
    """The unique columns of a table in SQLite beside its row number."""
    with database.cursor() as cursor:
        cursor.execute(
            "SELECT l.name, m.sql, json_group_array(i.name) FROM pragma_index_list(%s) l"
            " JOIN sqlite_master m ON m.name = l.name JOIN pragma_index_info(l.name) i"
            ' WHERE l."unique" GROUP BY l.name ORDER BY l.name',
            [table],
        )
        for _name, sql, columns in cursor.fetchall():
            found = _CONDITION.search(sql or "")
            yield UniqueIndex(json.loads(columns), found["condition"] if found else "")


def _on_postgres(there: Set[str]) -> Iterator[str]:
    yield _POSTGRES_FUNCTIONS
    owners = _owners()
    for table in filter(there.__contains__, APPEND_ONLY):
        refusal = "tomahto_refuse_change"
        if table in owners:
            refusal = f"tomahto_keep_{table}"
            yield _POSTGRES_KEEP.format(table=table, owner=owners[table], days=KEPT_DAYS)
        yield _POSTGRES_TABLE.format(table=table, refusal=refusal)
    for table, trigger in FITTING.items():
        if table in there:
            yield _POSTGRES_FITTING.format(table=table, trigger=trigger)
    if "tasks_outcome" in there:
        yield _listed_guard("postgresql")


def _install_on_sqlite(database: BaseDatabaseWrapper, there: Set[str]) -> None:
    with database.cursor() as cursor:
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        installed: dict[str, str] = dict(cursor.fetchall())
        for name, statement in _on_sqlite(database, there).items():
            if installed.get(name) != statement:
                cursor.execute(f"DROP TRIGGER IF EXISTS {name}")
                cursor.execute(statement)


def _on_sqlite(database: BaseDatabaseWrapper, there: Set[str]) -> Mapping[str, str]:
    """The statements by the names of the triggers, as SQLite keeps them."""
    statements = []
    owners = _owners()
    for table in filter(there.__contains__, APPEND_ONLY):
        keep = _SQLITE_KEEP.format(owner=owners[table], days=KEPT_DAYS) if table in owners else ""
        statements += [
            _SQLITE_TABLE.format(table=table, event=event, condition=condition)
            for event, condition in (("UPDATE", ""), ("DELETE", keep))
        ]
        conflicts = "".join(
            _SQLITE_CONFLICT.format(row=table, conflict=_conflict(table, index))
            for index in unique_indexes(database, table)
        )
        statements.append(_SQLITE_REPLACE.format(table=table, conflicts=conflicts))
    for table in filter(there.__contains__, FITTING):
        statements.append(_SQLITE_FITTING.format(table=table, trigger=FITTING[table]))
    if "tasks_outcome" in there:
        statements.append(_listed_guard("sqlite"))
    return {_NAME.findall(one)[0]: one.strip() for one in statements}


def _owners() -> Mapping[str, str]:
    """By the names of tables, what gives the campaign that an OLD row belongs to."""
    return {model._meta.db_table: _owner(way) for model, (way, *_) in owned_models().items()}


def _owner(way: Way) -> str:
    campaign = f'OLD."{way[0].column}"'
    for key in way[1:]:
        table = key.model._meta.db_table
        campaign = f'(SELECT "{key.column}" FROM {table} WHERE id = {campaign})'  # noqa: S608 - names of ours
    return campaign


def _conflict(table: str, index: UniqueIndex) -> str:
    """That a row of the table has the new one's values, and both meet the condition."""
    parts = [f'{table}."{column}" = NEW."{column}"' for column in index.columns]
    if index.condition:
        # Django quotes every column that it names
        parts += [_COLUMN.sub(rf'{row}."\1"', index.condition) for row in (table, "NEW")]
    return " AND ".join(parts)


def _listed_guard(vendor: str) -> str:
    listed = {
        outcome.id: [outcome.protocol, dict(outcome.answers), outcome.label, outcome.reading]
        for protocol in protocols().values()
        for outcome in protocol.outcomes
    }
    text = json.dumps(listed, separators=(",", ":")).replace("'", "''")
    guard = _POSTGRES_LISTED if vendor == "postgresql" else _SQLITE_LISTED
    return guard.format(trigger=LISTED, listed=f"'{text}'")
