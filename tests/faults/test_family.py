"""./run: whichever of its processes is killed, the site comes back and nobody is left over."""

import os
import re
import shutil
import signal
import socket
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.faults.campaigns import make_campaign
from tests.faults.family import (
    CHILDREN,
    SCHEDULER,
    Family,
    await_that,
    everybody,
    family_of,
    is_there,
    proportional_size,
)
from tests.migrated import SQLITE_FILE, migrated_file
from tests.site import Site, running_site
from tests.tasks.management.test_schema import REMEMBER

pytestmark = pytest.mark.faults

STOPS_WITHIN = 15 + 5  # seconds
# MB; some 20 less without what libraries import because the environment of the tests has it
MOST_AT_REST = 240


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """Migrated, with a campaign in the place of the demo, whose loading would take long."""
    with running_site(tmp_path, environment={"TOMAHTO_STATIC": ""}, start=False) as made:
        make_campaign(made, items=1, overlap=1, raters=1, slug="demo-ae")
        yield made


def said(family: Family) -> str:
    return family.log.read_text()


def test_first_start_serves_the_files_that_it_has_collected(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    site = Site(folder, {"DATABASE_URL": ""}, migrate=None)
    with family_of(site) as family:
        await_that(lambda: "Tomahto is ready at" in said(family))
        page = read(f"{site.address}/login/")
        files = set(re.findall(r'"(/static/[^"]+)"', page))
        assert {each.rpartition(".")[2] for each in files} >= {"css", "js"}
        for each in files:
            assert read(f"{site.address}{each}")
    assert "Warning" not in said(family)


def read(address: str) -> str:
    """Raises HTTPError where there is nothing."""
    with urllib.request.urlopen(address, timeout=30) as answer:  # noqa: S310 - our own
        return str(answer.read().decode())


def test_every_child_that_is_killed_is_started_again(site: Site) -> None:
    with family_of(site) as family:
        family.await_ready()
        before = family.children()
        assert set(before) == CHILDREN
        for pid in before.values():
            os.kill(pid, signal.SIGKILL)

        def are_others_there() -> bool:
            now = family.children()
            return set(now) == CHILDREN and not set(now.values()) & set(before.values())

        await_that(are_others_there)
        family.await_ready()
        assert family.process.poll() is None
    for name in ("web", "worker", "scheduler"):
        line = f"the {name} process ended (signal SIGKILL); starting it again in 1 s\n"
        assert said(family).count(line) == 1


def test_stop_leaves_nobody(site: Site) -> None:
    with family_of(site) as family:
        family.await_ready()
        all_of_them = everybody(family.process.pid)
        assert len(all_of_them) == 6  # gunicorn and Celery have a process each that does the work
        family.process.send_signal(signal.SIGINT)
        assert family.process.wait(STOPS_WITHIN) == 0
        assert not any(map(is_there, all_of_them))
    assert said(family).endswith("Stopping …\nStopped.\n")


def test_killed_run_leaves_nobody_and_starts_again(site: Site) -> None:
    with family_of(site) as killed:
        killed.await_ready()
        all_of_them = everybody(killed.process.pid)
        killed.process.kill()
        # without a pause, and before anybody has looked for how it ended
        with family_of(site) as family:
            await_that(lambda: not any(map(is_there, all_of_them)))
            await_that(lambda: set(family.children()) == CHILDREN)
            family.await_ready()


def test_second_run_beside_a_living_one_is_refused(site: Site) -> None:
    with family_of(site) as family:
        family.await_ready()
        with family_of(site) as second:
            assert second.process.wait(STOPS_WITHIN) == 1
        refusal = f"run: another ./run is serving {site.folder} already: stop it, or choose another"
        assert said(second).splitlines()[-1] == f"{refusal} --data"
        assert site.readiness()["status"] == 200


def is_begun(part: Path) -> bool:
    """Of the database: its log grows long before its file does. A journal may be gone by now."""
    with suppress(FileNotFoundError):
        return part.stat().st_size > 100_000
    return False


def test_start_after_a_kill_in_the_first_migration_works(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    site = Site(folder, {"DATABASE_URL": "", "TOMAHTO_STATIC": ""}, migrate=None)
    with family_of(site) as killed:
        await_that(lambda: "tomahto-prepare" in killed.children())
        preparing = killed.children()["tomahto-prepare"]
        await_that(lambda: any(map(is_begun, folder.glob("*.sqlite3*"))))
        killed.process.kill()
        await_that(lambda: not is_there(preparing))
    with family_of(site) as family:
        family.await_ready()
        assert "Tomahto is ready at" in said(family)


def is_there_yet(family: Family, stage: str) -> bool:
    """How far a start has come."""
    if stage == "lock":
        return str(family.process.pid) in (family.site.folder / "serving.lock").read_text()
    if stage == "ready":
        return "Tomahto is ready at" in said(family)
    return stage in family.children()


@pytest.mark.parametrize(
    "stage", ["lock", "tomahto-prepare", "tomahto-web", "tomahto-worker", SCHEDULER, "ready"]
)
def test_start_after_a_kill_at_any_stage_of_a_start_works(site: Site, stage: str) -> None:
    (site.folder / "serving.lock").touch()
    with family_of(site) as killed:
        await_that(lambda: is_there_yet(killed, stage))
        killed.process.kill()
    with family_of(site) as family:
        await_that(lambda: set(family.children()) == CHILDREN)
        family.await_ready()
        assert family.process.poll() is None


def test_copy_of_two_moments_is_not_served(tmp_path: Path) -> None:
    site = Site(tmp_path, {"DATABASE_URL": "", "TOMAHTO_STATIC": ""}, migrate=None)
    database = Path(shutil.copy(migrated_file(), tmp_path / SQLITE_FILE))
    before = database.read_bytes()
    make_campaign(site, items=300, overlap=3, raters=1, slug="more")
    after = database.read_bytes()
    half = len(before) // 2
    torn = before[:half] + after[half:]
    database.write_bytes(torn)
    backups = site.folder / "backups"
    backups.mkdir()
    (backups / "tomahto-20260302T020000Z.tar.gz").touch()
    with family_of(site) as family:
        assert family.process.wait(STOPS_WITHIN) == 1
    (line,) = said(family).splitlines()
    assert line.startswith(f"run: the database {database} is damaged (")
    newest = backups / "tomahto-20260302T020000Z.tar.gz"
    assert line.endswith(
        f"restore its newest backup with `./run --data NEW manage restore {newest}`"
    )
    assert database.read_bytes() == torn


def test_database_of_newer_software_is_not_served(site: Site) -> None:
    site.python(REMEMBER.format(app="tasks"))
    with family_of(site) as family:
        assert family.process.wait(STOPS_WITHIN) == 1
    assert said(family) == (
        "run: the database is newer than this version of Tomahto, which does not know its "
        "migration tasks.9999_from_the_future: use the version that made it\n"
    )


def test_port_that_is_taken_is_said_at_once(site: Site) -> None:
    with socket.create_server(("127.0.0.1", site.port)), family_of(site) as family:
        assert family.process.wait(STOPS_WITHIN) == 1
    assert said(family) == f"run: port {site.port} is taken: choose another one with --port\n"


def test_settings_that_cannot_be_used_are_one_line(site: Site) -> None:
    site.environment["TOMAHTO_TRUSTED_PROXIES"] = "many"
    with family_of(site) as family:
        assert family.process.wait(STOPS_WITHIN) == 1
    line = "run: SettingError: TOMAHTO_TRUSTED_PROXIES must be a whole number, not 'many'"
    assert said(family) == f"{line}\n"


def test_all_processes_together_take_little_memory(site: Site) -> None:
    """What several share counts once (proportional set size)."""
    with family_of(site) as first:
        first.await_ready()
        first.stop()
    with family_of(site) as family:
        await_that(lambda: set(family.children()) == CHILDREN)
        family.await_ready()
        sizes = {pid: proportional_size(pid) for pid in everybody(family.process.pid)}
        threads = list(Path(f"/proc/{family.process.pid}/task").iterdir())
    assert sum(sizes.values()) < MOST_AT_REST
    assert len(threads) == 1  # what is forked from has none of its own
