"""The engine of the embedded database: whose turn it is, and what a commit waits for."""

import sqlite3
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, OperationalError, connections, transaction
from django.db import connection as site_connection

from annotation_site.sqlite.base import DatabaseWrapper
from annotation_site.sqlite.options import options

NEWEST = (9, 0, 0)  # of which a write-ahead log may be used
OLD = (3, 40, 1)  # of which it may not
MADE = "CREATE TABLE thing (name text NOT NULL)"
STORED = "INSERT INTO thing VALUES ('a')"


def opened(file: Path, version: tuple[int, ...] = NEWEST, **changes: Any) -> DatabaseWrapper:
    settings = {
        **site_connection.settings_dict,
        "NAME": file,
        "OPTIONS": {**options(version), **changes},
        "CONN_HEALTH_CHECKS": False,
    }
    return DatabaseWrapper(settings, alias="embedded")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "things.sqlite3"


@pytest.fixture
def database(
    file: Path, django_db_blocker: Any, monkeypatch: pytest.MonkeyPatch, request: Any
) -> Iterator[DatabaseWrapper]:
    """Known to `transaction.atomic` by its alias."""
    made = opened(file, getattr(request, "param", NEWEST), timeout=0.05)
    monkeypatch.setitem(connections.settings, "embedded", made.settings_dict)
    connections["embedded"] = made
    with django_db_blocker.unblock():
        with made.cursor() as cursor:
            cursor.execute(MADE)
        yield made
        made.close()
    del connections["embedded"]


def run(database: DatabaseWrapper, statement: str) -> Any:
    with database.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchone()


def test_everybody_in_the_process_has_the_same_library() -> None:
    named = "pysqlite3" if find_spec("pysqlite3") else "sqlite3"
    assert sys.modules["sqlite3"].__name__ == sqlite3.__name__ == named
    assert DatabaseWrapper.Database.__name__ == f"{named}.dbapi2"


def test_a_writer_waits_for_its_turn_and_gives_it_back(
    database: DatabaseWrapper, file: Path
) -> None:
    refused: list[str] = []

    def write_meanwhile() -> None:
        other = opened(file, timeout=0.05)
        other.inc_thread_sharing()
        try:
            other.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
        except OperationalError as error:
            refused.append(str(error))
        finally:
            other.close()

    for is_undone in (False, True):
        with suppress(DatabaseError), transaction.atomic("embedded"):
            run(database, STORED)
            thread = threading.Thread(target=write_meanwhile)
            thread.start()
            thread.join()
            if is_undone:
                raise DatabaseError
    assert refused == ["database is locked"] * 2
    with transaction.atomic("embedded"):  # the turn was given back by commit and rollback
        assert run(database, "SELECT count(*) FROM thing") == (1,)


def test_the_turn_goes_with_a_connection_that_is_closed(database: DatabaseWrapper) -> None:
    database.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
    database.close()
    with transaction.atomic("embedded"):
        run(database, STORED)
    assert run(database, "SELECT count(*) FROM thing") == (1,)


def test_commits_wait_for_the_disk_but_where_they_may_lag(database: DatabaseWrapper) -> None:
    modes = []
    for may_lag in (False, True, False):
        if may_lag:
            with database.commits_lag(), transaction.atomic("embedded"):
                modes.append(run(database, "PRAGMA synchronous"))
        else:
            with transaction.atomic("embedded"):
                modes.append(run(database, "PRAGMA synchronous"))
    assert modes == [(2,), (1,), (2,)]  # FULL, NORMAL, FULL


def test_a_new_connection_begins_with_commits_that_wait(database: DatabaseWrapper) -> None:
    with database.commits_lag(), transaction.atomic("embedded"):
        run(database, STORED)
    database.close()
    with transaction.atomic("embedded"):
        assert run(database, "PRAGMA synchronous") == (2,)


@pytest.mark.parametrize("database", [OLD], indirect=True)
def test_a_rollback_journal_is_synced_by_every_commit(database: DatabaseWrapper) -> None:
    assert run(database, "PRAGMA journal_mode") == ("truncate",)
    with database.commits_lag(), transaction.atomic("embedded"):
        assert run(database, "PRAGMA synchronous") == (2,)
