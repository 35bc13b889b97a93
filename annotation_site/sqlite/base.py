"""The engine: writers of a process take turns, a commit may leave its sync to the next one, and the
days of times are found quickly."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import OperationalError
from django.db.backends.sqlite3 import base

from annotation_site.sqlite.days import CAST_DATE, local_day
from annotation_site.sqlite.turns import Turns, turns_at

# what a commit of a write-ahead log waits for: nothing, or the disk
LAGGING, SYNCED = "NORMAL", "FULL"
_LOCKED = "database is locked"


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's own, but for where a transaction waits for its turn and what its commit promises."""

    _turn: Turns | None = None  # while this connection is in a transaction of its own
    _may_lag = False
    _lags = False  # as the connection was last told

    @contextmanager
    def commits_lag(self) -> Iterator[None]:
        """What transactions within commit reaches the disk with the next commit without this.

        A write-ahead log is synced from its beginning, so that no commit is on the disk without
        those before it; a crash of the process loses neither. With a rollback journal nothing
        changes: there every commit must be synced, or the file is damaged.
        """
        before, self._may_lag = self._may_lag, self._has_log
        try:
            yield
        finally:
            self._may_lag = before

    @property
    def _has_log(self) -> bool:
        return "journal_mode=WAL" in self.settings_dict["OPTIONS"].get("init_command", "")

    def get_new_connection(self, conn_params: Any) -> Any:
        """A file that can only be read stays so for the connection that opened it: another one is
        made for the next request, in case it can be written again by then."""
        made = super().get_new_connection(conn_params)
        made.create_function(CAST_DATE, 3, local_day, deterministic=True)
        if not os.access(conn_params["database"], os.W_OK):
            self.close_at = time.monotonic()
        return made

    def _start_transaction_under_autocommit(self) -> None:
        self.ensure_connection()
        turn = turns_at(str(self.settings_dict["NAME"]))
        if not turn.take(self.settings_dict["OPTIONS"].get("timeout", 5.0)):
            raise OperationalError(_LOCKED)
        self._turn = turn
        try:
            if self._lags != self._may_lag:
                mode = LAGGING if self._may_lag else SYNCED
                self.cursor().execute(f"PRAGMA synchronous = {mode}")
                self._lags = self._may_lag
            super()._start_transaction_under_autocommit()  # type: ignore[misc]  # the stubs leave it out
        except BaseException:
            self._end_turn()
            raise

    def _commit(self) -> None:
        super()._commit()  # type: ignore[misc]  # the stubs leave it out
        self._end_turn()  # after a commit that failed the turn goes with the rollback

    def _rollback(self) -> None:
        try:
            super()._rollback()  # type: ignore[misc]  # the stubs leave it out
        finally:
            self._end_turn()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]  # the stubs leave it out
        finally:
            self._lags = False  # the next connection begins as the options say
            self._end_turn()

    def _end_turn(self) -> None:
        turn, self._turn = self._turn, None
        if turn is not None:
            turn.give_back()
