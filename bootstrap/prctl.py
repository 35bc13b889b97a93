"""What Linux lets a process ask for itself. Elsewhere nothing is asked for."""

import ctypes
import os
import signal
import sys
from typing import Final

PR_SET_PDEATHSIG: Final = 1
PR_SET_NAME: Final = 15
LONGEST_NAME: Final = 15  # bytes


def end_with(parent: int) -> None:
    """Have this process killed as soon as its parent has ended, however that ended.

    Processes that this one starts have to ask for themselves.
    """
    if _prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL)) and os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)  # it had ended before it was asked for


def call_this_process(name: str) -> None:
    """The name that `ps -o comm` and `top` show; what is too long is cut off."""
    _prctl(PR_SET_NAME, name.encode()[:LONGEST_NAME])


def _prctl(option: int, value: int | bytes) -> bool:
    if not sys.platform.startswith("linux"):
        return False
    return int(ctypes.CDLL(None).prctl(option, value, 0, 0, 0)) == 0
