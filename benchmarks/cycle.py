"""The rater's cycle over HTTP: claim and submit with a token. Prints cycles/s, p50 and p95.

    python -m benchmarks.cycle [--cycles 2000] [--items 2000]

gunicorn with two workers of four threads, as many clients as rated; on SQLite, and on PostgreSQL
where DATABASE_URL names a server (durable: fsync and synchronous_commit are checked to be on).
Server and clients share the machine.
"""

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import psycopg

from examples.rater import Rater
from tests.faults.campaigns import make_campaign
from tests.site import Site, running_site

ANSWERS = {"q1": False, "q2": True}
WARM_UP = 20


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--cycles", type=int, default=2000, help="cycles to time in each row")
    options.add_argument("--items", type=int, default=2000)
    given = options.parse_args()
    postgres = os.environ.get("DATABASE_URL", "")
    print("| database | clients | cycles/s | p50 ms | p95 ms |")
    print("| --- | --- | --- | --- | --- |")
    for name, address in [("SQLite", ""), ("PostgreSQL", postgres)]:
        if name == "PostgreSQL" and not address:
            continue
        for clients in (1, 8):
            with site_on(address) as site:
                rate, times = measure(site, clients, given.cycles, given.items)
            cuts = statistics.quantiles(times, n=20)
            print(
                f"| {name} | {clients} | {rate:.0f} | {statistics.median(times) * 1000:.1f} "
                f"| {cuts[18] * 1000:.1f} |",
                flush=True,
            )


@contextmanager
def site_on(address: str) -> Iterator[Site]:
    os.environ["DATABASE_URL"] = address
    if address:
        require_durable(address)
    with (
        tempfile.TemporaryDirectory() as folder,
        running_site(Path(folder), start=False) as site,
    ):
        site.start_web(workers=2, threads=4)
        yield site


def require_durable(address: str) -> None:
    with psycopg.connect(address) as connection:
        for name in ("fsync", "synchronous_commit"):
            row = connection.execute(f"SHOW {name}").fetchone()
            if row != ("on",):
                raise SystemExit(f"PostgreSQL has {name} {row}; a durable server is measured here")


def measure(site: Site, clients: int, cycles: int, items: int) -> tuple[float, list[float]]:
    """Cycles per second over all clients, and the seconds of every cycle."""
    each = cycles // clients
    tokens = make_campaign(
        site, items=max(items, each + WARM_UP + 1), overlap=clients, raters=clients
    )
    raters = [Rater(site.address, token) for token in tokens]
    with ThreadPoolExecutor(clients) as pool:
        list(pool.map(lambda rater: timed_cycles(rater, WARM_UP), raters))
        begun = time.perf_counter()
        times = list(pool.map(lambda rater: timed_cycles(rater, each), raters))
        elapsed = time.perf_counter() - begun
    return each * clients / elapsed, [seconds for part in times for seconds in part]


def timed_cycles(rater: Rater, cycles: int) -> list[float]:
    times = []
    for _ in range(cycles):
        begun = time.perf_counter()
        work = rater.claim("races")
        assert work is not None
        rater.submit(work, ANSWERS)
        times.append(time.perf_counter() - begun)
    return times


if __name__ == "__main__":
    main()
