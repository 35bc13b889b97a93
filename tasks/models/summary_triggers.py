"""The triggers that name an item in the queue of stale ones (StaleItem) whenever something is
written from which its summary, its scores or its words in the text search follow; and the table of
these words.

Triggers are installed after every migration, like the guards. PostgreSQL keeps them while it
migrates: their functions name columns late, and no condition or column list ties a column. SQLite
cannot rebuild a table that a trigger names, so there they go before a migration. Whatever was
written without them is not known: where a trigger is new, every item counts as stale.

The table of words is no model, because the databases have no column in common for it: on PostgreSQL
a `tsvector`, on SQLite a table of FTS5, whose row numbers are the items' ids. Made after every
migration where it is missing. `tasks.explorer.workflow.refreshing` fills it, a trigger takes away
what belongs to an item that goes.
"""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

_PREFIX = "tomahto_stale"

# A rating is the most frequent of these events: the item is looked up by its key, a row is added.
_OF_ITEM_ID = (
    "INSERT INTO tasks_staleitem (campaign_id, item_id, texts)"
    " SELECT campaign_id, id, false FROM tasks_item WHERE id = NEW.item_id;"
)
_OF_SLOT = (
    "INSERT INTO tasks_staleitem (campaign_id, item_id, texts)"
    " VALUES ({row}.campaign_id, {row}.item_id, false);"
)
_OF_ITEM = (
    "INSERT INTO tasks_staleitem (campaign_id, item_id, texts)"
    " VALUES (NEW.campaign_id, NEW.id, {texts});"
)
_AT_ONCE = "REFERENCING NEW TABLE AS added"
_OF_SLOTS = (
    "INSERT INTO tasks_staleitem (campaign_id, item_id, texts)"
    " SELECT DISTINCT campaign_id, item_id, false FROM added;"
)
_OF_ITEMS = (
    "INSERT INTO tasks_staleitem (campaign_id, item_id, texts)"
    " SELECT campaign_id, id, true FROM added;"
)
_OF_QUESTION = (
    "INSERT INTO tasks_staleitem (campaign_id, item_id, texts)"
    " SELECT campaign_id, id, true FROM tasks_item WHERE question_id = NEW.id;"
)
_EVERY_ITEM = (
    "INSERT INTO tasks_staleitem (campaign_id, item_id, texts)"
    " SELECT campaign_id, id, true FROM tasks_item"
)

# of a campaign that is removed nothing is left to be worked out
_KEPT = (
    "EXISTS (SELECT 1 FROM tasks_campaign c WHERE c.id = OLD.campaign_id AND c.deleted_at IS NULL)"
)
_OFFERED_ANEW = "(NEW.order_key IS NULL) <> (OLD.order_key IS NULL)"
_SKIPPED_ANEW = "(NEW.state = 'skipped') <> (OLD.state = 'skipped')"
_MATTERS = {"sqlite": "{column} IS NOT {other}", "postgresql": "{column} IS DISTINCT FROM {other}"}
_TEXTS_OF_ITEM = ("question_id", "candidate", "references", "key")
_FIELDS_OF_ITEM = (*_TEXTS_OF_ITEM, "purpose")
_FIELDS_OF_QUESTION = ("document_id", "text", "context", "question_type", "split")


def _triggers(vendor: str) -> Iterator[tuple[str, str, str, str]]:
    """Name, event, condition and what is done, of every trigger."""
    changing = ("flag", "suggestion", "itemhandling", "ratingsetaside")
    for table in ("rating", "adjudication", *changing):
        yield f"{table}_added", f"INSERT ON tasks_{table}", "", _OF_ITEM_ID
    for table in changing:
        yield f"{table}_changed", f"UPDATE ON tasks_{table}", "", _OF_ITEM_ID
    yield "skip", "UPDATE ON tasks_assignment", _SKIPPED_ANEW, _OF_ITEM_ID
    if vendor == "postgresql":  # an import adds very many of them by one statement
        yield "slot_added", f"INSERT ON tasks_slot {_AT_ONCE}", "", _OF_SLOTS
        yield "item_added", f"INSERT ON tasks_item {_AT_ONCE}", "", _OF_ITEMS
    else:
        yield "slot_added", "INSERT ON tasks_slot", "", _OF_SLOT.format(row="NEW")
        yield "item_added", "INSERT ON tasks_item", "", _OF_ITEM.format(texts="true")
    yield "slot_changed", "UPDATE ON tasks_slot", _OFFERED_ANEW, _OF_SLOT.format(row="NEW")
    yield "slot_removed", "DELETE ON tasks_slot", _KEPT, _OF_SLOT.format(row="OLD")
    item = _changed(vendor, _FIELDS_OF_ITEM)
    texts = f"({_changed(vendor, _TEXTS_OF_ITEM)})"
    yield "item_changed", "UPDATE ON tasks_item", item, _OF_ITEM.format(texts=texts)
    question = _changed(vendor, _FIELDS_OF_QUESTION)
    yield "question_changed", "UPDATE ON tasks_question", question, _OF_QUESTION
    key = "rowid" if vendor == "sqlite" else "item_id"
    gone = f"DELETE FROM tomahto_words WHERE {key} = OLD.id;"  # noqa: S608 - names of ours
    yield "item_removed", "DELETE ON tasks_item", "", gone


def _changed(vendor: str, fields: Sequence[str]) -> str:
    return " OR ".join(
        _MATTERS[vendor].format(column=f'NEW."{field}"', other=f'OLD."{field}"') for field in fields
    )


def install_triggers(*, using: str = "default", **_signal: Any) -> None:
    """Create the triggers that are missing or of before. Called after every migration."""
    database = connections[using]
    if "tasks_ratingsetaside" not in database.introspection.table_names():
        return  # a schema of before
    wanted = _statements(database.vendor)
    installed = _installed(database)
    with database.cursor() as cursor:
        for name, statements in wanted.items():
            if installed.get(name) != statements[-1]:
                for statement in statements:
                    cursor.execute(statement)
        if not wanted.keys() <= installed.keys():
            cursor.execute(_EVERY_ITEM)


def remove_triggers(*, using: str = "default", plan: Sequence[Any] = (), **_signal: Any) -> None:
    """Take away what would keep SQLite from rebuilding tables. Called before every migration; one
    that has nothing to do leaves them."""
    database = connections[using]
    if database.vendor != "sqlite" or not plan:
        return
    with database.cursor() as cursor:
        for name in _installed(database):
            cursor.execute(f"DROP TRIGGER {name}")


def _installed(database: BaseDatabaseWrapper) -> Mapping[str, str]:
    """The triggers that are there, on SQLite with the statements that made them."""
    catalogue = (
        "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
        if database.vendor == "sqlite"
        else "SELECT tgname, '' FROM pg_trigger WHERE NOT tgisinternal"
    )
    with database.cursor() as cursor:
        cursor.execute(catalogue)
        return {name: sql for name, sql in cursor.fetchall() if name.startswith(_PREFIX)}


def _statements(vendor: str) -> Mapping[str, tuple[str, ...]]:
    """By the names of the triggers, what makes each of them."""
    make = _on_sqlite if vendor == "sqlite" else _on_postgres
    return {
        f"{_PREFIX}_{name}": make(f"{_PREFIX}_{name}", *rest) for name, *rest in _triggers(vendor)
    }


def _on_sqlite(name: str, event: str, condition: str, act: str) -> tuple[str, ...]:
    when = f"WHEN {condition}\n" if condition else ""
    return (
        f"DROP TRIGGER IF EXISTS {name}",
        f"CREATE TRIGGER {name} AFTER {event}\n{when}BEGIN {act} END",
    )


def _on_postgres(name: str, event: str, condition: str, act: str) -> tuple[str, ...]:
    body = f"IF {condition} THEN {act} END IF;" if condition else act
    function = f"FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql"
    each = "STATEMENT" if event.endswith(_AT_ONCE) else "ROW"
    return (
        f"CREATE OR REPLACE {function} AS $$ BEGIN {body} RETURN NULL; END $$",
        f"CREATE OR REPLACE TRIGGER {name} AFTER {event} FOR EACH {each} EXECUTE FUNCTION {name}()",
    )


TABLE = "tomahto_words"
_ON_POSTGRES = f"""
CREATE TABLE IF NOT EXISTS {TABLE} (item_id bigint PRIMARY KEY, words tsvector NOT NULL);
CREATE INDEX IF NOT EXISTS {TABLE}_found ON {TABLE} USING gin (words);
"""
_ON_SQLITE = f"""
CREATE VIRTUAL TABLE IF NOT EXISTS {TABLE}
USING fts5(words, {{without_copy}}tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* Co'")
"""
# an index without the words themselves, where the library can forget what it has no copy of
_WITHOUT_COPY = "content='', contentless_delete=1, "
_CAN_FORGET = (3, 43)


def make_words(*, using: str = "default", **_signal: Any) -> None:
    database = connections[using]
    with database.cursor() as cursor:
        if database.vendor == "postgresql":
            cursor.execute(_ON_POSTGRES)
            return
        can_forget = sqlite3.sqlite_version_info >= _CAN_FORGET
        cursor.execute(_ON_SQLITE.format(without_copy=_WITHOUT_COPY if can_forget else ""))
