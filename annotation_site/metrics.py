"""Requests by route, method and status, and how long they took, over all processes of a server.

Counts are kept in a file per process, so that whichever process is asked can add all of them up. If
processes were told apart by their ids, each one that gunicorn replaces would leave a file behind
for good. A number whose holder has ended is given to the next, which counts on where it stopped.
"""

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import count
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from prometheus_client import CollectorRegistry, Histogram, values
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector

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


BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # seconds
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class RequestMetrics:
    """A histogram whose counts live in files of the folder, which must be on the same machine."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._folder = folder
        # the library knows no other way to be told the folder and the name of the process
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(folder)
        values.ValueClass = values.MultiProcessValue(partial(slot, folder))
        self._seconds = Histogram(
            "tomahto_request_seconds",
            "Time until the start of the answer, by route name, method and status.",
            ("route", "method", "status"),
            buckets=BUCKETS,
            registry=CollectorRegistry(),
        )

    def observe(self, *, route: str, method: str, status: int, seconds: float) -> None:
        self._seconds.labels(route, method, str(status)).observe(seconds)

    def collect(self) -> Iterator[Metric]:
        """The sums over all processes, dead ones included."""
        yield from MultiProcessCollector(None, str(self._folder)).collect()


@cache
def request_metrics() -> RequestMetrics:
    """Those of this web server; made once a process needs them."""
    return RequestMetrics(settings.METRICS_DIR)


class RequestMetricsMiddleware:
    """Counts what the routes answer; what no route is for goes by the name `none`."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response
        self._metrics = request_metrics()

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        began = time.perf_counter()
        response = self._get_response(request)
        match = request.resolver_match
        self._metrics.observe(
            route="none" if match is None else match.view_name or match.route,
            method=request.method if request.method in METHODS else "other",
            status=response.status_code,
            seconds=time.perf_counter() - began,
        )
        return response
