"""Acts that the database refuses to a foreign connection to SQLite as well: it has no pragmas of
the site, looks at no foreign keys, and REPLACE deletes what is in its way without a call of a
trigger."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tasks.models.guards import APPEND_ONLY, FITTING, LISTED
from tests.migrated import migrated_file

# what is not about REPLACE, and would refuse the rows made up here
OTHERS = (*FITTING.values(), LISTED)
MADE_UP = {"text": "x", "varchar": "x", "datetime": "2026-01-02 03:04:05", "real": 1.5}
NUMBER = 900_007  # no row of a new database has it
Row = dict[str, Any]


class Key(NamedTuple):
    """The values that no two rows of a table share: the row number, or the columns of a unique
    index."""

    table: str
    columns: tuple[str, ...]


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """A connection as the sqlite3 module makes it, to a migrated database."""
    copy = tmp_path / "copy.sqlite3"
    shutil.copy(migrated_file(), copy)
    with closing(sqlite3.connect(copy)) as database:
        database.execute("PRAGMA ignore_check_constraints = ON")  # for rows that are made up
        yield database


@pytest.fixture
def stranger(guarded: sqlite3.Connection) -> sqlite3.Connection:
    """One for which tables are append-only, and nothing else is asked of a row."""
    for trigger in OTHERS:
        guarded.execute(f"DROP TRIGGER {trigger}")
    return guarded


def keys_of(database: sqlite3.Connection, table: str) -> list[Key]:
    indexes = database.execute('SELECT name FROM pragma_index_list(?) WHERE "unique"', [table])
    of_index = "SELECT name FROM pragma_index_info(?)"
    return [
        Key(table, ("rowid",)),
        *(
            Key(table, tuple(column for (column,) in database.execute(of_index, index)))
            for index in indexes.fetchall()
        ),
    ]


def row_of(database: sqlite3.Connection, key: Key) -> Row:
    """A row with something in every column that must be filled, or that the key is made of."""
    row: Row = {"rowid": NUMBER}
    columns = database.execute(
        'SELECT name, type, "notnull", pk FROM pragma_table_info(?)', [key.table]
    )
    for name, kind, is_needed, is_key in columns.fetchall():
        if kind == "INTEGER" and is_key:
            continue  # another name of the row number
        if is_needed or name in key.columns:
            row[name] = MADE_UP.get(kind.partition("(")[0].lower(), NUMBER)
    return row


def another_of(row: Row, key: Key) -> Row:
    """A row that shares the key and nothing else."""
    return {
        name: value
        if name in key.columns
        else f"{value} other"
        if isinstance(value, str)
        else value + 1_000
        for name, value in row.items()
    }


def store(database: sqlite3.Connection, how: str, table: str, row: Row) -> None:
    columns = ", ".join(f'"{name}"' for name in row)
    values = ", ".join("?" * len(row))
    statement = f"{how} INTO {table} ({columns}) VALUES ({values})"
    database.execute(statement, list(row.values()))


def is_replaced(database: sqlite3.Connection, key: Key) -> bool:
    """Whether a row that shares only this key takes the place of the one that is there."""
    row = row_of(database, key)
    store(database, "INSERT", key.table, row)
    before = database.execute(f"SELECT * FROM {key.table}").fetchall()
    try:
        store(database, "INSERT OR REPLACE", key.table, another_of(row, key))
        refusal = ""
    except sqlite3.IntegrityError as error:
        refusal = str(error)
    after = database.execute(f"SELECT * FROM {key.table}").fetchall()
    database.rollback()
    assert refusal in ("", f"{key.table} is append-only, and has such a row")
    assert (refusal == "") == (after != before)
    return refusal == ""


@pytest.mark.parametrize("table", APPEND_ONLY)
def test_no_row_is_replaced_over_any_key(stranger: sqlite3.Connection, table: str) -> None:
    keys = keys_of(stranger, table)
    assert {key: is_replaced(stranger, key) for key in keys} == dict.fromkeys(keys, False)


@pytest.mark.parametrize("table", APPEND_ONLY)
def test_every_row_is_replaced_without_the_guard(stranger: sqlite3.Connection, table: str) -> None:
    stranger.execute(f"DROP TRIGGER {table}_no_REPLACE")
    keys = keys_of(stranger, table)
    assert {key: is_replaced(stranger, key) for key in keys} == dict.fromkeys(keys, True)


@pytest.mark.parametrize("table", APPEND_ONLY)
def test_no_row_is_changed_or_removed(stranger: sqlite3.Connection, table: str) -> None:
    row = row_of(stranger, Key(table, ()))
    store(stranger, "INSERT", table, row)
    first = list(row)[1]
    for statement in (
        f"UPDATE OR REPLACE {table} SET rowid = rowid + 1",
        f"DELETE FROM {table}",
        f"INSERT INTO {table} SELECT * FROM {table} WHERE 1 ON CONFLICT DO UPDATE SET {first} = 1",
    ):
        with pytest.raises(sqlite3.IntegrityError, match=f"^{table} is append-only"):
            stranger.execute(statement)


def test_a_revision_beside_the_first_rating_is_no_conflict(stranger: sqlite3.Connection) -> None:
    """Item and rater are unique among first ratings alone."""
    first = row_of(stranger, Key("tasks_rating", ()))
    store(stranger, "INSERT", "tasks_rating", first)
    revision = {"rowid": NUMBER + 1, "supersedes_id": NUMBER, "idempotency_key": "other"}
    store(stranger, "INSERT", "tasks_rating", first | revision)
    stored = stranger.execute("SELECT id, supersedes_id FROM tasks_rating ORDER BY id").fetchall()
    assert stored == [(NUMBER, None), (NUMBER + 1, NUMBER)]


@pytest.mark.parametrize(
    ("outcome", "is_stored"),
    [("ae:q1=no,q2=yes", True), ("ae:q1=yes,q2=yes", False), ("rules:label=correct", False)],
)
def test_a_rating_needs_an_outcome_of_its_protocol_that_is_there(
    guarded: sqlite3.Connection, outcome: str, is_stored: bool
) -> None:
    rows: dict[str, Row] = {
        "tasks_campaign": {"protocol": "ae"},
        "tasks_item": {"campaign_id": NUMBER},
        "tasks_rating": {"item_id": NUMBER, "outcome_id": outcome},
    }
    try:
        for table, values in rows.items():
            store(guarded, "INSERT", table, row_of(guarded, Key(table, ())) | values)
        refusal = ""
    except sqlite3.IntegrityError as error:
        refusal = str(error)
    assert refusal == ("" if is_stored else "outcome is not of the campaign's protocol")
