"""The writers of one process take turns, first come, first served.

SQLite lets one connection write at a time. Who finds the database locked sleeps and tries again,
longer and longer, while others who came later get in; waiting here costs no sleep, and nobody is
overtaken. Writers of other processes still meet in SQLite.
"""

import os
from collections import deque
from threading import Event, Lock


class Turns:
    """Who may write; everybody else waits in a line."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._waiting: deque[Event] = deque()
        self._is_taken = False

    def take(self, seconds: float) -> bool:
        """Wait for the turn; False if it has not come in that time."""
        with self._lock:
            if not self._is_taken:
                self._is_taken = True
                return True
            mine = Event()
            self._waiting.append(mine)
        if mine.wait(seconds):
            return True
        with self._lock:
            if mine.is_set():  # it came in the moment in which the time was up
                return True
            self._waiting.remove(mine)
            return False

    def give_back(self) -> None:
        """To the one who has waited longest."""
        with self._lock:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._is_taken = False


_turns: dict[str, Turns] = {}


def turns_at(database: str) -> Turns:
    """Those of the database of that name, the same for every thread."""
    return _turns.setdefault(database, Turns())


# whoever held a turn or waited for one is not there any more in a process that was forked
os.register_at_fork(after_in_child=_turns.clear)
