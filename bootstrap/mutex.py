"""One process at a time, by a lock on a file: the system frees it when its holder ends."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bootstrap import BootstrapError
from bootstrap.console import note


@contextmanager
def waiting_turn(path: Path, *, waiting: str) -> Iterator[None]:
    """Hold the lock; when somebody else has it, say `waiting` and wait.

    Python opens files close-on-exec, so a server started meanwhile does not inherit the lock.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            note(waiting)
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextmanager
def only_holder(path: Path, *, refusal: str) -> Iterator[None]:
    """Hold the lock; when somebody else has it, raise BootstrapError(refusal) at once."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BootstrapError(refusal) from None
        yield
