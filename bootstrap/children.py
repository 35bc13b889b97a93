"""The processes of `./run`, forked off the one that has loaded the site."""

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import wait
from multiprocessing.context import ForkProcess
from pathlib import Path
from typing import Final

from bootstrap import BootstrapError, system
from bootstrap.system import note

STOP_SECONDS = 15  # a Celery worker without work takes up to 3
SHORTEST_PAUSE, LONGEST_PAUSE = 1.0, 60.0  # seconds before a process is started again
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
FORKING: Final = multiprocessing.get_context("fork")

Work = Callable[[], object]
"""Done by a process of its own, until it returns or raises."""


@dataclass(frozen=True)
class Child:
    """A process of ours and its name in messages."""

    name: str
    process: ForkProcess
    log: Path

    def check(self) -> None:
        """BootstrapError if the process has ended without being asked to."""
        status = self.process.exitcode
        if status is not None:
            system.kill_group(self.process)
            how = system.ending(status)
            end = system.log_tail(self.log)
            raise BootstrapError(f"{self.name} ended on its own ({how}); {self.log} says:\n{end}")


class RestartedChild:
    """A process that is started again when it ends: after pauses that grow, or without a word after
    the shortest if its status is 0, by which it asks for a successor."""

    def __init__(self, start: Callable[[], Child]) -> None:
        self._start = start
        self._pause = SHORTEST_PAUSE
        self._due: float | None = None  # when to start it again
        self._begin()

    @property
    def process(self) -> ForkProcess:
        return self._child.process

    def check(self) -> None:
        """Notice the end of the process, and start it again when it is time."""
        now = time.monotonic()
        if self._due is None and (status := self.process.exitcode) is not None:
            system.kill_group(self.process)
            if now - self._began > LONGEST_PAUSE:
                self._pause = SHORTEST_PAUSE
            if status == 0:
                self._due = now + SHORTEST_PAUSE
                return
            how = system.ending(status)
            note(f"{self._child.name} ended ({how}); starting it again in {self._pause:.0f} s")
            self._due = now + self._pause
            self._pause = min(2 * self._pause, LONGEST_PAUSE)
        elif self._due is not None and now >= self._due:
            self._begin()

    def _begin(self) -> None:
        self._child = self._start()
        self._began = time.monotonic()
        self._due = None


AnyChild = Child | RestartedChild


def launch(name: str, work: Work, log: Path) -> Child:
    """Do the work in a process forked off this one, which writes to the end of the log."""
    process = FORKING.Process(target=_run_apart, args=(work, log))
    # one that comes before the new process is ready for it waits
    signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
    try:
        process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)
    return Child(name, process, log)


def _run_apart(work: Work, log: Path) -> None:
    """In a group of its own, so that no Ctrl-C of ours reaches it; it ends when its parent does."""
    for number in STOP_SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    os.setsid()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)
    output = os.open(log, os.O_WRONLY | os.O_APPEND)
    for descriptor, meant in ((os.open(os.devnull, os.O_RDONLY), 0), (output, 1), (output, 2)):
        os.dup2(descriptor, meant)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    work()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None  # noqa: S101 - it is a process forked off another one
    wait([parent.sentinel])
    os.killpg(0, signal.SIGKILL)


def stop_all(children: Sequence[AnyChild]) -> None:
    """Ask all children to end at once, then wait for them together, a bounded time."""
    # the number of one that is known to have ended may be somebody else's by now
    running = [child.process for child in children if child.process.exitcode is None]
    for process in running:
        process.terminate()
    deadline = time.monotonic() + STOP_SECONDS
    for process in running:
        try:
            process.join(max(0.0, deadline - time.monotonic()))
        finally:
            system.kill_group(process)
        process.join()
