"""Web servers and workers whose clocks are two hours off: leases last as long as they should."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import pytest

from examples.rater import Rater
from tasks.models import Campaign
from tests.faults.campaigns import make_campaign
from tests.faults.jobs import await_job, broker
from tests.sampling import IS_LONG
from tests.site import ROOT, Site, running_site

pytestmark = pytest.mark.faults

AHEAD, BEHIND = 7200, -7200  # seconds
LEASE = 60 * Campaign._meta.get_field("lease_minutes").default
BATCH = 5
APPLICATION = "annotation_site.wsgi"
MORTAL = "tests.faults.mortal_worker"
_LEFT = """
import json
from django.db.models import DurationField, ExpressionWrapper, F
from django.db.models.functions import Now
from tasks.models import Slot
left = ExpressionWrapper(F("expires_at") - Now(), output_field=DurationField())
held = Slot.objects.filter(campaign__slug={slug!r}, holder__isnull=False)
print(json.dumps([each.total_seconds() for each in held.values_list(left, flat=True)]))
held.update(expires_at=Now())
"""


class Leases(NamedTuple):
    """Of two items: those that were taken from who held them, and those that others got after the
    leases had ended."""

    lasting: list[float]  # seconds that were left by the clock of the database
    taken_early: list[int]
    taken_after: list[int]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("site")
    with (
        broker() as address,
        running_site(folder, environment={"TOMAHTO_BROKER_URL": address}, start=False) as site,
    ):
        yield site


@contextmanager
def clock_wrong_by(seconds: int, site: Site, **environment: str) -> Iterator[Site]:
    """The same site on another machine, whose clock is wrong."""
    path = os.pathsep.join([str(ROOT / "tests/faults/clocks"), str(ROOT)])
    wrong = {"PYTHONPATH": path, "CLOCK_IS_WRONG_BY": str(seconds)}
    elsewhere = Site(site.folder, {**site.environment, **wrong, **environment}, migrate=None)
    try:
        yield elsewhere
    finally:
        elsewhere.stop()


def claimed(site: Site, token: str, slug: str) -> list[int]:
    rater = Rater(site.address, token)
    work = rater.claim(slug)
    rater.close()
    return [work["assignment"]] if work else []


def hold_and_wait(site: Site, slug: str, *, application: str) -> Leases:
    """One rater claims from each of two servers, then another one; and again after the leases."""
    first, second, *others = make_campaign(site, slug=slug, items=2, overlap=1, raters=4)
    with clock_wrong_by(AHEAD, site) as ahead, clock_wrong_by(BEHIND, site) as behind:
        for server in (ahead, behind):
            server.start_web(threads=2, application=application)
        assert len(claimed(ahead, first, slug) + claimed(behind, second, slug)) == 2
        tries = list(zip((ahead, behind), others, strict=True))
        early = [each for server, token in tries for each in claimed(server, token, slug)]
        lasting = json.loads(site.python(_LEFT.format(slug=slug)))
        after = [each for server, token in tries for each in claimed(server, token, slug)]
    return Leases(lasting, early, after)


def test_leases_last_as_long_as_they_should(site: Site) -> None:
    leases = hold_and_wait(site, "leases", application=APPLICATION)
    assert [LEASE - 300 < left <= LEASE for left in leases.lasting] == [True, True]
    assert leases.taken_early == []
    assert len(leases.taken_after) == 2


def test_leases_end_early_by_the_clocks_of_servers(site: Site) -> None:
    leases = hold_and_wait(site, "own", application="tests.faults.own_clock")
    assert leases.taken_early != []


def job_of_a_dead_worker(site: Site, slug: str, *, holder: int, other: int) -> list[int]:
    """The number of times that a job had been begun while its worker lived, and after it had died.

    The clocks of the worker and of the one that takes its job over are wrong by so much.
    """
    go = site.folder / f"{slug}-never"
    jobs = {"BEGUN": str(site.folder / f"{slug}-begun"), "BATCH": str(BATCH), "DEATHS": ""}
    jobs |= {"LEASE": "2", "WAIT_FOR": str(go)}
    make_campaign(site, slug=slug, items=5 * BATCH, overlap=1, raters=1)
    with clock_wrong_by(holder, site, **jobs) as here, clock_wrong_by(other, site, **jobs) as there:
        site.manage("prefill", slug, "--matcher", "f1")
        here.start_worker(application=MORTAL)
        job: dict[str, Any] = {"campaign__slug": slug, "parameters": {"name": "f1"}}
        await_job(site, **job, state="running", done=2 * BATCH)
        there.start_worker(application=MORTAL)
        site.manage("prefill", slug, "--matcher", "em")
        await_job(site, campaign__slug=slug, parameters={"name": "em"}, state="done")
        alive = await_job(site, **job)
        here.kill()
        ended = await_job(site, **job, state="done", seconds=120)
    return [alive["attempts"], ended["attempts"]]


# either shows that leases go by one clock; the long form tries both on both databases
_CLOCKS = [("behind", BEHIND, AHEAD), ("ahead", AHEAD, BEHIND)]
_SHORT = _CLOCKS[1:] if os.environ.get("DATABASE_URL") else _CLOCKS[:1]


@pytest.mark.parametrize(("slug", "holder", "other"), _CLOCKS if IS_LONG else _SHORT)
def test_a_job_is_taken_over_when_its_worker_is_dead_and_not_before(
    site: Site, slug: str, holder: int, other: int
) -> None:
    assert job_of_a_dead_worker(site, slug, holder=holder, other=other) == [1, 2]
