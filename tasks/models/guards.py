"""What the database itself refuses, whoever asks: changed or deleted ratings, adjudications,
trained matchers, withdrawals of releases, submissions to them, evaluations and entries of the audit
log, foreign outcomes.

Installed after every migration rather than in one, because SQLite drops a table's triggers
whenever a migration rebuilds the table. Those that name another table are taken away before
migrations: SQLite cannot rebuild a table that a trigger names.
"""

from collections.abc import Iterator, Set
from typing import Any

from django.db import connections

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
    "tasks_auditentry",
)
# the trigger that lets only outcomes of the campaign's protocol into each table
FITTING = {
    "tasks_rating": "tomahto_outcome_fits",
    "tasks_firstlook": "tomahto_first_look_fits",
    "tasks_adjudication": "tomahto_adjudication_fits",
}

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

_POSTGRES_TABLE = """
CREATE OR REPLACE TRIGGER {table}_no_change BEFORE UPDATE OR DELETE ON {table}
    FOR EACH ROW EXECUTE FUNCTION tomahto_refuse_change();
CREATE OR REPLACE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {table}
    FOR EACH STATEMENT EXECUTE FUNCTION tomahto_refuse_change();
"""

_SQLITE_FITTING = """
CREATE TRIGGER IF NOT EXISTS {trigger} BEFORE INSERT ON {table}
WHEN NOT EXISTS (
    SELECT 1 FROM tasks_item i JOIN tasks_campaign c ON c.id = i.campaign_id
    WHERE i.id = NEW.item_id
      AND c.protocol = substr(NEW.outcome_id, 1, instr(NEW.outcome_id, ':') - 1)
)
BEGIN SELECT RAISE(ABORT, 'outcome is not of the campaign''s protocol'); END
"""

_SQLITE_TABLE = """
CREATE TRIGGER IF NOT EXISTS {table}_no_{event} BEFORE {event} ON {table}
BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END
"""


def install_guards(*, using: str = "default", **_signal: Any) -> None:
    """Create the triggers that are missing. Called after every migration."""
    connection = connections[using]
    # a schema of before has not all of them
    there = set(connection.introspection.table_names())
    statements = _on_postgres if connection.vendor == "postgresql" else _on_sqlite
    with connection.cursor() as cursor:
        for statement in statements(there):
            cursor.execute(statement)


def remove_fitting_guards(*, using: str = "default", **_signal: Any) -> None:
    """Take away what would keep SQLite from rebuilding tables. Called before every migration."""
    connection = connections[using]
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        for trigger in FITTING.values():
            cursor.execute(f"DROP TRIGGER IF EXISTS {trigger}")


def _on_postgres(there: Set[str]) -> Iterator[str]:
    yield _POSTGRES_FUNCTIONS
    for table in APPEND_ONLY:
        if table in there:
            yield _POSTGRES_TABLE.format(table=table)
    for table, trigger in FITTING.items():
        if table in there:
            yield _POSTGRES_FITTING.format(table=table, trigger=trigger)


def _on_sqlite(there: Set[str]) -> Iterator[str]:
    for table in APPEND_ONLY:
        if table in there:
            yield _SQLITE_TABLE.format(table=table, event="UPDATE")
            yield _SQLITE_TABLE.format(table=table, event="DELETE")
    for table, trigger in FITTING.items():
        if table in there:
            yield _SQLITE_FITTING.format(table=table, trigger=trigger)
