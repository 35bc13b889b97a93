"""So many requests a minute, by however many threads."""

from collections import deque
from threading import Lock
from typing import Final

from tomahto.outgoing.clock import Clock

_MINUTE: Final = 60.0


class RequestRate:
    """Lets at most `per_minute` requests begin in any 60 seconds. Threads share one of these."""

    def __init__(self, per_minute: int, clock: Clock) -> None:
        self._clock = clock
        self._lock = Lock()
        self._begun: deque[float] = deque(maxlen=per_minute)

    def wait_turn(self) -> None:
        """Return when the next request may begin. Turns are given in the order they are asked."""
        with self._lock:
            now = self._clock.now()
            is_full = len(self._begun) == self._begun.maxlen
            turn = max(now, self._begun[0] + _MINUTE) if is_full else now
            self._begun.append(turn)
        if turn > now:
            self._clock.wait(turn - now)
