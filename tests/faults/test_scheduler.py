"""The scheduler dies: /readyz says so, it is started again, and what is due happens."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from annotation_site.health import HOW_TO_START
from tests.faults.campaigns import make_campaign
from tests.faults.jobs import await_job
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
# what ./run does once it has installed and migrated
_SERVE = """
import sys
from pathlib import Path
from bootstrap import serving
site = serving.Site(Path(sys.argv[1]), port=int(sys.argv[2]))
serving.make_data_folder(site)
try:
    serving.serve_prepared(
        site, serving.commands(site, Path(sys.executable)), serving.StopRequest()
    )
except serving.Stopped:
    pass
"""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    lease = {"TOMAHTO_JOB_LEASE_SECONDS": "1"}
    with running_site(tmp_path, environment=lease, start=False) as made:
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
def served(site: Site) -> Iterator[subprocess.Popen[bytes]]:
    """The processes of ./run, by the environment of the tests."""
    script = [sys.executable, "-c", _SERVE, str(site.folder), str(site.port)]
    with (site.folder / "serve.log").open("wb") as log:
        process = subprocess.Popen(
            script, cwd=ROOT, env=site.environment, stdout=log, stderr=log, start_new_session=True
        )
    try:
        yield process
    finally:
        process.terminate()
        assert process.wait(2 * STOP_SECONDS) == 0


def scheduler_of(process: subprocess.Popen[bytes]) -> int:
    """The process of the scheduler, 0 if there is none."""
    found = 0
    for pid in children(process.pid):
        command = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        found = pid if b"beat" in command else found
    return found


def test_run_starts_a_dead_scheduler_again(site: Site) -> None:
    with served(site) as run:
        await_readiness(site)
        first = scheduler_of(run)
        os.kill(first, signal.SIGKILL)
        await_that(lambda: scheduler_of(run) not in (0, first))
        site.python(_AGE_THE_TICK)
        await_readiness(site)
        queue_a_job(site)
        assert await_job(site, state="done")["done"] == 3
    log = (site.folder / "serve.log").read_text()
    assert "the scheduler process ended (signal SIGKILL); starting it again in 1 s\n" in log
