"""A number for each process of a web server, taken over when the process that had it is gone.

Counts are kept in a file per process, so that whichever process is asked can add all of them up.
If processes were told apart by their ids, each one that gunicorn replaces would leave a file behind
for good. A number whose holder has ended is given to the next, which counts on where it stopped.
"""

import fcntl
import os
from itertools import count
from pathlib import Path

_held: dict[Path, tuple[int, int, int]] = {}


def slot(folder: Path) -> int:
    """The number of this process, the smallest that no other living process has in the folder.

    The kernel frees it when the process ends, however it ends. A forked process gets its own.
    """
    owner, number, _descriptor = _held.get(folder, (0, 0, 0))
    if owner != os.getpid():
        number, descriptor = _take(folder)
        _held[folder] = os.getpid(), number, descriptor
    return number


def _take(folder: Path) -> tuple[int, int]:
    for number in count():
        descriptor = os.open(folder / f"{number}.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
        else:
            return number, descriptor
    raise AssertionError("count() does not end")
