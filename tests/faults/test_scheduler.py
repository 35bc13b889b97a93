"""The scheduler or a process of ./run dies: /readyz says so, it is started again, and what is due
happens. `./run` itself dies: nothing is left of it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from annotation_site.health import HOW_TO_START
from bootstrap import serving
from tasks import migrations
from tests.faults.campaigns import make_campaign
from tests.faults.jobs import await_job, broker
from tests.faults.supervised import children
from tests.site import ROOT, STOP_SECONDS, Site, running_site

pytestmark = pytest.mark.faults

WITHIN = 40.0  # seconds
WELL = {"database": True, "broker": True, "scheduler": True}
_AGE_THE_TICK = """
from datetime import timedelta
from django.db.models.functions import Now
from tasks.models import SILENT_AFTER, SchedulerTick
SchedulerTick.objects.update(seen_at=Now() - SILENT_AFTER)
"""
_QUEUE = """
from tasks.models import Campaign, JobKind
from tasks.jobs.workflow.jobs import enqueue
enqueue(campaign=Campaign.objects.get(), kind=JobKind.SUGGEST, parameters={"name": "f1"})
"""
# what ./run does once it has migrated
_SERVE = """
import sys
from pathlib import Path
from annotation_site import embedded
from bootstrap import serving
site = serving.Site(Path(sys.argv[1]), port=int(sys.argv[2]))
serving.make_data_folder(site)
parts, request = embedded.load(site), serving.StopRequest()
try:
    serving.serve_prepared(site, {"web": parts.web, serving.WORKER: parts.worker}, request)
except serving.Stopped:
    pass
"""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """With SQLite messages go through a folder, with PostgreSQL through Redis."""
    with broker() as address:
        environment = {"TOMAHTO_BROKER_URL": address, "TOMAHTO_JOB_LEASE_SECONDS": "1"}
        with running_site(tmp_path, environment=environment, start=False) as made:
            yield made


def await_that(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WITHIN
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.05)


NO_SCHEDULER = {
    **WELL,
    "status": 503,
    "scheduler": False,
    "missing": f"scheduler: {HOW_TO_START['scheduler']}",
}


def await_readiness(site: Site) -> None:
    await_that(lambda: site.readiness() == {"status": 200, **WELL})


def queue_a_job(site: Site) -> None:
    """A job without a message, as if that had been lost: only a sweep sends it."""
    make_campaign(site, items=3, overlap=1, raters=1)
    site.python(_QUEUE)


def test_a_dead_scheduler_is_seen_and_another_one_sweeps(site: Site) -> None:
    site.start_web()
    assert site.readiness() == NO_SCHEDULER
    scheduler = site.start_scheduler()
    await_readiness(site)

    os.kill(scheduler.pid, signal.SIGKILL)
    scheduler.wait()
    site.processes.remove(scheduler)
    site.python(_AGE_THE_TICK)  # instead of half a minute without one
    await_that(lambda: site.readiness() == NO_SCHEDULER)

    queue_a_job(site)
    worker = ("celery", "-A", "annotation_site", "worker", "--concurrency", "1")
    site.start(*worker, "--loglevel", "warning")
    site.start_scheduler()
    await_readiness(site)
    assert await_job(site, state="done")["done"] == 3


@contextmanager
def served(site: Site, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """The processes of ./run, by the environment of the tests."""
    with (site.folder / "serve.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, *arguments],
            cwd=ROOT,
            env=site.environment,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        yield process
    finally:
        process.terminate()
        assert process.wait(2 * STOP_SECONDS) in (0, -signal.SIGKILL)


def serving_code(site: Site) -> tuple[str, ...]:
    return "-c", _SERVE, str(site.folder), str(site.port)


def worker_of(process: subprocess.Popen[bytes]) -> int:
    """The process of the worker, 0 if there is none."""
    for pid in children(process.pid):
        with suppress(FileNotFoundError):  # it has just ended
            if Path(f"/proc/{pid}/fd/1").readlink().name == "worker.log":
                return pid
    return 0


def test_run_starts_a_dead_worker_with_its_scheduler_again(site: Site) -> None:
    with served(site, *serving_code(site)) as run:
        await_readiness(site)
        first = worker_of(run)
        os.kill(first, signal.SIGKILL)
        await_that(lambda: worker_of(run) not in (0, first))
        site.python(_AGE_THE_TICK)
        await_readiness(site)
        queue_a_job(site)
        assert await_job(site, state="done")["done"] == 3
    log = (site.folder / "serve.log").read_text()
    assert "the worker process ended (signal SIGKILL); starting it again in 1 s\n" in log


def test_nothing_is_left_of_a_killed_run(site: Site) -> None:
    with served(site, *serving_code(site)) as run:
        await_readiness(site)
        web, worker = children(run.pid)
        (web_worker,) = children(web)
        run.kill()
        run.wait()
        await_that(lambda: not any(map(is_running, (web, web_worker, worker))))
    assert site.readiness() == {}


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.parametrize("missing", [0, 1])
def test_run_migrates_where_a_migration_is_missing(site: Site, missing: int) -> None:
    site.manage("create_campaign", "demo-ae", "--protocol", "ae", "--overlap", "1")
    if missing:
        *_others, before, _newest = sorted(Path(migrations.__path__[0]).glob("0*.py"))
        site.manage("migrate", "tasks", before.stem, "--verbosity", "0")
    serving.make_data_folder(serving.Site(site.folder))
    address = (str(site.folder), "127.0.0.1", str(site.port))
    with served(site, "-m", "annotation_site.embedded", *address):
        await_readiness(site)
    log = (site.folder / "logs" / "prepare.log").read_text()
    assert log == f"the demo is already loaded\nmigrations: {missing}\n"
