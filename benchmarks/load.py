"""The load of a site: rating over HTTP, memory, cold start, large campaigns, export, audit.

    python -m benchmarks.load [--cycles 2000] [--items 1000000] [--ratings 50000] [--only PART]

gunicorn with two workers of four threads, on SQLite, and on PostgreSQL where DATABASE_URL names a
server (durable: fsync and synchronous_commit are checked to be on). A cycle is a claim and a
submit with a token. Clients and server share the machine. Prints one table for each part:

    cycle     cycles/s and milliseconds at 1 and 8 clients
    memory    of gunicorn's processes at rest and after the cycles, and seconds until it is ready
    capacity  the cycle at 8 clients in a campaign of 1,000 items and in one of --items
    export    --ratings written by `manage.py export_ratings` and over the API
    audit     entries recorded and checked a second, of --entries of the audit log
"""

import argparse
import json
import os
import re
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.request import Request, urlopen

import psycopg

from tests.site import Site, running_site

SLUG = "load"
WARM_UP = 20
OVERLAP = 3
SMALL = 1000
CLIENTS = 8
_LENGTH = re.compile(rb"\r\ncontent-length: (\d+)", re.IGNORECASE)
_WORK = re.compile(rb'"assignment":(\d+),"idempotency_key":"([^"]+)"')
_BODY = b'{"q1":false,"q2":true}'
# PostgreSQL's planner plans badly for tables that it has never seen. Autovacuum does this within a
# minute; SQLite has nobody who does.
_ANALYSE = """
from django.db import connection
if connection.vendor == "postgresql":
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
"""


class Timing(NamedTuple):
    """Of all clients together."""

    rate: float  # cycles per second
    middle: float  # milliseconds
    late: float  # the 95th percentile

    def cells(self) -> str:
        return f"{self.rate:.0f} | {self.middle:.1f} | {self.late:.1f}"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--cycles", type=int, default=2000, help="cycles to time in each row")
    options.add_argument("--items", type=int, default=1_000_000, help="of the large campaign")
    options.add_argument("--ratings", type=int, default=50_000, help="to export")
    options.add_argument("--entries", type=int, default=100_000, help="of the audit log")
    options.add_argument("--only", choices=PARTS, help="this part alone")
    given = options.parse_args()
    postgres = os.environ.get("DATABASE_URL", "")
    databases = {"SQLite": ""} | ({"PostgreSQL": postgres} if postgres else {})
    for name, part in PARTS.items():
        if given.only in (None, name):
            part(databases, given)


def cycle(databases: Mapping[str, str], given: argparse.Namespace) -> None:
    heading("database", "clients", "cycles/s", "p50 ms", "p95 ms")
    for name, address in databases.items():
        for clients in (1, CLIENTS):
            with served(address) as site:
                items = max(SMALL, given.cycles // clients + WARM_UP + 1)
                tokens = open_campaign(site, items=items, overlap=clients, raters=clients)
                timing = timed(site, tokens, given.cycles)
            print(f"| {name} | {clients} | {timing.cells()} |", flush=True)


def memory(databases: Mapping[str, str], given: argparse.Namespace) -> None:
    heading("database", "ready after s", "at rest MB", "after the cycles MB")
    for name, address in databases.items():
        with served(address, start=False) as site:
            tokens = open_campaign(site, items=SMALL, overlap=CLIENTS, raters=CLIENTS)
            begun = time.perf_counter()
            site.start_web(workers=2, threads=4)
            ready = time.perf_counter() - begun
            resting = megabytes(site)
            timed(site, tokens, min(given.cycles, SMALL * CLIENTS // 2))
            print(f"| {name} | {ready:.1f} | {resting:.0f} | {megabytes(site):.0f} |", flush=True)


def capacity(databases: Mapping[str, str], given: argparse.Namespace) -> None:
    heading("database", "items", "cycles/s", "p50 ms", "p95 ms")
    for name, address in databases.items():
        for items in (SMALL, given.items):
            with served(address) as site:
                tokens = open_campaign(site, items=items, overlap=OVERLAP, raters=CLIENTS)
                timing = timed(site, tokens, min(given.cycles, SMALL * OVERLAP // 2))
            print(f"| {name} | {items:,} | {timing.cells()} |", flush=True)


def export(databases: Mapping[str, str], given: argparse.Namespace) -> None:
    heading("database", "ratings", "by", "seconds", "MB")
    for name, address in databases.items():
        with served(address) as site:
            token = rated_campaign(site, given.ratings)
            seconds, size = exported_by_command(site)
            print(f"| {name} | {given.ratings:,} | command | {seconds:.2f} | {size:.1f} |")
            seconds, size = downloaded(site, token)
            print(f"| {name} | {given.ratings:,} | API | {seconds:.2f} | {size:.1f} |", flush=True)


def audit(databases: Mapping[str, str], given: argparse.Namespace) -> None:
    heading("database", "entries", "recorded/s", "checked/s")
    for name, address in databases.items():
        with served(address, start=False) as site:
            recording, checking = json.loads(site.python(_AUDIT.format(entries=given.entries)))
        rates = f"{given.entries / recording:,.0f} | {given.entries / checking:,.0f}"
        print(f"| {name} | {given.entries:,} | {rates} |", flush=True)


_AUDIT = """
import json, time
from django.db import transaction
from tasks.models import AuditAction
from tasks.audit.queries import check_chain
from tasks.storing.acts import record

begun = time.perf_counter()
with transaction.atomic():
    for number in range({entries}):
        record(AuditAction.SETTINGS_CHANGED, subject=("setting", number), details={{"to": number}})
recorded = time.perf_counter()
chain = check_chain()
assert (chain.entries, chain.fault) == ({entries}, ""), chain
print(json.dumps([recorded - begun, time.perf_counter() - recorded]))
"""

PARTS: Mapping[str, Callable[[Mapping[str, str], argparse.Namespace], None]] = {
    part.__name__: part for part in (cycle, memory, capacity, export, audit)
}


def heading(*names: str) -> None:
    print(f"\n| {' | '.join(names)} |\n|{' --- |' * len(names)}")


@contextmanager
def served(address: str, *, start: bool = True) -> Iterator[Site]:
    os.environ["DATABASE_URL"] = address
    if address:
        require_durable(address)
    with tempfile.TemporaryDirectory() as folder, running_site(Path(folder), start=False) as site:
        if start:
            site.start_web(workers=2, threads=4)
        try:
            yield site
        except AssertionError:
            for log in site.folder.glob("gunicorn.log"):
                print(log.read_text(), file=sys.stderr)
            raise


def require_durable(address: str) -> None:
    with psycopg.connect(address) as connection:
        for name in ("fsync", "synchronous_commit"):
            row = connection.execute(f"SHOW {name}").fetchone()
            if row != ("on",):
                raise SystemExit(f"PostgreSQL has {name} {row}; a durable server is measured here")


def open_campaign(site: Site, *, items: int, overlap: int, raters: int) -> list[str]:
    """A token for each rater of a campaign without ratings."""
    made = site.python(
        "import json\nfrom benchmarks.open_campaign import make_open_campaign\n"
        f"print(json.dumps(make_open_campaign({SLUG!r}, items={items}, overlap={overlap}, "
        f"raters={raters})))"
    )
    tokens: list[str] = json.loads(made)
    return tokens


class Work(NamedTuple):
    assignment: bytes
    key: bytes


class QuickRater:
    """A rater that costs next to nothing, so that what is measured is the server.

    One socket that is kept open, requests put together once, answers read up to their length. It
    speaks to gunicorn only, for whom every answer here has a `Content-Length`; for programs there
    is `examples/rater.py`.
    """

    def __init__(self, port: int, token: str, campaign: str) -> None:
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


def timed(site: Site, tokens: list[str], cycles: int) -> Timing:
    """So many cycles by all raters together, after a few that do not count."""
    raters = [QuickRater(site.port, token, SLUG) for token in tokens]
    each = cycles // len(raters)
    with ThreadPoolExecutor(len(raters)) as pool:
        list(pool.map(lambda rater: timed_cycles(rater, WARM_UP), raters))
        site.python(_ANALYSE)
        begun = time.perf_counter()
        parts = list(pool.map(lambda rater: timed_cycles(rater, each), raters))
        elapsed = time.perf_counter() - begun
    for rater in raters:
        rater.close()
    times = [1000 * seconds for part in parts for seconds in part]
    late = statistics.quantiles(times, n=20)[18]
    return Timing(each * len(raters) / elapsed, statistics.median(times), late)


def timed_cycles(rater: QuickRater, cycles: int) -> list[float]:
    times = []
    for _ in range(cycles):
        begun = time.perf_counter()
        rater.cycle()
        times.append(time.perf_counter() - begun)
    return times


def megabytes(site: Site) -> float:
    """Of gunicorn and its workers; what they share counts once."""
    (master,) = site.processes
    children = Path(f"/proc/{master.pid}/task/{master.pid}/children").read_text().split()
    return sum(proportional(pid) for pid in (str(master.pid), *children))


def proportional(pid: str) -> float:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    (kilobytes,) = (line.split()[1] for line in lines if line.startswith("Pss:"))
    return int(kilobytes) / 1000


def rated_campaign(site: Site, ratings: int) -> str:
    made = site.python(
        "from benchmarks.rated_campaign import make_rated_campaign\n"
        "from tasks.models import ApiToken, User\n"
        "from tasks.campaigns.workflow.campaign import add_member\n"
        f"items = {ratings // 2}\n"
        f"campaign = make_rated_campaign({SLUG!r}, protocol='ae', items=items, overlap=2)\n"
        "user = User.objects.create(username='admin')\n"
        "add_member(campaign=campaign, user=user, role='admin')\n"
        "print(ApiToken.issue(user))"
    )
    return made.strip()


def exported_by_command(site: Site) -> tuple[float, float]:
    out = site.folder / "ratings.jsonl"
    begun = time.perf_counter()
    site.manage("export_ratings", SLUG, "--out", str(out))
    return time.perf_counter() - begun, out.stat().st_size / 1e6


def downloaded(site: Site, token: str) -> tuple[float, float]:
    """Seconds of the second of two downloads, and megabytes that came."""
    url = f"{site.address}/api/v1/campaigns/{SLUG}/ratings/export"
    request = Request(url, headers={"Authorization": f"Token {token}"})  # noqa: S310 - our own site
    for _ in range(2):
        begun = time.perf_counter()
        with urlopen(request, timeout=300) as answer:  # noqa: S310 - our own
            size = len(answer.read())
    return time.perf_counter() - begun, size / 1e6


if __name__ == "__main__":
    main()
