"""The load of a site: rating over HTTP, memory, cold start, large campaigns, export, audit.

    python -m benchmarks.load [--seconds 3] [--items 1000000] [--ratings 50000] [--only PART]

On PostgreSQL (the server that DATABASE_URL names, else a private one that is made for it) and on
SQLite. Each is served as it usually is: by two workers of four threads on PostgreSQL, as
docker/compose.yaml has it, by one of eight on SQLite, as `./run` has it. PostgreSQL is asked
whether it syncs commits. A cycle is a claim and a submit with a token. Clients and servers share
the machine. Prints one table for each part:

    cycle     cycles at 1, 8 and 64 clients, on SQLite with both of its journals, beside those of
              `benchmarks.floor` in the same set-up, a plain program that does little else
    memory    of gunicorn's processes at rest and after the cycles, and seconds until it is ready
    capacity  the cycle at 8 clients in a campaign of 1,000 items and in one of --items
    export    --ratings written by `manage.py export_ratings` and over the API
    audit     entries recorded and checked a second, of --entries of the audit log

Of `cycle` every row is measured --rounds times, the rows in turn, so that whatever else the machine
does meets all alike; a row counts all its rounds together. "server ms" is the processor time of the
web processes for a cycle, which other programs disturb little.
"""

import argparse
import json
import math
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import psycopg

from benchmarks.raters import WARM_UP, Timing, timed_cycles
from bootstrap.programs import ProgramNotFoundError
from bootstrap.services import PrivatePostgres
from tests.site import Site, running_site

SLUG = "load"
OVERLAP = 3
SMALL = 1000
CLIENTS = (1, 8, 64)
USUAL_CLIENTS = 8
# cycles a second for which there are items enough, at one client and at several
FASTEST_ALONE, FASTEST = 1500, 4000
FLOOR, SITE = "floor", "site"
PROGRAMS = {  # by name: what makes a campaign, and what gunicorn serves
    FLOOR: ("benchmarks.floor", "benchmarks.floor:application"),
    SITE: ("benchmarks.campaigns.open", "annotation_site.wsgi:application"),
}
# PostgreSQL's planner plans badly for tables that it has never seen. Autovacuum does this within a
# minute; SQLite has nobody who does.
_ANALYSE = """
from django.db import connection
if connection.vendor == "postgresql":
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
"""


@dataclass(frozen=True, slots=True)
class Database:
    """A database and how a site on it is served."""

    name: str
    address: str = ""  # none: SQLite
    journal: str = ""  # of SQLite, if not the usual one

    @contextmanager
    def site(self) -> Iterator[Site]:
        """A new site that is not started."""
        os.environ["DATABASE_URL"] = self.address
        if self.address:
            require_durable(self.address)
        settings = {"TOMAHTO_SQLITE_JOURNAL": self.journal} if self.journal else {}
        with (
            tempfile.TemporaryDirectory() as folder,
            running_site(Path(folder), environment=settings, start=False) as site,
        ):
            try:
                yield site
            except AssertionError:
                for log in site.folder.glob("gunicorn.log"):
                    print(log.read_text(), file=sys.stderr)
                raise

    @contextmanager
    def served(self, program: str = SITE) -> Iterator[Site]:
        with self.site() as site:
            self.start(site, program)
            yield site

    def start(self, site: Site, program: str = SITE) -> None:
        workers, threads = (2, 4) if self.address else (1, 8)
        site.start_web(workers=workers, threads=threads, application=PROGRAMS[program][1])


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--seconds", type=float, default=3, help="to time each row")
    options.add_argument("--rounds", type=int, default=2, help="of the rows of `cycle`")
    options.add_argument("--items", type=int, default=1_000_000, help="of the large campaign")
    options.add_argument("--ratings", type=int, default=300_000, help="to export")
    options.add_argument("--entries", type=int, default=100_000, help="of the audit log")
    options.add_argument("--only", choices=PARTS, help="this part alone")
    given = options.parse_args()
    with ExitStack() as stack:
        databases = [Database("SQLite")]
        try:
            address = (
                os.environ.get("DATABASE_URL")
                or stack.enter_context(PrivatePostgres(durable=True)).url
            )
            databases.insert(0, Database("PostgreSQL", address))
        except ProgramNotFoundError as missing:
            print(f"without PostgreSQL: {missing}", file=sys.stderr)
        for name, part in PARTS.items():
            if given.only in (None, name):
                part(databases, given)


def cycle(databases: Sequence[Database], given: argparse.Namespace) -> None:
    rollback = Database("SQLite, rollback journal", journal="TRUNCATE")
    rows: dict[tuple[Database, int, str], Timing] = {}
    with ExitStack() as stack:
        served = {
            (database, program): stack.enter_context(_rated(database, program, given))
            for database in (*databases, rollback)
            for program in PROGRAMS
        }
        for _, clients in product(range(given.rounds), CLIENTS):
            for (database, program), (site, tokens) in served.items():
                timing = timed(site, f"load-{clients}", tokens[clients], seconds=given.seconds)
                row = database, clients, program
                rows[row] = rows[row] + timing if row in rows else timing
    figures = ("cycles/s", "p50 ms", "p95 ms", "p95/p50", "server ms", "of the floor")
    heading("database", "clients", "program", *figures)
    for database, clients, program in sorted(rows, key=lambda row: (row[0].name, row[1])):
        timing = rows[database, clients, program]
        share = timing.rate / rows[database, clients, FLOOR].rate
        ratio = timing.late / timing.middle
        cells = f"{timing.cells()} | {ratio:.1f} | {timing.processor:.2f} | {share:.2f}"
        print(f"| {database.name} | {clients} | {program} | {cells} |", flush=True)


@contextmanager
def _rated(
    database: Database, program: str, given: argparse.Namespace
) -> Iterator[tuple[Site, Mapping[int, list[str]]]]:
    """A program that has done some cycles, with a campaign for each number of clients."""
    with database.served(program) as site:
        seconds = (given.seconds + WARM_UP) * given.rounds + 2 * WARM_UP
        sizes = {
            clients: math.ceil(seconds * min(FASTEST_ALONE, FASTEST / clients))
            for clients in CLIENTS
        }
        wanted = [
            {"slug": f"load-{clients}", "items": items, "overlap": clients, "raters": clients}
            for clients, items in sizes.items()
        ]
        tokens = dict(zip(CLIENTS, open_campaigns(site, *wanted, program=program), strict=True))
        for clients in CLIENTS:
            timed(site, f"load-{clients}", tokens[clients], seconds=WARM_UP)
        site.python(_ANALYSE)
        yield site, tokens


def memory(databases: Sequence[Database], given: argparse.Namespace) -> None:
    heading("database", "ready after s", "at rest MB", "after the cycles MB")
    for database in databases:
        with database.site() as site:
            raters = USUAL_CLIENTS
            wanted = {"slug": SLUG, "items": SMALL, "overlap": raters, "raters": raters}
            (tokens,) = open_campaigns(site, wanted)
            begun = time.perf_counter()
            database.start(site)
            ready = time.perf_counter() - begun
            resting = megabytes(site)
            timed(site, SLUG, tokens, seconds=given.seconds, most=SMALL)
            cells = f"{ready:.1f} | {resting:.0f} | {megabytes(site):.0f}"
            print(f"| {database.name} | {cells} |", flush=True)


def capacity(databases: Sequence[Database], given: argparse.Namespace) -> None:
    heading("database", "items", "cycles/s", "p50 ms", "p95 ms")
    for database, items in product(databases, (SMALL, given.items)):
        with database.served() as site:
            most = SMALL * OVERLAP // USUAL_CLIENTS  # cycles of a rater until nothing is left
            raters = USUAL_CLIENTS
            wanted = {"slug": SLUG, "items": items, "overlap": OVERLAP, "raters": raters}
            (tokens,) = open_campaigns(site, wanted)
            timed(site, SLUG, tokens, seconds=WARM_UP, most=most // 5)
            site.python(_ANALYSE)
            timing = timed(site, SLUG, tokens, seconds=given.seconds, most=most // 2)
        print(f"| {database.name} | {items:,} | {timing.cells()} |", flush=True)


def export(databases: Sequence[Database], given: argparse.Namespace) -> None:
    heading("database", "ratings", "by", "seconds", "ratings/s", "MB", "memory at most MB")
    for database in databases:
        with database.served() as site:
            token = rated_campaign(site, given.ratings)
            for way, by in (
                ("command", exported_by_command(site)),
                ("API", downloaded(site, token)),
            ):
                seconds, size, memory = by
                cells = (
                    f"{seconds:.2f} | {given.ratings / seconds:,.0f} | {size:.0f} | {memory:.0f}"
                )
                print(f"| {database.name} | {given.ratings:,} | {way} | {cells} |", flush=True)


def audit(databases: Sequence[Database], given: argparse.Namespace) -> None:
    heading("database", "entries", "recorded/s", "checked/s")
    for database in databases:
        with database.site() as site:
            recording, checking = json.loads(site.python(_AUDIT.format(entries=given.entries)))
        rates = f"{given.entries / recording:,.0f} | {given.entries / checking:,.0f}"
        print(f"| {database.name} | {given.entries:,} | {rates} |", flush=True)


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

PARTS: Mapping[str, Callable[[Sequence[Database], argparse.Namespace], None]] = {
    part.__name__: part for part in (cycle, memory, capacity, export, audit)
}


def heading(*names: str) -> None:
    print(f"\n| {' | '.join(names)} |\n|{' --- |' * len(names)}")


def require_durable(address: str) -> None:
    with psycopg.connect(address) as connection:
        for name in ("fsync", "synchronous_commit", "full_page_writes"):
            row = connection.execute(f"SHOW {name}").fetchone()
            if row != ("on",):
                raise SystemExit(f"PostgreSQL has {name} {row}; a durable server is measured here")


def open_campaigns(
    site: Site, *campaigns: Mapping[str, Any], program: str = SITE
) -> list[list[str]]:
    """A token for each rater of campaigns without ratings; these have a slug, so many items,
    an overlap and so many raters."""
    made = site.python(
        f"import json\nfrom {PROGRAMS[program][0]} import make_open_campaign\n"
        f"print(json.dumps([make_open_campaign(**each) for each in {campaigns!r}]))"
    )
    tokens: list[list[str]] = json.loads(made)
    return tokens


def timed(
    site: Site, slug: str, tokens: Sequence[str], *, seconds: float, most: int = sys.maxsize
) -> Timing:
    return timed_cycles(site.port, slug, tokens, web_processes(site), seconds=seconds, most=most)


def megabytes(site: Site) -> float:
    """Of gunicorn and its workers; what they share counts once."""
    return sum(map(proportional, web_processes(site)))


def web_processes(site: Site) -> list[str]:
    """gunicorn and its workers."""
    (master,) = site.processes
    children = Path(f"/proc/{master.pid}/task/{master.pid}/children").read_text().split()
    return [str(master.pid), *children]


def proportional(pid: str) -> float:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    (kilobytes,) = (line.split()[1] for line in lines if line.startswith("Pss:"))
    return int(kilobytes) / 1000


def rated_campaign(site: Site, ratings: int) -> str:
    made = site.python(
        "from benchmarks.campaigns.rated import make_rated_campaign\n"
        "from tasks.models import ApiToken, User\n"
        "from tasks.campaigns.workflow.campaign import add_member\n"
        f"items = {ratings // OVERLAP}\n"
        f"campaign = make_rated_campaign({SLUG!r}, protocol='ae', items=items, overlap={OVERLAP},"
        " questions=items, words=60, systems=['larch'], is_claimed=True)\n"
        "user = User.objects.create(username='admin')\n"
        "add_member(campaign=campaign, user=user, role='admin')\n"
        "print(ApiToken.issue(user))",
        seconds=3600,
    )
    return made.strip()


def exported_by_command(site: Site) -> tuple[float, float, float]:
    """Seconds, the start of Python included, megabytes that were written, and those of memory."""
    out = site.folder / "ratings.jsonl"
    begun = time.perf_counter()
    memory = site.python(
        "import resource\n"
        "from django.core.management import call_command\n"
        f"call_command('export_ratings', {SLUG!r}, '--out', {str(out)!r})\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    ).split()[-1]
    return time.perf_counter() - begun, out.stat().st_size / 1e6, int(memory) / 1000


def downloaded(site: Site, token: str) -> tuple[float, float, float]:
    """Seconds of the second of two downloads, megabytes that came, and those of the process."""
    url = f"{site.address}/api/v1/campaigns/{SLUG}/ratings/export"
    request = Request(url, headers={"Authorization": f"Token {token}"})  # noqa: S310 - our own site
    for _ in range(2):
        begun, size = time.perf_counter(), 0
        with urlopen(request, timeout=300) as answer:  # noqa: S310 - our own
            while piece := answer.read(1 << 20):
                size += len(piece)
        seconds = time.perf_counter() - begun
    return seconds, size / 1e6, max(map(peak, web_processes(site)))


def peak(pid: str) -> float:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    (kilobytes,) = (line.split()[1] for line in lines if line.startswith("VmHWM:"))
    return int(kilobytes) / 1000


if __name__ == "__main__":
    main()
