"""Requests and answers, with limits on size and time."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol


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


MEBIBYTE: Final = 2**20


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits in seconds and bytes: `read_seconds` bounds the wait for each piece,
    `total_seconds` everything from the first dial to the last byte."""

    connect_seconds: float = 10.0
    read_seconds: float = 60.0
    total_seconds: float = 120.0
    answer_bytes: int = 4 * MEBIBYTE


USUAL_LIMITS: Final = Limits()


@dataclass(frozen=True, slots=True)
class Request:
    """A request to be. Headers and body may hold secrets, so they are not shown."""

    method: str
    url: str = field(repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    body: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True)
class Response:
    """A whole answer, whatever its status. Names of headers are in lower case; of a header that
    comes several times the last one counts."""

    status: int
    headers: Mapping[str, str]
    body: bytes
