"""Raters that cost next to nothing, so that what is measured is the server.

Eight raters share a process. With 64 of them in one, the turns of threads inside one interpreter
are measured along with the server, and took a third of the cycles.
"""

import multiprocessing
import os
import re
import socket
import statistics
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

OF_A_PROCESS = 8
WARM_UP = 0.5  # seconds
_LENGTH = re.compile(rb"\r\ncontent-length: (\d+)", re.IGNORECASE)
_WORK = re.compile(rb'"assignment":(\d+),"idempotency_key":"([^"]+)"')
_BODY = b'{"q1":false,"q2":true}'


@dataclass(frozen=True, slots=True)
class Timing:
    """Cycles of all clients together."""

    milliseconds: Sequence[float]  # of each cycle
    seconds: float  # of all of them
    cycles: int  # with those of the warm-up, which are not timed
    processor_seconds: float  # of the server, for as many cycles

    def __add__(self, other: "Timing") -> "Timing":
        return Timing(
            [*self.milliseconds, *other.milliseconds],
            self.seconds + other.seconds,
            self.cycles + other.cycles,
            self.processor_seconds + other.processor_seconds,
        )

    @property
    def rate(self) -> float:
        """Cycles per second."""
        return len(self.milliseconds) / self.seconds

    @property
    def middle(self) -> float:
        return statistics.median(self.milliseconds)

    @property
    def late(self) -> float:
        """The 95th percentile."""
        return statistics.quantiles(self.milliseconds, n=20)[18]

    @property
    def processor(self) -> float:
        """Milliseconds of the server's processor time for each cycle."""
        return 1000 * self.processor_seconds / self.cycles

    def cells(self) -> str:
        return f"{self.rate:.0f} | {self.middle:.1f} | {self.late:.1f}"


class Work(NamedTuple):
    assignment: bytes
    key: bytes


class QuickRater:
    """One socket that is kept open, requests put together once, answers read up to their length.

    It speaks to gunicorn only, for whom every answer here has a `Content-Length`; for programs
    there is `examples/rater.py`.
    """

    def __init__(self, port: int, campaign: str, token: str) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._fields = (
            f"Host: 127.0.0.1:{port}\r\nAuthorization: Token {token}\r\n"
            "Content-Type: application/json\r\n"
        ).encode()
        self._claim = b"POST /api/v1/campaigns/%s/claim HTTP/1.1\r\n%sContent-Length: 0\r\n\r\n" % (
            campaign.encode(),
            self._fields,
        )

    def cycle(self) -> None:
        """Claim an item and submit its rating. Raises AssertionError for any other answer."""
        claimed = self._answer(self._claim, b"200")
        found = _WORK.search(claimed)
        assert found is not None, claimed
        self._answer(self._submission(Work(*found.groups())), b"201")

    def close(self) -> None:
        self._socket.close()

    def _submission(self, work: Work) -> bytes:
        return (
            b"POST /api/v1/assignments/%s/rating HTTP/1.1\r\n%sIdempotency-Key: %s\r\n"
            b"Content-Length: %d\r\n\r\n%s"
            % (work.assignment, self._fields, work.key, len(_BODY), _BODY)
        )

    def _answer(self, request: bytes, status: bytes) -> bytes:
        self._socket.sendall(request)
        head, _, body = self._socket.recv(65_536).partition(b"\r\n\r\n")
        assert head[9:12] == status, head + body
        length = _LENGTH.search(head)
        assert length is not None, head
        while len(body) < int(length[1]):
            body += self._socket.recv(65_536)
        return body


def timed_cycles(
    port: int,
    campaign: str,
    tokens: Sequence[str],
    servers: Sequence[str],
    *,
    seconds: float,
    most: int = sys.maxsize,
) -> Timing:
    """Cycles of all raters at once, for so long, or until each has done `most`.

    `servers` are the processes whose time counts.
    """
    busy = _processor_seconds(servers)
    start = time.monotonic() + WARM_UP
    parts = [tokens[at : at + OF_A_PROCESS] for at in range(0, len(tokens), OF_A_PROCESS)]
    end = start + seconds
    work = partial(_work_of_some, port, campaign, end=end, most=most)
    with ProcessPoolExecutor(len(parts), multiprocessing.get_context("fork")) as processes:
        cycles = [cycle for part in processes.map(work, parts) for cycle in part]
    last = min(end, max(done for _, done in cycles))
    return Timing(
        [1000 * (done - begun) for begun, done in cycles if start <= done <= last],
        last - start,
        len(cycles),
        _processor_seconds(servers) - busy,
    )


def _processor_seconds(processes: Sequence[str]) -> float:
    """Of the processes and their threads, by proc(5)."""
    stats = (Path(f"/proc/{process}/stat").read_text() for process in processes)
    fields = [stat.rpartition(")")[2].split() for stat in stats]
    return sum(int(user) + int(system) for *_, user, system in (row[:13] for row in fields)) / (
        os.sysconf("SC_CLK_TCK")
    )


_Cycles = list[tuple[float, float]]  # beginning and end, by time.monotonic()


def _work_of_some(
    port: int, campaign: str, tokens: Sequence[str], *, end: float, most: int
) -> _Cycles:
    def work(token: str) -> _Cycles:
        rater = QuickRater(port, campaign, token)
        done: _Cycles = []
        while (begun := time.monotonic()) < end and len(done) < most:
            rater.cycle()
            done.append((begun, time.monotonic()))
        rater.close()
        return done

    with ThreadPoolExecutor(len(tokens)) as threads:
        return [cycle for part in threads.map(work, tokens) for cycle in part]
