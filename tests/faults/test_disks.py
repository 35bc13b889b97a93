"""A disk that runs full or becomes read-only: /readyz says so, nothing is acknowledged that is not
stored, pages and calls answer 503, and the site is well again by itself.
"""

import json
import os
import shutil
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

from examples.rater import Rater, Refused
from tests.faults.campaigns import look, make_campaign
from tests.faults.family import RUN
from tests.faults.small_disk import SmallDisk, small_disk
from tests.migrated import SQLITE_FILE, migrated_file
from tests.site import ROOT, Site, running_site

pytestmark = pytest.mark.faults

IS_POSTGRES = bool(os.environ.get("DATABASE_URL"))
ANSWERS = {"q1": False, "q2": True, "q3": None, "q4": None}


RaterAt = Callable[[Site, str], Rater]


@pytest.fixture
def rater_at() -> Iterator[RaterAt]:
    """Raters by their tokens, whose connections end with the test."""
    with ExitStack() as stack:
        yield lambda site, token: stack.enter_context(closing(Rater(site.address, token)))


def storage(site: Site) -> dict[str, Any]:
    """What /readyz says of it; the status is 503 anyway, as there is no scheduler."""
    said = site.readiness()
    parts = [part for part in said["missing"].split("; ") if part.startswith("storage: ")]
    return {"status": said["status"], "storage": said["storage"], "said": parts}


WELL = {"status": 503, "storage": True, "said": []}


def claimed(rater: Rater) -> Any:
    work = rater.claim("races")
    assert work
    return work


def refused(rater: Rater, work: Any) -> dict[str, Any]:
    """The refusal of a rating that cannot be stored."""
    with pytest.raises(Refused) as refusal:
        rater.submit(work, ANSWERS)
    return {"status": refusal.value.status, **json.loads(refusal.value.body)}


def log_in(site: Site) -> tuple[int, str]:
    """Status and text of the page that answers a form; it stores who tried."""
    jar = urllib.request.HTTPCookieProcessor()
    browser = urllib.request.build_opener(jar)
    address = f"{site.address}/login/"
    with browser.open(address, timeout=30) as answer:
        page = answer.read().decode()
    secret = page.partition('name="csrfmiddlewaretoken" value="')[2].partition('"')[0]
    form = {"username": "nobody", "password": "wrong", "csrfmiddlewaretoken": secret}
    try:
        with browser.open(address, urllib.parse.urlencode(form).encode(), timeout=60) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


if IS_POSTGRES:
    _FULL = """
    CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$;
    CREATE TRIGGER no_room BEFORE INSERT ON tasks_rating EXECUTE FUNCTION no_room();
    """

    @pytest.fixture
    def site(tmp_path: Path) -> Iterator[Site]:
        with running_site(tmp_path) as made:
            yield made

    def on_server(site: Site, statement: str) -> None:
        address = site.environment["DATABASE_URL"]
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute("SET default_transaction_read_only = off")
            connection.execute(statement)

    def test_server_whose_disk_is_full(site: Site, rater_at: RaterAt) -> None:
        (token,) = make_campaign(site, items=2, overlap=1, raters=1)
        rater = rater_at(site, token)
        work = claimed(rater)
        assert storage(site) == WELL
        on_server(site, _FULL)
        assert refused(rater, work) == {
            "status": 503,
            "detail": "the site cannot store anything at the moment, its disk is full: nothing of "
            "this was stored",
        }
        assert storage(site) == {
            "status": 503,
            "storage": False,
            "said": [
                (
                    "storage: a disk of the site was full a moment ago: make room on it, and the"
                    " site goes on by itself"
                )
            ],
        }
        assert look(site)["ratings"] == []
        on_server(site, "DROP FUNCTION no_room CASCADE")
        assert rater.submit(work, ANSWERS)["label"]
        assert len(look(site)["ratings"]) == 1

    def test_server_that_can_only_be_read(site: Site, rater_at: RaterAt) -> None:
        (token,) = make_campaign(site, items=2, overlap=1, raters=1)
        rater = rater_at(site, token)
        work = claimed(rater)
        name = site.environment["DATABASE_URL"].rpartition("/")[2].partition("?")[0]
        others = (
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            f" WHERE datname = '{name}' AND pid <> pg_backend_pid()"
        )
        on_server(site, f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        on_server(site, others)
        assert refused(rater, work)["status"] == 503
        assert storage(site)["said"] == [
            (
                "storage: the database is read-only: have it written to again, and the site goes on"
                " by itself"
            )
        ]
        status, page = log_in(site)
        assert status == 503
        assert "The site can only be read." in page
        on_server(site, f"ALTER DATABASE {name} RESET default_transaction_read_only")
        on_server(site, others)
        assert rater.submit(work, ANSWERS)["label"]
        assert len(look(site)["ratings"]) == 1

else:

    @pytest.fixture
    def disk(tmp_path: Path) -> Iterator[SmallDisk]:
        with small_disk(tmp_path / "disk") as made:
            shutil.copy(migrated_file(), made.outside / SQLITE_FILE)
            yield made

    @pytest.fixture
    def site(tmp_path: Path, disk: SmallDisk) -> Iterator[Site]:
        """Its data are on the small disk, its logs are not."""
        variables = {"TOMAHTO_DATA": str(disk.inside), "DATABASE_URL": ""}
        made = Site(tmp_path, variables, migrate=None)
        made.wrapper = disk.enter
        try:
            yield made
        finally:
            made.stop()

    def campaign_on(disk: SmallDisk, site: Site) -> str:
        """A campaign in the database on the disk; the token of its rater."""
        here = Site(site.folder / "here", {"DATABASE_URL": ""}, migrate=None)
        here.folder.mkdir()
        shutil.copy(migrated_file(), here.folder / SQLITE_FILE)
        (token,) = make_campaign(here, items=2, overlap=1, raters=1)
        shutil.copy(here.folder / SQLITE_FILE, disk.outside / SQLITE_FILE)
        return token

    def ratings_on(disk: SmallDisk, site: Site) -> int:
        here = Site(site.folder / "looked", {"DATABASE_URL": ""}, migrate=None)
        here.folder.mkdir()
        for file in disk.outside.glob(f"{SQLITE_FILE}*"):
            shutil.copy(file, here.folder)
        return len(look(here)["ratings"])

    def test_full_disk(site: Site, disk: SmallDisk, rater_at: RaterAt) -> None:
        rater = rater_at(site, campaign_on(disk, site))
        site.start_web()
        work = claimed(rater)
        assert storage(site) == WELL
        disk.fill()
        assert refused(rater, work) == {
            "status": 503,
            "detail": "the site cannot store anything at the moment, its disk is full: nothing of "
            "this was stored",
        }
        assert storage(site) == {
            "status": 503,
            "storage": False,
            "said": [
                (
                    f"storage: the disk of {disk.inside} is full: make room on it, and the site"
                    " goes on by itself"
                )
            ],
        }
        status, page = log_in(site)
        assert status == 503
        assert "The disk of the site is full." in page
        disk.make_room()
        assert rater.submit(work, ANSWERS)["label"]
        site.stop()
        assert ratings_on(disk, site) == 1

    def test_disk_that_can_only_be_read(site: Site, disk: SmallDisk, rater_at: RaterAt) -> None:
        token = campaign_on(disk, site)
        site.start_web()  # makes what it needs beside the database
        site.stop()
        disk.remount("ro")
        site.launch_web(workers=1, threads=2)
        site.await_port()
        assert site.readiness()["storage"] is False
        assert f"storage: the disk of {disk.inside} is read-only" in site.readiness()["missing"]
        with pytest.raises(Refused) as refusal:
            rater_at(site, token).claim("races")
        assert refusal.value.status == 503
        disk.remount("rw")
        rater = rater_at(site, token)
        assert rater.submit(rater.claim("races") or {}, ANSWERS)["label"]
        assert site.readiness()["database"] is True

    @pytest.mark.parametrize(
        ("fault", "said"),
        [("full", "its disk is full; make room and start again"), ("ro", "its disk is read-only")],
    )
    def test_run_says_in_one_line_that_it_cannot_write(
        disk: SmallDisk, fault: str, said: str, tmp_path: Path
    ) -> None:
        (disk.outside / "logs").mkdir()
        disk.fill() if fault == "full" else disk.remount("ro")
        done = subprocess.run(
            [*disk.enter, sys.executable, "-c", RUN, "--data", str(disk.inside)],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        line = f"run: the data folder {disk.inside} cannot be written to: {said}\n"
        assert (done.returncode, done.stdout, done.stderr) == (1, "", line)
        assert not (tmp_path / "disk/serving.lock").exists()
