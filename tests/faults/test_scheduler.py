"""The scheduler dies: /readyz says so, it is started again, and what is due happens."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotation_site.health import HOW_TO_START
from tests.faults.campaigns import make_campaign
from tests.faults.family import SCHEDULER, await_that, family_of
from tests.faults.jobs import await_job
from tests.site import Site, running_site

pytestmark = pytest.mark.faults

WELL = {"database": True, "storage": True, "broker": True, "scheduler": True}
_AGE_THE_TICK = """
from datetime import timedelta
from django.db.models.functions import Now
from tasks.models import SILENT_AFTER, SchedulerTick
SchedulerTick.objects.update(seen_at=Now() - SILENT_AFTER)
"""
_QUEUE = """
from tasks.models import Campaign, JobKind
from tasks.jobs.workflow.jobs import enqueue
campaign = Campaign.objects.get(slug="races")
enqueue(campaign=campaign, kind=JobKind.SUGGEST, parameters={"name": "f1"})
"""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    settings = {"TOMAHTO_JOB_LEASE_SECONDS": "1", "TOMAHTO_STATIC": ""}
    with running_site(tmp_path, environment=settings, start=False) as made:
        yield made


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


def test_run_starts_a_dead_scheduler_again(site: Site) -> None:
    # in the place of the demo, which would have jobs of its own
    make_campaign(site, items=1, overlap=1, raters=1, slug="demo-ae")
    with family_of(site) as family:
        family.await_ready()
        first = family.children()[SCHEDULER]
        os.kill(first, signal.SIGKILL)
        await_that(lambda: family.children().get(SCHEDULER, first) != first)
        site.python(_AGE_THE_TICK)
        await_readiness(site)
        queue_a_job(site)
        assert await_job(site, state="done")["done"] == 3
    said = family.log.read_text()
    assert "the scheduler process ended (signal SIGKILL); starting it again in 1 s\n" in said
