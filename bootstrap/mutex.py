"""One process at a time, by a lock on a file: the system frees it when its holder ends."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bootstrap import BootstrapError
from bootstrap.console import note

HEIRS_SECONDS = 30.0
POLL_SECONDS = 0.05


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


def take_for_family(path: Path, *, refusal: str) -> int:
    """Hold the lock in this process, in what it becomes, and in all that it forks; its descriptor.

    The file says which process took it. While that one lives, raises BootstrapError(refusal) at
    once; once it is gone, what it forked is given some time to end.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        _await_heirs(lock, refusal)
    except BaseException:
        os.close(lock)
        raise
    os.ftruncate(lock, 0)
    os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
    os.set_inheritable(lock, True)
    return lock


def _await_heirs(lock: int, refusal: str) -> None:
    deadline = time.monotonic() + HEIRS_SECONDS
    has_said = False
    while not _take(lock):
        if _is_living(_holder(lock)):
            raise BootstrapError(refusal)
        if time.monotonic() > deadline:
            raise BootstrapError(f"what a killed ./run left has not ended in {HEIRS_SECONDS:.0f} s")
        if not has_said:
            note("Waiting for what a killed ./run left to end …")
            has_said = True
        time.sleep(POLL_SECONDS)


def _take(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _holder(lock: int) -> int | None:
    """The number of the process that took the lock, unless it does not say."""
    number = os.pread(lock, 20, 0).strip()
    return int(number) if number.isdigit() else None


def _is_living(pid: int | None) -> bool:
    """Whether there is a process of that number, other than this one, that has not ended."""
    if pid is None:
        return True  # nobody knows better
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return pid != os.getpid() and not _is_zombie(pid)


def _is_zombie(pid: int) -> bool:
    """Whether it has ended and its parent has not looked yet; no where that cannot be known."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state in "ZX"
