"""The database fails while people rate: nobody is told of a success that is none, and all is well
again soon afterwards."""

import os
import random
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event, Semaphore
from typing import TypeVar

import pytest

from examples.rater import Refused
from tests.faults.campaigns import make_campaign
from tests.faults.oracle import NOTHING_WRONG, judge
from tests.faults.outages import SLOW_BY, FailingSite, failing_site
from tests.faults.raters import Tally, journaling_rater, rate_at_once, some_answers

pytestmark = pytest.mark.faults

OUTAGES = ["gone", "out of connections"] if os.environ.get("DATABASE_URL") else ["locked"]
RATERS, BEFORE, REFUSED = 4, 4, 4
ITEMS = 1000  # an outage may be long in coming where another process keeps the database busy
RECOVERS_WITHIN = 10  # seconds
PAUSE = 0.1
T = TypeVar("T")


@pytest.fixture(scope="module")
def failing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FailingSite]:
    with failing_site(tmp_path_factory.mktemp("site")) as failing:
        yield failing


class PatientRaters:
    """Raters who try again as long as the answer is 503, and count what happens, until it is
    enough."""

    def __init__(self, failing: FailingSite, slug: str) -> None:
        self.site, self.slug = failing.site, slug
        self.folder = failing.site.folder
        self.tokens = make_campaign(self.site, items=ITEMS, overlap=1, raters=RATERS, slug=slug)
        self.acknowledged, self.refused = Semaphore(0), Semaphore(0)
        self.enough = Event()
        self.tally = Tally()

    @contextmanager
    def at_work(self) -> Iterator[None]:
        with ThreadPoolExecutor(RATERS) as pool:
            work = [pool.submit(self._rate, n, token) for n, token in enumerate(self.tokens)]
            yield
            for each in work:
                self.tally.add(each.result())

    def _rate(self, number: int, token: str) -> Tally:
        dice = random.Random(number)
        journal = self.folder / f"{self.slug}-{number}.journal"
        with journaling_rater(self.site.address, token, journal) as rater:
            while not self.enough.is_set():
                work = self._insist(lambda: rater.claim(self.slug))
                assert work is not None, "an item is left"
                answers = some_answers(dice)
                self._insist(lambda: rater.submit(work, answers))  # noqa: B023 - called at once
                self.acknowledged.release()
            return rater.tally

    def _insist(self, call: Callable[[], T]) -> T:
        while True:
            try:
                return call()
            except Refused as refusal:
                if refusal.status != 503:
                    raise
                self.refused.release()
                time.sleep(PAUSE)


def await_(count: Semaphore, times: int) -> None:
    for _time in range(times):
        assert count.acquire(timeout=60)


def page_of(failing: FailingSite) -> tuple[int, str | None, str]:
    """The answer to somebody who signs in: status, when to come again, title."""
    token = "a" * 32
    request = urllib.request.Request(  # noqa: S310 - an address of our own
        f"{failing.site.address}/login/",
        f"csrfmiddlewaretoken={token}&username=nobody&password=nothing".encode(),
        headers={"Cookie": f"csrftoken={token}"},
    )
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(request, timeout=60)  # noqa: S310 - our own
    with caught.value as answer:
        return answer.code, answer.headers["Retry-After"], answer.read().decode()


@pytest.mark.parametrize("outage", OUTAGES)
def test_outage_of_the_database_loses_nothing_and_passes(failing: FailingSite, outage: str) -> None:
    raters = PatientRaters(failing, outage.replace(" ", "-"))
    with raters.at_work():
        await_(raters.acknowledged, BEFORE)
        with failing.outages[outage]():
            await_(raters.refused, REFUSED)
            status, come_again, page = page_of(failing)
            while raters.acknowledged.acquire(blocking=False):
                pass
        ended = time.monotonic()
        await_(raters.acknowledged, 1)
        recovered = time.monotonic() - ended
        raters.enough.set()
    print(f"{outage}: answered again after {recovered:.2f} s")
    assert recovered < RECOVERS_WITHIN
    assert (status, come_again) == (503, "5")
    assert "The site is unavailable at the moment" in page
    assert set(raters.tally.statuses) <= {200, 201, 204, 503}
    assert raters.tally.statuses[503] >= REFUSED
    journals = sorted(failing.site.folder.rglob("*.journal"))  # of all tests of the site
    assert judge(failing.site, journals, overlap=1) == NOTHING_WRONG


if "gone" in OUTAGES:

    def test_slow_database_makes_slow_answers_and_no_wrong_ones(failing: FailingSite) -> None:
        tokens = make_campaign(failing.site, items=4, overlap=1, raters=2, slug="slow")
        folder = failing.site.folder / "slow"
        folder.mkdir()
        with failing.outages["slow"]():
            tally = rate_at_once(failing.site.address, "slow", tokens, folder, replayed=0)
        assert tally.statuses == {200: 4, 201: 4, 204: 2}
        assert min(tally.seconds) > SLOW_BY
