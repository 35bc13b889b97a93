"""What the command line does with a database that is not the one that the code expects, seen from
outside: real processes, real databases."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from tests.migrated import address_of
from tests.site import ROOT, Site, running_site

pytestmark = pytest.mark.slow


IS_POSTGRES = bool(os.environ.get("DATABASE_URL"))
CREATE = ("create_campaign", "rivers", "--protocol", "ae", "--overlap", "1")
_FORGET = """
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute("DELETE FROM django_migrations WHERE app = 'sessions'")
    cursor.execute("DROP TABLE django_session")
"""
REMEMBER = """
from django.db.migrations.recorder import MigrationRecorder
from django.db import connection
MigrationRecorder(connection).record_applied({app!r}, "9999_from_the_future")
"""
_BEFORE_THE_FIRST_RELEASE = """
from django.db.migrations.recorder import MigrationRecorder
from django.db import connection
recorder = MigrationRecorder(connection)
recorder.migration_qs.filter(app="tasks").delete()
for name in ("0001_schema", "0031_suggestion_view"):
    recorder.record_applied("tasks", name)
"""
_COUNT = """
from tasks.models import Campaign
print(Campaign.objects.count())
"""

Process = subprocess.CompletedProcess[str]
Start = Callable[..., Process]


def start(folder: Path, *arguments: object, **variables: str) -> Process:
    return subprocess.run(
        [sys.executable, "manage.py", *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, "TOMAHTO_DATA": str(folder), "DATABASE_URL": "", **variables},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with running_site(tmp_path / "site", start=False) as made:
        yield made


def of_site(site: Site, *arguments: str) -> Process:
    return start(site.folder, *arguments, DATABASE_URL=site.environment["DATABASE_URL"])


def refusal(process: Process) -> str:
    """The one line with which it ended."""
    assert (process.returncode, process.stdout) == (1, "")
    assert process.stderr.count("\n") == 1, process.stderr
    return process.stderr.strip()


def test_older_database_is_migrated_or_the_command_says_what_to_run(site: Site) -> None:
    site.python(_FORGET)
    done = of_site(site, *CREATE)
    if IS_POSTGRES:
        assert refusal(done) == (
            "CommandError: the database is not ready for this version of Tomahto: "
            "run `manage.py migrate` first"
        )
        assert of_site(site, "migrate").returncode == 0
        done = of_site(site, *CREATE)
    assert done.returncode == 0
    assert site.python(_COUNT) == "1\n"


@pytest.mark.parametrize("command", [CREATE, ("migrate",), ("prepare",)])
def test_newer_database_is_left_alone(site: Site, command: tuple[str, ...]) -> None:
    site.python(REMEMBER.format(app="tasks"))
    assert refusal(of_site(site, *command)) == (
        "CommandError: the database is newer than this version of Tomahto, which does not know its "
        "migration tasks.9999_from_the_future: use the version that made it"
    )
    assert site.python(_COUNT) == "0\n"
    assert of_site(site, "showmigrations", "tasks").returncode == 0


@pytest.mark.parametrize("command", [CREATE, ("migrate",), ("prepare",)])
def test_database_from_before_the_first_release_is_left_alone(
    site: Site, command: tuple[str, ...]
) -> None:
    site.python(_BEFORE_THE_FIRST_RELEASE)
    assert refusal(of_site(site, *command)) == (
        "CommandError: the database is older than Tomahto 0.1.0, the first release, and cannot be "
        "brought up to date (it has the migration tasks.0031_suggestion_view): use a new data "
        "folder or database, or the version that made this one"
    )
    assert site.python(_COUNT) == "0\n"


def test_what_an_app_left_that_is_there_no_more_does_not_matter(site: Site) -> None:
    site.python(REMEMBER.format(app="axes"))
    assert of_site(site, *CREATE).returncode == 0


if IS_POSTGRES:

    def test_new_database_of_a_server_wants_to_be_migrated(tmp_path: Path) -> None:
        server = os.environ["DATABASE_URL"]
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute("CREATE DATABASE tomahto_of_nobody")
            try:
                address = address_of(server, "tomahto_of_nobody")
                said = refusal(start(tmp_path, *CREATE, DATABASE_URL=address))
            finally:
                connection.execute("DROP DATABASE tomahto_of_nobody WITH (FORCE)")
        assert said.endswith("run `manage.py migrate` first")
