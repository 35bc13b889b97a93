"""Messages that nobody can use: a real worker puts each aside, says so, and goes on.

With SQLite messages go through a folder, with PostgreSQL through Redis.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from annotation_site.messages.delivery import KEPT
from tests.faults.campaigns import make_campaign
from tests.faults.family import await_that
from tests.faults.jobs import await_job, await_workers, broker
from tests.faults.spoiled import put, put_aside, spoiled_messages
from tests.site import Site, running_site

pytestmark = pytest.mark.faults


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with (
        broker() as address,
        running_site(tmp_path, environment={"TOMAHTO_BROKER_URL": address}, start=False) as made,
    ):
        yield made


def test_worker_puts_spoiled_messages_aside_and_works_on(site: Site) -> None:
    make_campaign(site, slug="races", items=3, overlap=1, raters=1)
    messages = spoiled_messages()
    put(site, messages)
    worker = site.start_worker()
    await_that(lambda: len(put_aside(site)) == len(messages))
    (before,) = await_workers(site)

    site.manage("prefill", "races", "--matcher", "f1")
    assert await_job(site, state="done", parameters={"name": "f1"})["done"] == 3
    (after,) = await_workers(site)
    assert worker.poll() is None
    assert (after["pid"], after["started_at"]) == (before["pid"], before["started_at"])

    said = (site.folder / "celery.log").read_text()
    assert said.count("a message was put aside in ") == len(messages)
    assert "Traceback" not in said
    assert {messages["empty"], messages["cut off"]} <= set(put_aside(site))


def test_what_is_put_aside_does_not_grow_for_ever(site: Site) -> None:
    site.start_worker()
    put(site, {str(number): f"no JSON {number}".encode() for number in range(KEPT + 20)})
    said = site.folder / "celery.log"
    await_that(lambda: said.read_text().count("was put aside in ") == KEPT + 20)
    await_that(lambda: len(put_aside(site)) == KEPT)


def test_spoiled_message_ends_a_worker_without_the_guard(site: Site) -> None:
    put(site, {"cut off": spoiled_messages()["cut off"]})
    worker = site.start_worker(application="tests.faults.trusting_worker")
    assert worker.wait(60) != 0
    assert put_aside(site) == []
