"""What the database itself refuses, whoever asks: changed or deleted ratings and trained
matchers, foreign outcomes.

Installed after every migration rather than in one, because SQLite drops a table's triggers
whenever a migration rebuilds the table.
"""

from typing import Any

from django.db import connections

APPEND_ONLY = ("tasks_rating", "tasks_outcome", "tasks_trainedmatcher")

_POSTGRES = """
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
CREATE OR REPLACE TRIGGER tomahto_outcome_fits BEFORE INSERT ON tasks_rating
    FOR EACH ROW EXECUTE FUNCTION tomahto_outcome_fits();
"""

_POSTGRES_TABLE = """
CREATE OR REPLACE TRIGGER {table}_no_change BEFORE UPDATE OR DELETE ON {table}
    FOR EACH ROW EXECUTE FUNCTION tomahto_refuse_change();
CREATE OR REPLACE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {table}
    FOR EACH STATEMENT EXECUTE FUNCTION tomahto_refuse_change();
"""

_SQLITE = """
CREATE TRIGGER IF NOT EXISTS tomahto_outcome_fits BEFORE INSERT ON tasks_rating
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
    tables = [t for t in APPEND_ONLY if t in connection.introspection.table_names()]
    if connection.vendor == "postgresql":
        statements = [_POSTGRES, *(_POSTGRES_TABLE.format(table=t) for t in tables)]
    else:
        statements = [_SQLITE] + [
            _SQLITE_TABLE.format(table=table, event=event)
            for table in tables
            for event in ("UPDATE", "DELETE")
        ]
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
