"""Every moment at which writing a release touches the disk, one after the other."""

import errno
import io
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import wraps
from pathlib import Path
from typing import Any

import pytest

from tests.drawn_once import KEPT
from tomahto.releases.files.folder import HashingFile

Act = Callable[[str], None]
Steps = Callable[[Act], AbstractContextManager[None]]


@contextmanager
def every_step(act: Act) -> Iterator[None]:
    """Call `act` with the name of each step right before it is taken: folders made, files opened
    to be written, every write, sync and rename."""
    with pytest.MonkeyPatch.context() as patch:
        for owner, name, is_meant in (
            (os, "mkdir", _is_new),
            (os, "fsync", _always),
            (os, "rename", _always),
            (HashingFile, "write", _always),
            (io, "open", _is_for_writing),
        ):
            patch.setattr(owner, name, _announced(getattr(owner, name), is_meant, name, act))
        yield


def _always(*_arguments: object) -> bool:
    return True


def _is_new(path: Path, *_others: object) -> bool:
    """A folder that is there already is asked for again, and nothing happens."""
    return not path.exists() and path != KEPT


def _is_for_writing(file: Path | int, mode: str = "r", *_others: object) -> bool:
    """A chart that no test has drawn is kept beside the release, for the next test."""
    is_kept = not isinstance(file, int) and Path(file).parent == KEPT
    return not mode.startswith("r") and not is_kept


def _announced(
    step: Callable[..., Any], is_meant: Callable[..., bool], name: str, act: Act
) -> Callable[..., Any]:
    @wraps(step)
    def announced(*arguments: Any, **options: Any) -> Any:
        if is_meant(*arguments):
            act(name)
        return step(*arguments, **options)

    return announced


class At:
    """Does something at the step of a number, from 0, and counts the steps."""

    def __init__(self, number: int, what: Callable[[], None]) -> None:
        self.names: list[str] = []
        self._number = number
        self._what = what

    def __call__(self, name: str) -> None:
        self.names.append(name)
        if len(self.names) == self._number + 1:
            self._what()


def disk_full() -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def killed() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def run_killed_at(number: int, work: Callable[[], object], steps: Steps = every_step) -> bool:
    """Do the work in a process of its own that is killed at the step; whether it was."""
    child = os.fork()
    if child == 0:
        try:
            with steps(At(number, killed)):
                work()
            os._exit(0)
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    assert status in (0, signal.SIGKILL), status
    return status != 0
