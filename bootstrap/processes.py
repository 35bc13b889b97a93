"""Starting programs in process groups of their own, waiting for them, and ending exactly those."""

import errno
import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from bootstrap import BootstrapError
from bootstrap.places import Account

POLL_SECONDS = 0.02
LINES_SHOWN = 20

Process = subprocess.Popen[bytes]


def start(
    command: Sequence[str],
    *,
    log: Path,
    folder: Path,
    environment: Mapping[str, str] | None = None,
    account: Account | None = None,
) -> Process:
    """Start a program that writes to the end of `log` and that no Ctrl-C of ours reaches.

    With an `account` (only root may) it runs without any other right than that account's.
    """
    with log.open("ab") as output:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd=folder,
            env=environment,
            start_new_session=True,
            user=account.user if account else None,
            group=account.group if account else None,
            extra_groups=[] if account else None,
        )


def stop(process: Process, *, patience: float, request: signal.Signals = signal.SIGTERM) -> int:
    """Ask the process to end, kill its whole group after `patience` seconds; its exit status.

    A process known to have ended is left alone: its number may be somebody else's by now.
    """
    if process.returncode is not None:
        return process.returncode
    process.send_signal(request)
    return await_end(process, time.monotonic() + patience)


def await_end(process: Process, deadline: float) -> int:
    """Wait until a process that was asked to end has, at the latest killing its group then."""
    try:
        with suppress(subprocess.TimeoutExpired):
            process.wait(max(0.0, deadline - time.monotonic()))
    finally:
        kill_group(process)
    return process.wait()


def kill_group(process: Process) -> None:
    """kill -9 whatever is left of the process's group; call it at once when the process ended."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def await_ready(
    process: Process, is_ready: Callable[[], bool], *, name: str, log: Path, seconds: float
) -> None:
    """Return once `is_ready`; BootstrapError with the end of the log if that cannot happen."""
    deadline = time.monotonic() + seconds
    while not is_ready():
        if process.poll() is not None:
            how = ending(process.returncode)
            raise BootstrapError(f"{name} ended at once ({how}):\n{log_tail(log)}")
        if time.monotonic() > deadline:
            raise BootstrapError(f"{name} was not ready after {seconds:.0f} s:\n{log_tail(log)}")
        time.sleep(POLL_SECONDS)


def ending(status: int) -> str:
    """How a process ended, in words: its exit status, or minus the signal that ended it."""
    return f"exit status {status}" if status >= 0 else f"signal {signal.Signals(-status).name}"


def log_tail(log: Path) -> str:
    """The last lines of a log file."""
    return "\n".join(log.read_text(errors="replace").splitlines()[-LINES_SHOWN:])


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def is_port_free(host: str, port: int) -> bool:
    """Whether a server could listen on that address now; OSError if the host is not ours."""
    family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    with socket.socket(family, kind, protocol) as listener:
        # As gunicorn does: connections of a server that just ended are no obstacle.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(address)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                return False
            raise
    return True
