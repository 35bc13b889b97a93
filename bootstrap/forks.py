"""Children that are forked from this process and share what it has loaded, instead of programs that
each load it anew. Each is at the head of a process group of its own, and ends with its parent.
"""

import atexit
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

from bootstrap import prctl
from bootstrap.processes import ending

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
POLL_SECONDS = 0.02


class Fork:
    """A child of this process."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.status: int | None = None  # as a program's, or minus the signal that ended it

    def has_ended(self) -> bool:
        if self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
        return self.status is not None

    @property
    def ending(self) -> str:
        """How it ended, in words."""
        return ending(self.status or 0)

    def ask_to_end(self) -> None:
        """Without effect on one that is known to have ended: its number may be another's by now."""
        if not self.has_ended():
            os.kill(self.pid, signal.SIGTERM)

    def await_end(self, deadline: float) -> None:
        """Wait until it has ended, at the latest killing its whole group then.

        Not for one that is known to have ended: its number may be another's by now.
        """
        while not self.has_ended() and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS)
        self.kill_group()
        while not self.has_ended():
            time.sleep(POLL_SECONDS)

    def kill_group(self) -> None:
        """kill -9 whatever is left of its group; call it at once when it has ended."""
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        if self.status is None:  # it may not have come to lead a group yet
            os.kill(self.pid, signal.SIGKILL)


def keep_last(log: Path) -> None:
    """Put a log aside as that of the last time; the one before it is gone then."""
    if log.exists():
        log.replace(log.with_suffix(".log.previous"))


def start(action: Callable[[], object], *, name: str, log: Path) -> Fork:
    """Call the action in a child, which writes to the end of `log` and ends with the action.

    The caller has no threads. No signal that stops us reaches the child before its handlers of
    signals are those of a program that has just been started.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    parent = os.getpid()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
    try:
        pid = os.fork()
        if pid == 0:
            _run(action, name, log, parent)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    return Fork(pid)


def _run(action: Callable[[], object], name: str, log: Path, parent: int) -> NoReturn:
    """Nothing of the parent's that is still going on is gone on with: this never returns."""
    status = 1
    try:
        _become_a_program(name, log, parent)
        action()
        status = 0
    except SystemExit as request:
        status = _status(request.code)
    except BaseException:  # whatever it is, it ends this process and no other
        traceback.print_exc()
    finally:
        _leave(status)


def _become_a_program(name: str, log: Path, parent: int) -> None:
    os.setsid()
    prctl.end_with(parent)
    prctl.call_this_process(f"tomahto-{name}")
    _redirect(log)
    signal.set_wakeup_fd(-1)
    for number in STOP_SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)


def _redirect(log: Path) -> None:
    nothing = os.open(os.devnull, os.O_RDONLY)
    output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
    for ours, stream in ((nothing, 0), (output, 1), (output, 2)):
        os.dup2(ours, stream)
    os.close(nothing)
    os.close(output)


def _status(code: object) -> int:
    """As Python itself makes it from what SystemExit carries."""
    if code is None or isinstance(code, int):
        return (code or 0) & 0xFF
    print(code, file=sys.stderr)
    return 1


def _leave(status: int) -> NoReturn:
    """As Python does: after the last thread, through what is registered for the end."""
    try:
        threading._shutdown()  # type: ignore[attr-defined]  # as multiprocessing does
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(status)
