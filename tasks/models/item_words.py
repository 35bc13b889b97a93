"""The table that the text search reads: the words of every item, in each database's own way.

It is no model, because the databases have no column in common for it: on PostgreSQL a `tsvector`,
on SQLite a table of FTS5, whose row numbers are the items' ids. Made after every migration where it
is missing. `tasks.explorer.workflow.refreshing` fills it, a trigger of `summary_triggers` takes
away what belongs to an item that goes.
"""

import sqlite3
from typing import Any

from django.db import connections

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
    """Create the table if it is missing."""
    database = connections[using]
    with database.cursor() as cursor:
        if database.vendor == "postgresql":
            cursor.execute(_ON_POSTGRES)
            return
        can_forget = sqlite3.sqlite_version_info >= _CAN_FORGET
        cursor.execute(_ON_SQLITE.format(without_copy=_WITHOUT_COPY if can_forget else ""))
