"""The engine: writers of one process take turns in the order in which they came, and a transaction
may leave its sync to the next one."""

import os
import sqlite3
import threading
from collections import defaultdict, deque
from collections.abc import Iterator
from contextlib import contextmanager

from django.db.backends.sqlite3 import base

from annotation_site.sqlite import WAIT_SECONDS


class WriterQueue:
    """Turns to write to one database, first come, first served.

    SQLite itself lets writers try again after pauses that grow, so that one that has just written
    is the next as well, and another waits for seconds.
    """

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._waiting: deque[threading.Event] = deque()
        self._is_taken = False

    def enter(self, seconds: float) -> bool:
        """Wait for a turn, at most so long; whether it came."""
        with self._guard:
            if not self._is_taken:
                self._is_taken = True
                return True
            turn = threading.Event()
            self._waiting.append(turn)
        try:
            turn.wait(seconds)
        except BaseException:  # a signal came, whose handler raises
            if not self._withdraw(turn):
                self.leave()
            raise
        return not self._withdraw(turn)

    def _withdraw(self, turn: threading.Event) -> bool:
        """Wait no longer; False if the turn has come."""
        with self._guard:
            is_waiting = turn in self._waiting
            if is_waiting:
                self._waiting.remove(turn)
            return is_waiting

    def leave(self) -> None:
        """Give the turn to whoever has waited longest."""
        with self._guard:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._is_taken = False


_QUEUES: defaultdict[str, WriterQueue] = defaultdict(WriterQueue)
# the threads that wait, or have their turn, are not in the child
os.register_at_fork(after_in_child=_QUEUES.clear)


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's own, but that a transaction waits for its turn in this process before it begins.

    Other processes are waited for as SQLite does it. A turn ends with the transaction.
    """

    _turn: WriterQueue | None = None
    _next_only_reads = False

    @contextmanager
    def synced_later(self) -> Iterator[None]:
        """Transactions begun in this block are on the disk with the next one begun outside of it.

        A crash of the machine before that undoes them whole; the end of a process does not. Only a
        write-ahead log keeps them in order; with another journal they are synced at once. So is a
        transaction that has begun before.
        """
        is_log = "journal_mode=WAL" in self.settings_dict["OPTIONS"]["init_command"]
        if self.in_atomic_block or not is_log:
            yield
            return
        self._set("synchronous", "NORMAL")
        try:
            yield
        finally:  # at once: a statement outside of any transaction is one of its own
            self._set("synchronous", "FULL")

    @contextmanager
    def only_reading(self) -> Iterator[None]:
        """Transactions begun in this block see one moment and cannot write; with a write-ahead log
        no writer waits for them."""
        self._set("query_only", "ON")
        self._next_only_reads = True
        try:
            yield
        finally:
            self._next_only_reads = False
            self._set("query_only", "OFF")

    def _start_transaction_under_autocommit(self) -> None:
        if self._next_only_reads:
            with self.cursor() as cursor:
                cursor.execute("BEGIN")
            return
        queue = _QUEUES[str(self.settings_dict["NAME"])]
        if not queue.enter(WAIT_SECONDS):
            with self.wrap_database_errors:
                raise sqlite3.OperationalError("database is locked")
        self._turn = queue
        try:
            # Django's stubs leave it out
            super()._start_transaction_under_autocommit()  # type: ignore[misc]  # as above
        except BaseException:  # whatever it was, there is no transaction
            self._end_turn()
            raise

    def _set(self, pragma: str, value: str) -> None:
        with self.cursor() as cursor:
            cursor.execute(f"PRAGMA {pragma} = {value}")

    def commit(self) -> None:
        super().commit()
        self._end_turn()

    def rollback(self) -> None:
        try:
            super().rollback()
        finally:
            self._end_turn()

    def close(self) -> None:
        try:
            super().close()
        finally:
            self._end_turn()

    def _end_turn(self) -> None:
        if self._turn is not None:
            turn, self._turn = self._turn, None
            turn.leave()
