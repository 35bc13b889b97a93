"""The engine for SQLite: the journal that is safe, writers that take turns, reading transactions
that keep no writer waiting."""

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError, connections, transaction
from pytest_django import DjangoDbBlocker

from annotation_site.sqlite import base, options, safe_journals
from annotation_site.sqlite.base import DatabaseWrapper, WriterQueue

SOON = 10  # seconds
ALIAS = "own"


@pytest.mark.parametrize(
    ("version", "mode"),
    [
        ((3, 40, 1), "TRUNCATE"),
        ((3, 44, 5), "TRUNCATE"),
        ((3, 44, 6), "WAL"),
        ((3, 50, 6), "TRUNCATE"),
        ((3, 50, 7), "WAL"),
        ((3, 51, 2), "TRUNCATE"),
        ((3, 51, 3), "WAL"),
    ],
)
def test_journal_mode_avoids_the_wal_reset_bug(version: tuple[int, ...], mode: str) -> None:
    assert safe_journals(version)[0] == mode
    assert "TRUNCATE" in safe_journals(version)


class Database:
    """A file with one table, and a connection for each thread that asks."""

    def __init__(self, file: Path, journal: str) -> None:
        own = {"ENGINE": "annotation_site.sqlite", "NAME": file, "OPTIONS": options(journal)}
        connections.databases[ALIAS] = {**connections.databases["default"], **own}
        self.run("CREATE TABLE numbers (number INTEGER)")

    @property
    def engine(self) -> DatabaseWrapper:
        engine = connections[ALIAS]
        assert isinstance(engine, DatabaseWrapper)
        return engine

    def run(self, statement: str) -> list[Any]:
        with connections[ALIAS].cursor() as cursor:
            rows: list[Any] = cursor.execute(statement).fetchall()
        return rows

    def add(self, number: int) -> None:
        with transaction.atomic(ALIAS):
            self.run(f"INSERT INTO numbers VALUES ({number})")

    def numbers(self) -> list[int]:
        return [number for (number,) in self.run("SELECT number FROM numbers ORDER BY rowid")]


@pytest.fixture(params=["WAL", "TRUNCATE"])
def database(
    request: pytest.FixtureRequest, tmp_path: Path, django_db_blocker: DjangoDbBlocker
) -> Iterator[Database]:
    with django_db_blocker.unblock():
        yield from _opened(tmp_path, request.param)


@pytest.fixture
def log(tmp_path: Path, django_db_blocker: DjangoDbBlocker) -> Iterator[Database]:
    with django_db_blocker.unblock():
        yield from _opened(tmp_path, "WAL")


def _opened(folder: Path, journal: str) -> Iterator[Database]:
    try:
        yield Database(folder / "own.sqlite3", journal)
    finally:
        connections[ALIAS].close()
        del connections[ALIAS]
        del connections.databases[ALIAS]


def elsewhere(action: Callable[[], Any]) -> Any:
    """Do it in a thread of its own, which closes its connection."""

    def done() -> Any:
        try:
            return action()
        finally:
            connections[ALIAS].close()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(done).result(SOON)


def await_waiting(queue: WriterQueue, number: int) -> None:
    deadline = threading.Event()
    for _ in range(1000):
        if len(queue._waiting) == number:
            return
        deadline.wait(SOON / 1000)
    raise AssertionError(f"{len(queue._waiting)} wait, not {number}")


def test_writers_take_turns_in_the_order_in_which_they_came() -> None:
    queue, order = WriterQueue(), []

    def write(number: int) -> None:
        assert queue.enter(SOON)
        order.append(number)
        queue.leave()

    assert queue.enter(SOON)
    with ThreadPoolExecutor(5) as pool:
        writers: list[Future[None]] = []
        for number in range(5):
            writers.append(pool.submit(write, number))
            await_waiting(queue, number + 1)
        queue.leave()
        for writer in writers:
            writer.result(SOON)
    assert order == [0, 1, 2, 3, 4]
    assert queue.enter(0)


def test_who_has_waited_long_enough_takes_no_turn() -> None:
    queue = WriterQueue()
    assert queue.enter(0)
    assert not queue.enter(0.01)
    queue.leave()
    assert queue.enter(0)


def test_who_is_interrupted_while_waiting_leaves_the_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    queue = WriterQueue()

    def interrupted(_turn: threading.Event, _seconds: float) -> None:
        raise KeyboardInterrupt

    assert queue.enter(0)
    monkeypatch.setattr(threading.Event, "wait", interrupted)
    with pytest.raises(KeyboardInterrupt):
        queue.enter(SOON)
    queue.leave()
    assert queue.enter(0)


@pytest.mark.parametrize("ending", ["commit", "rollback", "close"])
def test_a_turn_ends_with_its_transaction(database: Database, ending: str) -> None:
    def write() -> None:
        connection = connections[ALIAS]
        connection.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
        database.run("INSERT INTO numbers VALUES (1)")
        getattr(connection, ending)()

    thread = threading.Thread(target=write)
    thread.start()
    thread.join(SOON)
    elsewhere(lambda: database.add(2))
    assert database.numbers() == ([1, 2] if ending == "commit" else [2])


def test_a_writer_is_refused_after_the_time_that_sqlite_would_wait(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(base, "WAIT_SECONDS", 0.01)
    with transaction.atomic(ALIAS), pytest.raises(OperationalError, match="database is locked"):
        elsewhere(lambda: database.add(1))
    database.add(2)
    assert database.numbers() == [2]


def test_raters_write_while_somebody_reads_one_moment(log: Database) -> None:
    log.add(1)
    with log.engine.only_reading(), transaction.atomic(ALIAS):
        before = log.numbers()
        elsewhere(lambda: log.add(2))
        assert log.numbers() == before == [1]
    assert log.numbers() == [1, 2]


def test_what_only_reads_cannot_write(database: Database) -> None:
    with database.engine.only_reading(), pytest.raises(OperationalError, match="readonly"):
        database.add(1)
    database.add(2)
    assert database.numbers() == [2]


def test_only_a_log_leaves_a_sync_to_the_next_transaction(database: Database) -> None:
    is_log = database.run("PRAGMA journal_mode") == [("wal",)]
    full, normal = (2,), (1,)
    with database.engine.synced_later():
        database.add(1)
        assert database.run("PRAGMA synchronous") == [normal if is_log else full]
    # also for a statement that is a transaction of its own
    assert database.run("PRAGMA synchronous") == [full]


def test_a_transaction_that_has_begun_is_synced(log: Database) -> None:
    with transaction.atomic(ALIAS), log.engine.synced_later():
        log.add(1)
        assert log.run("PRAGMA synchronous") == [(2,)]
    assert log.run("PRAGMA synchronous") == [(2,)]


def test_a_child_process_does_not_wait_for_a_turn_of_its_parent() -> None:
    queue = base._QUEUES[ALIAS]
    assert queue.enter(0)
    child = os.fork()
    if not child:
        os._exit(0 if base._QUEUES[ALIAS].enter(0) else 1)
    queue.leave()
    assert os.waitpid(child, 0)[1] == 0
