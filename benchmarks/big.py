"""A campaign of 10 million items and 30 million ratings on PostgreSQL, beside a small one.

    python -m benchmarks.big [--items 10000000] [--small 2000] [--folder FOLDER] [--part PART …]

On a private PostgreSQL that syncs commits, with its files in FOLDER (the usual one for temporary
files; 10 million items take 40 GB, and all is removed at the end). Both campaigns are copied into
databases of their own, with systems, candidates, scores of a matcher, summaries and words of the
explorer; the last thousand items are not rated. Three ratings come to an item; one rater of 200
has claimed theirs through the site, those of the others are as imported ones are, without
assignments. Of what a worker stores there are the counts alone: what it needs for the dashboards is
measured by `benchmarks.dashboards`. Prints a table for each part:

    cycle     claims and submits at 8 clients, over HTTP with tokens
    reading   agreement of all ratings with every interval, as a worker works it out: until it is
              there, processor time and memory of the worker; and exported ratings a second, of the
              first million
    explorer  first pages with their counts, by an admin who has asked for all votes
    pages     every page and call that an admin and a rater can read: until its first bytes, and how
              long for the slowest statement; those that need less than SHOWN in both are left out
"""

import argparse
import json
import resource
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Any

import psycopg

from benchmarks.load import heading, require_durable, timed
from benchmarks.raters import WARM_UP
from bootstrap.services import PrivatePostgres
from tests.migrated import address_of, migrated_database
from tests.site import Site

SLUG = "big"
UNRATED = 1000  # items
CLIENTS = 8
PER_RATER = 150_000  # ratings
SHOWN = 100  # milliseconds
LIMIT = 60  # seconds of a statement of a page
HOURS = 20_000  # seconds
QUESTIONS = (
    *("nothing", "q: a rare word", "q: the word of all", "q: two words", "q: a phrase", "label"),
    *("vote", "rater", "rater and vote", "system", "state: open", "state: disputed", "disputed"),
    *("unfinished", "flagged", "matcher, differs", "order question", "order ratings"),
    *("order -share", "order -last_rated", "order label", "order -score", "disputed by share"),
    *("label and system", "q and disputed", "rater and vote by share"),
)
_FOR_LOADING = {"wal_level": "minimal", "max_wal_senders": "0", "max_wal_size": "'8GB'"}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--items", type=int, default=10_000_000)
    options.add_argument("--small", type=int, default=2 * UNRATED, help="items of the other one")
    options.add_argument("--folder", type=Path, help="for the files of PostgreSQL")
    options.add_argument("--seconds", type=float, default=5, help="of cycles")
    options.add_argument("--part", action="append", choices=PARTS, help="this part alone")
    given = options.parse_args()
    if given.folder:
        tempfile.tempdir = str(given.folder)
    with ExitStack() as stack:
        server = stack.enter_context(PrivatePostgres(durable=True))
        _set(server, _FOR_LOADING)
        sites = {items: _site(server, stack, items) for items in (given.small, given.items)}
        heading("items", "ratings", "copied s", "summarised s", "counted s", "GB")
        made = {items: load(site, items) for items, site in sites.items()}
        _set(server, {})
        require_durable(server.url)
        for site in sites.values():
            site.start_web(workers=2, threads=4)
        for name, part in PARTS.items():
            if given.part is None or name in given.part:
                part(sites, made, given)


def _set(server: PrivatePostgres, settings: Mapping[str, str]) -> None:
    """Start the server again with these settings and no others."""
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute("ALTER SYSTEM RESET ALL")
        for name, value in settings.items():
            connection.execute(f"ALTER SYSTEM SET {name} = {value}")
    server.stop()
    server.start()


def _site(server: PrivatePostgres, stack: ExitStack, items: int) -> Site:
    """A new site that is not started. Its database goes with the server."""
    name = f"items_{items}"
    template = migrated_database(server.url)
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
    site = Site(folder, {"DATABASE_URL": address_of(server.url, name)}, migrate=None)
    stack.callback(site.stop)
    return site


def load(site: Site, items: int) -> Mapping[str, Any]:
    code = f"from benchmarks.big import make\nmake({items})"
    made: Mapping[str, Any] = json.loads(site.python(code, seconds=HOURS))
    rated = (items - UNRATED) * 3
    print(f"| {items:,} | {rated:,} | {' | '.join(made['figures'])} |", flush=True)
    return made


def cycle(
    sites: Mapping[int, Site], made: Mapping[int, Mapping[str, Any]], given: argparse.Namespace
) -> None:
    heading("items", "cycles/s", "p50 ms", "p95 ms", "server ms")
    most = UNRATED * 3 // CLIENTS // 3  # of a rater in each of three runs
    for seconds in (WARM_UP, given.seconds, given.seconds):
        for items, site in sites.items():
            timing = timed(site, SLUG, made[items]["tokens"], seconds=seconds, most=most)
            if seconds != WARM_UP:
                cells = f"{timing.cells()} | {timing.processor:.2f}"
                print(f"| {items:,} | {cells} |", flush=True)


def reading(sites: Mapping[int, Site], *_rest: Any) -> None:
    heading("items", "agreement s", "processor s", "MiB", "exported/s")
    for items, site in sites.items():
        cells = site.python("from benchmarks.big import read_all\nread_all()", seconds=HOURS)
        print(f"| {items:,} | {cells.strip()} |", flush=True)


def explorer(sites: Mapping[int, Site], *_rest: Any) -> None:
    for items, site in sites.items():
        print(f"\n{items:,} items")
        code = f"from benchmarks.big import ask_explorer\nask_explorer({QUESTIONS})"
        print(site.python(code, seconds=HOURS), flush=True)


def pages(sites: Mapping[int, Site], *_rest: Any) -> None:
    code = "import json\nfrom benchmarks.big import read_pages\nprint(json.dumps(read_pages()))"
    small, large = (json.loads(site.python(code, seconds=HOURS)) for site in sites.values())
    heading("role", "address", "status", *(f"{items:,}: ms (statement)" for items in sites))
    for row, (status, waited, slowest) in large.items():
        _status, other, other_slowest = small.get(row, (0, 0, 0))
        if max(waited, other) >= SHOWN:
            cells = f"{status} | {other:.0f} ({other_slowest:.0f}) | {waited:.0f} ({slowest:.0f})"
            print(f"| {row} | {cells} |")
    print(f"\n{len(large)} pages and calls in all", flush=True)


PARTS: Mapping[str, Callable[..., None]] = {
    part.__name__: part for part in (cycle, reading, explorer, pages)
}


# --- within a site, which has what this module's command line has not ------------------------


def make(items: int) -> None:
    from django.db import connection

    from benchmarks.campaigns.explored import make_explored_campaign, summarise_every_item
    from tasks.campaigns.workflow.campaign import add_member
    from tasks.models import ApiToken, User

    begun = time.perf_counter()
    raters = max(20, items * 3 // PER_RATER)
    seeing, _blind = make_explored_campaign(SLUG, items, raters=raters, unrated=UNRATED, passage=12)
    copied = time.perf_counter()
    summarise_every_item(seeing.campaign, items)
    done = time.perf_counter()
    _count(seeing.campaign)
    counted = time.perf_counter()
    users = [User.objects.create(username=f"claims-{number}") for number in range(CLIENTS)]
    for user in users:
        add_member(campaign=seeing.campaign, user=user, role="rater")
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database()) / 1e9")
        (size,) = cursor.fetchone()
    steps = (copied - begun, done - copied, counted - done)
    figures = [*(f"{seconds:.0f}" for seconds in steps), f"{size:.1f}"]
    print(json.dumps({"figures": figures, "tokens": [ApiToken.issue(user) for user in users]}))


def _count(campaign: Any) -> None:
    """Store the counts that pages show of a large campaign, as the worker does."""
    from django.db.models import Max
    from django.db.models.functions import Now

    from tasks.agreement.figures.contents_figures import contents_figures
    from tasks.agreement.figures.progress_figures import progress_figures
    from tasks.models import Assessment, Figures, Rating

    contents, progress = contents_figures(campaign), progress_figures(campaign)
    newest = Rating.objects.aggregate(newest=Max("pk"))["newest"]
    assessment = Assessment.objects.create(
        campaign=campaign, made_at=Now(), ratings=contents["ratings"], newest_rating=newest
    )
    for name, figures in (("contents", contents), ("progress", progress)):
        Figures.objects.create(assessment=assessment, name=name, content=json.dumps(figures))


def read_all() -> None:
    from tasks.agreement.figures.agreement_figures import agreement_of
    from tasks.models import Campaign
    from tasks.rating.queries.exported_ratings import rating_lines

    campaign = Campaign.objects.get(slug=SLUG)
    begun, busy = time.perf_counter(), time.process_time()
    agreement_of(campaign)
    took = f"{time.perf_counter() - begun:.1f} | {time.process_time() - busy:.1f}"
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    begun = time.perf_counter()
    lines = sum(1 for _line in islice(rating_lines(campaign), 1_000_000))
    print(f"{took} | {memory:,} | {lines / (time.perf_counter() - begun):,.0f}")


def ask_explorer(questions: Sequence[str]) -> None:
    from benchmarks.explorer import ask_all
    from tasks.models import Membership

    seeing, blind = Membership.objects.filter(user__username__in=["seeing", "blind"]).order_by("pk")
    ask_all(seeing, blind, times=3, only=questions)


def read_pages() -> Mapping[str, tuple[int, float, float]]:
    """By role and address: the status, milliseconds until the first bytes, and those of the slowest
    statement. Each is asked twice; the second time counts."""
    from django.db import connection
    from django.test import Client

    from tasks.models import Membership

    answers = {}
    for username in ("seeing", "rater"):
        member = Membership.objects.select_related("campaign").get(user__username=username)
        client = Client(raise_request_exception=False, headers={"Host": "127.0.0.1"})
        assert member.user is not None
        client.force_login(member.user, backend="django.contrib.auth.backends.ModelBackend")
        with connection.cursor() as cursor:
            cursor.execute(f"SET statement_timeout = '{LIMIT}s'")
        for address in _addresses(member):
            for _time in range(2):
                answer = _asked(client, address)
            if answer[0] not in (403, 404):
                answers[f"{member.role} | {address}"] = answer
    return answers


def _addresses(member: Any) -> Iterator[str]:
    """Of the member's campaign, to be read; items and raters are the first there are."""
    from tasks.models import Membership
    from tests.tasks.whole.routes import ROWS, addresses, filled

    rater = Membership.objects.filter(campaign=member.campaign, name="rater-0").get()
    rater.campaign = member.campaign
    assignment = rater.assignments.order_by("pk").values_list("pk", flat=True).first()
    known = {"assignment_id": assignment, "item_id": 1}
    for name, pattern in addresses():
        if "<slug:slug>" in pattern and name in ROWS and "GET" in ROWS[name].methods:
            yield filled(pattern, rater, **known)


def _asked(client: Any, address: str) -> tuple[int, float, float]:
    from django.db import connection

    slowest = 0.0

    def clock(execute: Any, *statement: Any) -> Any:
        nonlocal slowest
        begun = time.perf_counter()
        try:
            return execute(*statement)
        finally:
            slowest = max(slowest, time.perf_counter() - begun)

    begun = time.perf_counter()
    with connection.execute_wrapper(clock):
        response = client.get(address)
        if response.streaming:
            next(iter(response.streaming_content), None)
        waited = time.perf_counter() - begun
        response.close()
    return response.status_code, 1000 * waited, 1000 * slowest


if __name__ == "__main__":
    main()
