"""Any process may be killed at any moment: nothing acknowledged is lost, and the site comes back.

Raters work all the time, a job is under way, and what dies is started again as the compose file
has it. On PostgreSQL with Redis in the run for PostgreSQL, on the embedded ones in the other.
"""

import os
import random
import signal
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from subprocess import Popen

import psycopg
import pytest

from bootstrap.services import PrivatePostgres, PrivateRedis, PrivateServer
from examples.rater import Refused
from tests.faults.campaigns import make_campaign
from tests.faults.jobs import await_job, stored_suggestions
from tests.faults.oracle import NOTHING_WRONG, Verdict, judge
from tests.faults.steady_raters import SteadyRater, at_work, await_ratings
from tests.faults.supervised import Service, children, kept_alive
from tests.sampling import IS_LONG, IS_WHOLE
from tests.site import Site, running_site

pytestmark = pytest.mark.faults

IS_POSTGRES = bool(os.environ.get("DATABASE_URL"))
SEED = 20260202
# `./test` kills each part of a site once
SHORT = (16 if IS_POSTGRES else 9) if IS_WHOLE else (6 if IS_POSTGRES else 3)
ROUNDS = 100 if IS_LONG else SHORT
BACK_WITHIN = 30  # seconds
RATERS, OVERLAP, BATCH = 3, 2, 3
MORTAL = "tests.faults.mortal_worker"
_BACKENDS = """
SELECT pid FROM pg_stat_activity
WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() ORDER BY pid
"""


class Rig:
    """A whole site whose parts can be killed by name."""

    def __init__(
        self, site: Site, servers: Sequence[PrivateServer], *, application: str, seed: int
    ) -> None:
        self.site, self.dice = site, random.Random(seed)
        self.web = _service(
            "web", lambda: site.launch_web(workers=2, threads=4, application=application)
        )
        self.worker = _service("worker", lambda: site.start_worker(application=MORTAL))
        self.services = [self.web, self.worker, *map(_service_of, servers)]
        self.targets: dict[str, Callable[[], None]] = {
            **{service.name: service.kill for service in self.services},
            "web worker": self._kill_web_worker,
        }
        if servers:
            self.targets["backend"] = self._kill_backend

    def rounds(self) -> list[str]:
        """The process that dies in each: all equally often, in an order that chance makes."""
        names = sorted(self.targets)
        rounds = [names[number % len(names)] for number in range(ROUNDS)]
        self.dice.shuffle(rounds)
        return rounds

    def await_ready(self, *, deadline: float) -> None:
        while not self._is_ready():
            assert time.monotonic() < deadline, f"/readyz is not 200 after {BACK_WITHIN} s"
            time.sleep(0.05)

    def _is_ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.site.address}/readyz", timeout=5):  # noqa: S310 - our own
                return True
        except (urllib.error.URLError, OSError):
            return False

    def _kill_web_worker(self) -> None:
        if running := children(self.web.process.pid):
            os.kill(self.dice.choice(running), signal.SIGKILL)

    def _kill_backend(self) -> None:
        """PostgreSQL ends all the others then, and recovers as after a crash."""
        with psycopg.connect(self.site.environment["DATABASE_URL"]) as connection:
            pids = [pid for (pid,) in connection.execute(_BACKENDS)]
        os.kill(self.dice.choice(pids), signal.SIGKILL)


def _service(name: str, start: Callable[[], Popen[bytes]]) -> Service:
    return Service(name, start, start())


def _service_of(server: PrivateServer) -> Service:
    def start() -> Popen[bytes]:
        server.start()
        return server.process

    return Service(server.name, start, server.process)


@contextmanager
def rig(folder: Path, *, application: str = "annotation_site.wsgi") -> Iterator[Rig]:
    jobs = {"BEGUN": str(folder / "begun"), "DEATHS": "", "BATCH": str(BATCH)}
    jobs |= {"PACE": "0.2", "LEASE": "2"}
    with ExitStack() as stack:
        servers: list[PrivateServer] = []
        if IS_POSTGRES:
            postgres = stack.enter_context(PrivatePostgres(durable=True))
            redis = stack.enter_context(PrivateRedis())
            servers = [postgres, redis]
            addresses = {"DATABASE_URL": postgres.url, "TOMAHTO_BROKER_URL": redis.url}
            site = Site(folder, {**addresses, **jobs}, migrate=None)
            stack.callback(site.stop)
            site.make_tables()
        else:
            site = stack.enter_context(running_site(folder, environment=jobs, start=False))
        made = Rig(site, servers, application=application, seed=SEED)
        site.await_ready()
        with kept_alive(made.services):
            yield made


def start_raters(made: Rig, *, items: int) -> list[SteadyRater]:
    tokens = make_campaign(made.site, items=items, overlap=OVERLAP, raters=RATERS)
    return [
        SteadyRater(made.site.address, token, "races", made.site.folder / f"{number}.journal")
        for number, token in enumerate(tokens)
    ]


def verdict_of(made: Rig, raters: Sequence[SteadyRater]) -> Verdict:
    return judge(made.site, [rater.path for rater in raters], overlap=OVERLAP)


def survive(made: Rig, raters: Sequence[SteadyRater], names: Sequence[str]) -> dict[str, float]:
    """Kill one after another; the longest that it took to be back, by what was killed."""
    slowest: dict[str, float] = {}
    for name in names:
        began = time.monotonic()
        made.targets[name]()
        made.await_ready(deadline=began + BACK_WITHIN)
        await_ratings(raters, deadline=began + BACK_WITHIN)
        slowest[name] = max(slowest.get(name, 0), time.monotonic() - began)
    return slowest


@pytest.mark.representative("a kill")
def test_nothing_acknowledged_is_lost_whatever_is_killed(tmp_path: Path) -> None:
    items = (10 if IS_WHOLE else 5) * ROUNDS
    with rig(tmp_path) as made:
        raters = start_raters(made, items=items)
        made.site.manage("prefill", "races", "--matcher", "f1")
        with at_work(raters):
            slowest = survive(made, raters, made.rounds())
        job = await_job(made.site, seconds=120, state__in=["done", "failed"])
        verdict = verdict_of(made, raters)
        scored = Counter(key for _, key, *_ in stored_suggestions(made.site))
    report(raters, slowest)
    assert verdict == NOTHING_WRONG
    assert (job["state"], job["done"]) == ("done", items)
    assert scored == Counter(f"item-{number}" for number in range(items))


def report(raters: Sequence[SteadyRater], slowest: dict[str, float]) -> None:
    """For whoever wants to know the figures, or to repeat what failed."""
    acknowledged = sum(rater.acknowledged for rater in raters)
    print(f"seed {SEED}: {ROUNDS} kills, {acknowledged} ratings acknowledged")
    print("back after at most", {name: f"{took:.1f} s" for name, took in slowest.items()})
    print("clients saw", dict(sum((rater.errors for rater in raters), Counter[int | str]())))


if IS_POSTGRES:  # a kill takes nothing from SQLite that was written: see test_durability.py

    def test_ratings_are_lost_in_a_kill_without_the_guard(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("UNSYNCED", "SET synchronous_commit TO off")
        with rig(tmp_path, application="tests.faults.unsynced") as made:
            made.worker.is_wanted = False  # what it commits takes others' ratings to the disk
            made.worker.kill()
            write_late(made.site.environment["DATABASE_URL"])
            raters = start_raters(made, items=100)
            # a rater whose claim is lost is told that there is no such assignment
            with suppress(Refused), at_work(raters):
                await_ratings(raters, deadline=time.monotonic() + BACK_WITHIN)
                made.targets["PostgreSQL"]()
                await_answer(made.site.environment["DATABASE_URL"])
            assert verdict_of(made, raters).lost != []

    def await_answer(server: str) -> None:
        """Of the database alone: a site without its scheduler, which died above, is not ready."""
        deadline = time.monotonic() + BACK_WITHIN
        while True:
            try:
                psycopg.connect(server).close()
            except psycopg.OperationalError:
                assert time.monotonic() < deadline, f"no database after {BACK_WITHIN} s"
                time.sleep(0.05)
            else:
                return

    def write_late(server: str) -> None:
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET wal_writer_delay TO '10s'")
            connection.execute("SELECT pg_reload_conf()")
