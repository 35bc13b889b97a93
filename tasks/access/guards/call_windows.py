"""How many calls somebody has made in their minute, counted exactly, however many come at once.

A window begins with the first call in it. In Redis one script counts and says how long the window
still is, by Redis's own clock, so that all processes on all machines count together. Without Redis
each process counts for itself: right where one process serves, as it does by default; several of
them let through as many times the limit.
"""

import logging
import time
from functools import cache
from threading import Lock
from typing import Protocol

from django.conf import settings
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

logger = logging.getLogger(__name__)

SECONDS = 60
_PREFIX = "tomahto:calls:"
_AWAY_SECONDS = 10.0
_PATIENCE = 0.25  # seconds to wait for Redis, which answers in less than a thousandth
_MANY = 10_000
_COUNT = f"""
local calls = redis.call('INCR', KEYS[1])
if calls == 1 then redis.call('PEXPIRE', KEYS[1], {SECONDS * 1000}) end
return {{calls, redis.call('PTTL', KEYS[1])}}
"""


class Windows(Protocol):
    def count(self, caller: str) -> tuple[int, float]:
        """The number of this call in the caller's window, and the seconds that are left of it."""


class MemoryWindows:
    """Counts in the memory of this process."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._windows: dict[str, tuple[float, int]] = {}

    def count(self, caller: str) -> tuple[int, float]:
        now = time.monotonic()
        with self._lock:
            end, calls = self._windows.get(caller, (0.0, 0))
            if end <= now:
                self._make_room(now)
                end, calls = now + SECONDS, 0
            self._windows[caller] = (end, calls + 1)
        return calls + 1, end - now

    def _make_room(self, now: float) -> None:
        if len(self._windows) >= _MANY:
            self._windows = {who: each for who, each in self._windows.items() if each[0] > now}


class RedisWindows:
    """Counts in Redis. While it is away nobody is limited, and no call waits for it."""

    def __init__(self, url: str) -> None:
        client = Redis.from_url(
            url,
            socket_timeout=_PATIENCE,
            socket_connect_timeout=_PATIENCE,
            retry=Retry(NoBackoff(), 1),  # once: a connection may have ended since it was used
        )
        self._script = client.register_script(_COUNT)
        self._away_until = 0.0

    def count(self, caller: str) -> tuple[int, float]:
        if time.monotonic() < self._away_until:
            return 1, 0.0
        try:
            calls, left = self._script(keys=[_PREFIX + caller])
        except (RedisError, OSError) as error:
            self._give_up_for_a_while(error)
            return 1, 0.0
        self._away_until = 0.0
        return int(calls), int(left) / 1000

    def _give_up_for_a_while(self, error: Exception) -> None:
        if not self._away_until:  # else it has been said
            logger.warning("calls are not counted while Redis is unavailable: %s", error)
        self._away_until = time.monotonic() + _AWAY_SECONDS


@cache
def windows() -> Windows:
    """Where this process counts."""
    url: str = settings.API_CALLS_REDIS
    return RedisWindows(url) if url else MemoryWindows()
