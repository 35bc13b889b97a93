"""Folders that may be filled and that other accounts reach, locks on files, and processes in groups
of their own. Notes for people go to stderr: stdout belongs to the command that was asked for."""

import errno
import fcntl
import os
import pwd
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.context import ForkProcess
from pathlib import Path
from typing import NamedTuple

from bootstrap import BootstrapError


def note(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def guarded(name: str, action: Callable[[], int]) -> int:
    """Do it; a BootstrapError becomes one message and status 1."""
    try:
        return action()
    except BootstrapError as error:
        note(f"{name}: {error}")
        return 1
    except KeyboardInterrupt:
        note(f"{name}: interrupted")
        return INTERRUPTED


INTERRUPTED = 128 + signal.SIGINT
ROOT = Path(__file__).resolve().parent.parent
PRIVATE = ROOT / ".tomahto"  # ignored by git; may be deleted at any time
REQUIREMENTS = ROOT / "requirements"

LASTING = Path("/var/tmp")  # noqa: S108 (only folders that are ours are used there)
NOBODY = 65534


class Account(NamedTuple):
    """User and group id of an account without rights."""

    user: int
    group: int


def unprivileged_account() -> Account | None:
    """The account for servers that refuse to run as root; None when we are not root ourselves."""
    if os.geteuid() != 0:
        return None
    try:
        entry = pwd.getpwnam("nobody")
    except KeyError:
        return Account(NOBODY, NOBODY)
    return Account(entry.pw_uid, entry.pw_gid)


def is_within_reach(path: Path) -> bool:
    """Whether the account that servers run as may enter every folder on the way to `path`."""
    if unprivileged_account() is None:
        return True
    resolved = path.resolve()
    folders = [resolved, *resolved.parents] if resolved.is_dir() else resolved.parents
    return all(folder.stat().st_mode & stat.S_IXOTH for folder in folders)


def program_folder(name: str) -> Path:
    """A lasting folder for programs that servers' account must be able to start.

    Inside the checkout where that works; otherwise, as for root with a checkout below /root,
    in a folder of ours among the temporary files.
    """
    ours = f"tomahto-{os.geteuid()}"
    for parent in (PRIVATE, LASTING / ours, Path(tempfile.gettempdir()) / ours):
        if _is_ours(parent) and is_within_reach(parent):
            folder = parent / name
            _make_public(folder)
            return folder
    raise BootstrapError(f"no folder for {name} is accessible to other accounts")


def server_folder(prefix: str) -> Path:
    """A new folder for one server's data, to be removed by the caller."""
    for parent in (Path(tempfile.gettempdir()), LASTING):
        if parent.is_dir() and is_within_reach(parent):
            return Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
    raise BootstrapError("no temporary folder is accessible to other accounts")


def _is_ours(folder: Path) -> bool:
    """Make the folder if it is missing; refuse one that somebody else laid out for us."""
    try:
        _make_public(folder)
    except OSError:
        return False
    found = folder.lstat()
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid()


def _make_public(folder: Path) -> None:
    """Make a folder that everybody may read, whatever the umask; leave an existing one alone."""
    try:
        folder.mkdir()
    except FileExistsError:
        return
    folder.chmod(0o755)


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


def kill_group(process: Process | ForkProcess) -> None:
    """kill -9 whatever is left of the process's group; call it at once when the process ended."""
    if process.pid is not None:  # a fork that was never started has none
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
    return f"exit status {status}" if status >= 0 else f"signal {signal.Signals(-status).name}"


def log_tail(log: Path) -> str:
    return "\n".join(log.read_text(errors="replace").splitlines()[-LINES_SHOWN:])


def free_port() -> int:
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
