import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from bootstrap import BootstrapError, mutex
from bootstrap.mutex import waiting_turn
from tests.faults.family import is_there

WAITER = """
import sys
from pathlib import Path
from bootstrap.mutex import waiting_turn
from tests.faults.family import is_there
with waiting_turn(Path(sys.argv[1]), waiting="waiting"):
    print("in")
"""


# Takes the lock, forks a child that sleeps, prints the child's number, and sleeps itself.
HOLDER = """
import os, sys, time
from pathlib import Path
from bootstrap import BootstrapError, mutex
try:
    mutex.take_for_family(Path(sys.argv[1]), refusal="in use")
except BootstrapError as error:
    sys.exit(str(error))
child = os.fork()
if child:
    print(child, flush=True)
time.sleep(60)
"""


@contextmanager
def holder(path: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A process that holds the lock, and the child of it that holds it too."""
    command = [sys.executable, "-c", HOLDER, str(path)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    child = int(process.stdout.readline())
    try:
        yield process, child
    finally:
        process.kill()
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        process.communicate()


def kill(process: subprocess.Popen[str]) -> None:
    """Nobody looks for how it ended."""
    process.kill()
    while is_there(process.pid):
        os.sched_yield()


def test_lock_of_a_living_family_is_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with holder(path) as (process, _child):
        assert path.read_text() == f"{process.pid}\n"
        with pytest.raises(BootstrapError, match=r"^in use$"):
            mutex.take_for_family(path, refusal="in use")
        assert path.read_text() == f"{process.pid}\n"
    os.close(mutex.take_for_family(path, refusal="in use"))
    assert path.read_text() == f"{os.getpid()}\n"


def test_what_a_killed_holder_has_forked_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "lock"
    with holder(path) as (process, child):
        kill(process)

        def end_the_child(_seconds: float) -> None:
            assert path.read_text() == f"{process.pid}\n"
            os.kill(child, signal.SIGKILL)
            while is_there(child):
                os.sched_yield()

        monkeypatch.setattr(mutex, "time", Clock(end_the_child))
        os.close(mutex.take_for_family(path, refusal="in use"))
    assert capsys.readouterr().err == "Waiting for what a killed ./run left to end …\n"


def test_what_a_killed_holder_has_forked_is_waited_for_so_long_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "lock"
    with holder(path) as (process, _child):
        kill(process)
        monkeypatch.setattr(mutex, "time", Clock(lambda _seconds: None))
        with pytest.raises(
            BootstrapError, match=r"^what a killed \./run left has not ended in 30 s"
        ):
            mutex.take_for_family(path, refusal="in use")


def test_number_of_this_process_in_the_file_is_that_of_an_earlier_one(tmp_path: Path) -> None:
    """In a container the numbers begin anew with every start."""
    path = tmp_path / "lock"
    path.write_text(f"{os.getpid()}\n")
    lock = mutex.take_for_family(path, refusal="in use")
    assert os.get_inheritable(lock)
    os.close(lock)


class Clock:
    """The time as the module under test sees it: it goes on where that sleeps."""

    def __init__(self, on_sleep: Callable[[float], None]) -> None:
        self._now = 1000.0
        self._on_sleep = on_sleep

    def monotonic(self) -> float:
        return self._now

    def sleep(self, seconds: float) -> None:
        self._now += seconds
        self._on_sleep(seconds)


def test_other_process_says_so_and_waits(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with waiting_turn(path, waiting="never said"):
        other = subprocess.Popen(
            [sys.executable, "-c", WAITER, str(path)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert other.stderr is not None
        assert other.stderr.readline() == "waiting\n"
        assert other.poll() is None
    assert other.communicate(timeout=60) == ("in\n", "")
