"""How long something takes.

The processor's time (`time.process_time`) is disturbed little by other programs. The fastest of a
few runs counts: the others measure what else the machine was doing.
"""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
REPEATS = 3


def timed(run: Callable[[], T], clock: Callable[[], float] = time.perf_counter) -> tuple[float, T]:
    """Seconds, and what came of it."""
    begun = clock()
    result = run()
    return clock() - begun, result


def fastest(run: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    return min(timed(run, clock)[0] for _ in range(REPEATS))
