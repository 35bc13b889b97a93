"""The dashboards of a large campaign: how fast their pages answer, and what a worker needs.

    python -m benchmarks.dashboards [--ratings 100000] [--times 40]

gunicorn with two workers of four threads and one Celery worker; on SQLite, and on PostgreSQL where
DATABASE_URL names a server (durable or not: what is measured reads). Every page below a campaign's
agreement is found in the URL configuration and asked one after another over one connection, once
the worker has made the figures. The worker's time is from the question that wakes it to the
figures; its memory is the peak of its process. Server, worker and client share the machine. The
goal is a 95th percentile below 300 ms.
"""

import argparse
import http.client
import json
import statistics
import time
from pathlib import Path

from benchmarks.sites import each_site
from benchmarks.timing import timed
from tests.site import Site

SLUG = "large"
PATIENCE = 1800  # seconds for making the campaign, and for one assessment
_WAITING = b'hx-trigger="every 2s"'


class Browser:
    """Asks for pages of a site as one who has signed in, over one connection."""

    def __init__(self, site: Site, session: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE)
        self._headers = {"Cookie": f"sessionid={session}"}

    def page(self, address: str) -> tuple[float, bytes]:
        """Seconds until the page was there, and the page. Raises SystemExit for any but 200."""
        seconds, (status, body) = timed(lambda: self._get(address))
        if status != http.client.OK:
            raise SystemExit(f"{address} answered {status}")
        return seconds, body

    def is_page(self, address: str) -> bool:
        """Whether the address is one to look at, not one that forms are sent to."""
        return self._get(address)[0] != http.client.METHOD_NOT_ALLOWED

    def _get(self, address: str) -> tuple[int, bytes]:
        self._connection.request("GET", address, headers=self._headers)
        response = self._connection.getresponse()
        return response.status, response.read()


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--ratings", type=int, default=100_000)
    options.add_argument("--times", type=int, default=40, help="how often each page is asked")
    given = options.parse_args()
    print("| database | page | median ms | p95 ms |")
    print("| --- | --- | --- | --- |")
    for name, site in each_site():
        site.start_web(workers=2, threads=4)
        measure(site, name, given.ratings, given.times)


def measure(site: Site, database: str, ratings: int, times: int) -> None:
    code = f"from benchmarks.campaigns.large import prepare\nprepare({SLUG!r}, {ratings})"
    made = json.loads(site.python(code, seconds=PATIENCE).splitlines()[-1])
    browser = Browser(site, made["session"])
    addresses = list(filter(browser.is_page, made["addresses"]))
    seconds, memory = assess(site, browser, addresses[0])
    for address in addresses:
        took = [browser.page(address)[0] for _ in range(times)]
        p95 = statistics.quantiles(took, n=20)[18]
        print(
            f"| {database} | {address} | {statistics.median(took) * 1000:.0f} | {p95 * 1000:.0f} |",
            flush=True,
        )
    print(f"{database}: the worker took {seconds:.1f} s and {memory:.0f} MiB at most", flush=True)


def assess(site: Site, browser: Browser, dashboard: str) -> tuple[float, float]:
    """Seconds until a worker has made the figures, and the peak of its memory in MiB."""
    worker = site.start_worker()
    _await_pool(worker.pid)
    begun = time.perf_counter()
    while _WAITING in browser.page(dashboard)[1]:
        if time.perf_counter() - begun > PATIENCE:
            raise SystemExit(f"no figures after {PATIENCE} s")
        time.sleep(0.1)
    seconds = time.perf_counter() - begun
    return seconds, max(_peak(pid) for pid in _children(worker.pid))


def _await_pool(pid: int) -> None:
    """Until the worker has the process that does the work."""
    deadline = time.monotonic() + 60
    while not _children(pid) and time.monotonic() < deadline:
        time.sleep(0.1)


def _children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _peak(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    raise SystemExit(f"process {pid} does not say how much memory it took")


if __name__ == "__main__":
    main()
