"""Services that are stopped by a test, or killed and started again as `restart: unless-stopped`
would."""

import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from subprocess import Popen
from threading import Event, Thread

LOOKS_EVERY = 0.1  # seconds; the shortest time that Docker waits
_STANDS = frozenset("TZX")  # stopped or dead, as proc(5) has them


@dataclass
class Service:
    """One service: how it is started, and what runs now."""

    name: str
    start: Callable[[], Popen[bytes]]
    process: Popen[bytes]
    is_wanted: bool = True

    def kill(self) -> None:
        """kill -9 for all its processes, as when its container ends."""
        # those of PostgreSQL are in groups of their own
        apart = [pid for pid in children(self.process.pid) if os.getpgid(pid) == pid]
        os.killpg(self.process.pid, signal.SIGKILL)
        for pid in apart:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def keep_alive(self, is_over: Event) -> None:
        while not is_over.wait(LOOKS_EVERY):
            if self.is_wanted and self.process.poll() is not None:
                self.process = self.start()


@contextmanager
def kept_alive(services: Sequence[Service]) -> Iterator[None]:
    """Every service that ends within the block is started again."""
    is_over = Event()
    threads = [Thread(target=each.keep_alive, args=[is_over], name=each.name) for each in services]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        is_over.set()
        for thread in threads:
            thread.join()


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@contextmanager
def standing_still(group: int) -> Iterator[None]:
    """No process of the group does anything within the block."""
    os.killpg(group, signal.SIGSTOP)
    try:
        while not _STANDS.issuperset(_states(group)):
            time.sleep(0.001)
        yield
    finally:
        os.killpg(group, signal.SIGCONT)


def _states(group: int) -> Iterator[str]:
    """The state of every thread of a group of processes."""
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(ProcessLookupError, FileNotFoundError):
            if os.getpgid(int(process.name)) == group:
                for thread in process.glob("task/*/stat"):
                    yield thread.read_text().rpartition(") ")[2][0]
