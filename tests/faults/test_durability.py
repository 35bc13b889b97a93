"""A rating is on the disk before it is acknowledged, as the system calls of the servers show.

A kill cannot show it: what a killed process has written is still in the memory of the machine.
"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from bootstrap import programs
from bootstrap.services import PrivatePostgres
from examples.rater import Rater
from tests.faults.campaigns import make_campaign
from tests.faults.system_calls import Answered, answered, wrapper
from tests.migrated import SQLITE_FILE
from tests.sampling import IS_LONG
from tests.site import Site, running_site

pytestmark = pytest.mark.faults

RATINGS = 100 if IS_LONG else 20
IS_POSTGRES = bool(os.environ.get("DATABASE_URL"))
# what the site sees to is taken away: the last sync on SQLite, every one on PostgreSQL
UNSYNCED = "SET synchronous_commit TO off" if IS_POSTGRES else "PRAGMA synchronous=NORMAL;"
UNGUARDED = 8
APPLICATION = "annotation_site.wsgi"
SUBMITTED = "POST /api/v1/assignments/"


class TracedPostgres(PrivatePostgres):
    """A durable server whose system calls are written down."""

    def __init__(self) -> None:
        super().__init__(durable=True)

    @property
    def calls(self) -> Path:
        return self.folder / "calls"

    def _command(self) -> Sequence[str]:
        return [*wrapper(programs.find_strace(), self.calls), *super()._command()]


class Traced:
    """A site, and what its ratings asked of the system."""

    def __init__(self, site: Site, server: TracedPostgres | None = None) -> None:
        self.site, self._server = site, server
        self.files = str(server.data / "pg_wal" if server else site.folder / SQLITE_FILE)

    def rate(self, slug: str, *, items: int, application: str = APPLICATION) -> list[Answered]:
        """Rate all items of a new campaign; what happened during each."""
        [token] = make_campaign(self.site, slug=slug, items=items, overlap=1, raters=1)
        web = self.site.folder / f"{slug}.calls"
        self.site.wrapper = wrapper(programs.find_strace(), web)
        self.site.start_web(threads=4, application=application)
        rater = Rater(self.site.address, token)
        while work := rater.claim(slug):
            rater.submit(work, {"q1": False, "q2": True})
        rater.close()
        self.site.stop()
        self.site.wrapper = ()
        outputs = [web, *([self._server.calls] if self._server else [])]
        return answered(outputs, request=SUBMITTED, files=self.files)


@pytest.fixture(scope="module")
def traced(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Traced]:
    folder = tmp_path_factory.mktemp("site")
    if not IS_POSTGRES:
        with running_site(folder, start=False) as site:
            yield Traced(site)
        return
    with TracedPostgres() as server:
        site = Site(folder, {"DATABASE_URL": server.url}, migrate=None)
        try:
            site.make_tables()
            yield Traced(site, server)
        finally:
            site.stop()


def test_every_rating_is_synced_before_it_is_acknowledged(traced: Traced) -> None:
    ratings = traced.rate("synced", items=RATINGS)
    assert [bool(each.synced) for each in ratings] == [True] * RATINGS
    if not IS_POSTGRES:  # whose log others write, too
        assert [each.unsynced for each in ratings] == [set()] * RATINGS


def test_a_rating_is_acknowledged_unsynced_without_the_guard(traced: Traced) -> None:
    traced.site.environment["UNSYNCED"] = UNSYNCED
    ratings = traced.rate("unsynced", items=UNGUARDED, application="tests.faults.unsynced")
    assert len(ratings) == UNGUARDED
    assert [each for each in ratings if each.unsynced or not each.synced] != []
