"""Time, handed in wherever it matters, so that nothing that is tested has to wait."""

import time
from typing import Protocol


class Clock(Protocol):
    """`now` counts seconds from anywhere and never goes back; `wall` is the time of day in
    seconds since 1970; `wait` returns after that many seconds."""

    def now(self) -> float: ...

    def wall(self) -> float: ...

    def wait(self, seconds: float) -> None: ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> float:
        return time.monotonic()

    def wall(self) -> float:
        return time.time()

    def wait(self, seconds: float) -> None:
        time.sleep(seconds)
