"""Children that run side by side: started again when they end, stopped together."""

import signal
import time
from collections.abc import Callable, Sequence

from bootstrap.console import note
from bootstrap.forks import STOP_SIGNALS, Fork

STOP_SECONDS = 15  # a Celery worker without work takes up to 7
POLL_SECONDS = 0.1
SHORTEST_PAUSE, LONGEST_PAUSE = 1.0, 60.0  # seconds before a child is started again


class Stopped(Exception):
    """A signal asked the command to stop."""


class StopRequest:
    """Remembers that a signal came, instead of interrupting whatever is going on.

    So no child can be started without being noted down for its end.
    """

    def __init__(self) -> None:
        self._came = False
        for number in STOP_SIGNALS:
            if number is not signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._note)

    def _note(self, *_: object) -> None:
        self._came = True

    def check(self) -> None:
        """Raise Stopped once a signal has come."""
        if self._came:
            raise Stopped


class Pauses:
    """How long to wait before something that has ended is started again: longer each time.

    One that ran for the longest pause counts as well again.
    """

    def __init__(self) -> None:
        self._next = SHORTEST_PAUSE

    def after(self, lived: float) -> float:
        """The pause in seconds, after a life of so many."""
        pause = SHORTEST_PAUSE if lived > LONGEST_PAUSE else self._next
        self._next = min(2 * pause, LONGEST_PAUSE)
        return pause


class Child:
    """A child that is started again whenever it has ended, after pauses that grow."""

    def __init__(self, name: str, first: Fork, start: Callable[[], Fork]) -> None:
        self.name, self.fork = name, first
        self._start = start
        self._pauses = Pauses()
        self._began = time.monotonic()
        self._due: float | None = None  # when to start it again

    def check(self) -> None:
        """Notice that it has ended, and start it again when it is time."""
        now = time.monotonic()
        if self._due is None and self.fork.has_ended():
            self.fork.kill_group()
            pause = self._pauses.after(now - self._began)
            self._due = now + pause
            note(f"{self.name} ended ({self.fork.ending}); starting it again in {pause:.0f} s")
        elif self._due is not None and now >= self._due:
            self._start_again(now)

    def _start_again(self, now: float) -> None:
        try:
            self.fork, self._began, self._due = self._start(), now, None
        except OSError as error:  # too many processes, or no memory
            pause = self._pauses.after(0)
            self._due = now + pause
            note(f"{self.name} cannot be started ({error.strerror}); again in {pause:.0f} s")


def await_done(
    is_done: Callable[[], bool],
    children: Sequence[Child],
    request: StopRequest,
    *,
    poll: float = POLL_SECONDS,
) -> None:
    """Wait, while all children are kept running. Raises Stopped when a signal has come."""
    while not is_done():
        request.check()
        for child in children:
            child.check()
        time.sleep(poll)


def stop_all(forks: Sequence[Fork]) -> None:
    """Ask all to end at once, then wait for them together, a bounded time."""
    # the number of one that is known to have ended may be somebody else's by now
    running = [fork for fork in forks if fork.status is None]
    if running:
        note("Stopping …")
    for fork in running:
        fork.ask_to_end()
    deadline = time.monotonic() + STOP_SECONDS
    for fork in running:
        fork.await_end(deadline)
