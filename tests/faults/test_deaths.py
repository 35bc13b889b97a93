"""Jobs whose workers are killed, and whose messages are lost while others wait."""

import json
import os
import random
import signal
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from subprocess import Popen
from typing import Any

import pytest

from tests.faults.campaigns import make_campaign
from tests.faults.jobs import (
    await_job,
    await_line,
    await_workers,
    broker,
    lose_messages,
    newest_worker,
    stored_suggestions,
    table_away,
)
from tests.sampling import IS_LONG
from tests.site import Site, running_site

pytestmark = pytest.mark.faults

MORTAL = "tests.faults.mortal_worker"
STAGES = ("scoring", "scored", "stored", "reported")
BATCH = 10
ITEMS, DEATHS = (1000, 25) if IS_LONG else (300, 8)
GIVEN_UP = "its worker died 5 times without getting any further"
ENDED = ["done", "failed"]


@pytest.fixture(scope="module")
def shared_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("site")
    with (
        broker() as address,
        running_site(folder, environment={"TOMAHTO_BROKER_URL": address}, start=False) as site,
    ):
        yield site


@pytest.fixture
def site(shared_site: Site, tmp_path: Path) -> Iterator[Site]:
    """A migrated site; what its workers are to suffer is set in its environment."""
    before = dict(shared_site.environment)
    shared_site.environment |= {"BEGUN": str(tmp_path / "begun"), "BATCH": str(BATCH), "DEATHS": ""}
    yield shared_site
    shared_site.stop()
    shared_site.environment = before


def start_campaign(site: Site, slug: str, *names: str, items: int = 3 * BATCH) -> None:
    """A campaign with a job for each of these matchers."""
    make_campaign(site, slug=slug, items=items, overlap=1, raters=1)
    queue(site, slug, *names)


def queue(site: Site, slug: str, *names: str) -> None:
    site.manage("prefill", slug, *(part for name in names for part in ("--matcher", name)))


def ended(site: Site, slug: str, name: str, *, seconds: float = 120) -> dict[str, Any]:
    """The job of that matcher, as soon as it has ended."""
    fields = {"campaign__slug": slug, "parameters": {"name": name}, "state__in": ENDED}
    return await_job(site, seconds=seconds, **fields)


def work_until_it_ends(site: Site, slug: str) -> tuple[dict[str, Any], int]:
    """Keep a worker alive until the job of `f1` has ended; the job, and how many it took."""
    started = 0
    with ThreadPoolExecutor(1) as pool:
        job = pool.submit(ended, site, slug, "f1")
        while not job.done():
            if not started or site.processes[-1].poll() is not None:
                site.start_worker(application=MORTAL)
                started += 1
            time.sleep(0.05)
        return job.result(), started


def scored(site: Site, slug: str) -> Counter[tuple[str, str]]:
    """The number of suggestions of each matcher for each item."""
    found = stored_suggestions(site, item__campaign__slug=slug)
    return Counter((matcher, key) for matcher, key, _score, _is_correct in found)


def every_item_once(items: int, *names: str) -> Counter[tuple[str, str]]:
    return Counter((name, f"item-{n}") for n in range(items) for name in names)


def random_deaths(seed: int) -> str:
    """Deaths in as many batches, at random stages; one takes the whole worker."""
    dice = random.Random(seed)
    numbers = sorted(dice.sample(range(2, ITEMS // BATCH * 9 // 10), DEATHS))
    whole = dice.choice(numbers)
    return " ".join(
        f"{n}:{dice.choice(STAGES)}:{'worker' if n == whole else 'process'}" for n in numbers
    )


def test_every_item_is_scored_once_though_its_worker_dies_again_and_again(site: Site) -> None:
    site.environment["DEATHS"] = random_deaths(seed=20260101)
    start_campaign(site, "deaths", "f1", items=ITEMS)
    job, started = work_until_it_ends(site, "deaths")
    assert (job["state"], job["done"], job["total"]) == ("done", ITEMS, ITEMS)
    # each death ended one attempt
    assert (started, job["attempts"], job["fence"]) == (2, DEATHS + 1, DEATHS + 1)
    assert scored(site, "deaths") == every_item_once(ITEMS, "f1")


def test_a_job_that_kills_its_worker_and_gets_no_further_is_given_up(site: Site) -> None:
    # the second batch, and every one after it: the first alone is ever stored
    site.environment["DEATHS"] = " ".join(f"{n}:scored:process" for n in range(2, 20))
    start_campaign(site, "killer", "f1", "em")
    job, _started = work_until_it_ends(site, "killer")
    assert (job["state"], job["error"], job["done"]) == ("failed", GIVEN_UP, BATCH)
    # the first attempt got further before it died
    assert job["attempts"] == 5
    assert ended(site, "killer", "em")["state"] == "done"


def test_a_job_that_gets_further_is_given_up_without_the_guard(site: Site) -> None:
    site.environment |= {"DEATHS": "0:reported:process", "WITHOUT": "progress"}
    start_campaign(site, "progress", "f1", items=8 * BATCH)
    job, _started = work_until_it_ends(site, "progress")
    assert (job["state"], job["error"], job["done"]) == ("failed", GIVEN_UP, 5 * BATCH)


def start_alone(site: Site) -> tuple[Popen[bytes], list[dict[str, Any]]]:
    """A worker, and what its process that does jobs reports; what others left does not count."""
    newest = newest_worker(site)
    worker = site.start_worker(application=MORTAL)
    return worker, await_workers(site, seconds=30, id__gt=newest)


def lose_all_in_mid_job(site: Site, slug: str) -> None:
    """A worker at its third batch, two more jobs queued, and then the broker is emptied."""
    go = site.folder / f"{slug}-go"
    site.environment["WAIT_FOR"] = str(go)
    start_campaign(site, slug, "f1", items=5 * BATCH)
    site.start_worker(application=MORTAL)
    await_job(site, campaign__slug=slug, state="running", done=2 * BATCH)
    queue(site, slug, "em", "cfmatch")
    assert lose_messages(site) >= 2
    go.touch()


def test_jobs_whose_messages_are_lost_are_done_within_a_minute(site: Site) -> None:
    names = ("f1", "em", "cfmatch")
    lose_all_in_mid_job(site, "lost")
    emptied = time.monotonic()
    jobs = [ended(site, "lost", name, seconds=60) for name in names]
    assert time.monotonic() - emptied < 60
    assert [(job["state"], job["done"], job["attempts"]) for job in jobs] == [
        ("done", 5 * BATCH, 1)
    ] * len(names)
    assert scored(site, "lost") == every_item_once(5 * BATCH, *names)


def test_jobs_whose_messages_are_lost_wait_for_ever_without_the_sweep(site: Site) -> None:
    site.environment["WITHOUT"] = "sweep"
    lose_all_in_mid_job(site, "unswept")
    assert ended(site, "unswept", "f1")["state"] == "done"
    with pytest.raises(AssertionError, match="no such job"):
        await_job(site, campaign__slug="unswept", attempts=1, parameters={"name": "em"}, seconds=2)


def test_workers_report_until_they_end(site: Site) -> None:
    site.environment["WAIT_FOR"] = str(site.folder / "never")
    worker, [seen] = start_alone(site)
    assert (seen["name"].split("@")[0], seen["job_id"]) == ("celery", None)
    start_campaign(site, "reports", "f1", items=5 * BATCH)
    await_job(site, campaign__slug="reports", state="running", done=2 * BATCH)
    [busy] = await_workers(site, pid=seen["pid"], job__campaign__slug="reports")
    assert busy["started_at"] == seen["started_at"]
    assert busy["seen_at"] > seen["seen_at"]
    with table_away(site, "tasks_worker"):
        await_line(site.folder / "celery.log", "the heartbeat could not be written")
    await_workers(site, pid=seen["pid"], seen_at__gt=busy["seen_at"])

    os.killpg(worker.pid, signal.SIGKILL)
    worker.wait()
    assert await_workers(site, pid=seen["pid"])[0]["job_id"] == busy["job_id"]
    # else the next test's worker would take it over
    site.manage("jobs", "reports", "--cancel", str(busy["job_id"]))


def test_a_worker_that_ends_as_it_should_is_not_missed(site: Site) -> None:
    make_campaign(site, slug="ends", items=1, overlap=1, raters=1)
    worker, [seen] = start_alone(site)
    worker.terminate()
    worker.wait()
    shown = json.loads(site.manage("jobs", "ends", "--json"))["workers"]
    assert seen["pid"] not in [each["pid"] for each in shown]


def test_items_are_scored_twice_without_the_guards(site: Site) -> None:
    """The last one: it takes a constraint out of the database."""
    site.python(
        "from django.db import connection\nfrom tasks.models import Suggestion\n"
        "once = [c for c in Suggestion._meta.constraints if c.name == 'scored_once'][0]\n"
        "Suggestion._meta.constraints.remove(once)\n"
        "with connection.schema_editor() as editor:\n"
        "    editor.remove_constraint(Suggestion, once)\n"
    )
    site.environment |= {"DEATHS": "2:stored:process", "WITHOUT": "once"}
    start_campaign(site, "twice", "f1")
    work_until_it_ends(site, "twice")
    assert max(scored(site, "twice").values()) == 2
