"""The command line at a database that is not the one that the code expects, seen from outside: real
processes, real databases."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from bootstrap.system import free_port
from tests.migrated import SQLITE_FILE, address_of, migrated_file
from tests.sampling import mostly
from tests.site import ROOT, Site, running_site

pytestmark = pytest.mark.slow


IS_POSTGRES = bool(os.environ.get("DATABASE_URL"))
CREATE = ("create_campaign", "rivers", "--protocol", "ae", "--overlap", "1")
_FORGET = ("DELETE FROM django_migrations WHERE app = 'sessions'", "DROP TABLE django_session")
_BEFORE_THE_FIRST_RELEASE = ("DELETE FROM django_migrations WHERE app = 'tasks'",)

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


def remembering(app: str, *names: str) -> tuple[str, ...]:
    """The statements after which these migrations count as applied."""
    return tuple(
        "INSERT INTO django_migrations (app, name, applied) "
        f"VALUES ('{app}', '{name}', '2026-03-01')"
        for name in names
    )


NEWER = remembering("tasks", "9999_from_the_future")
OLDER = (*_BEFORE_THE_FIRST_RELEASE, *remembering("tasks", "0001_schema", "0031_suggestion_view"))


def execute(site: Site, *statements: str) -> None:
    """Do so to its database, of either kind."""
    if server := site.environment["DATABASE_URL"]:
        with psycopg.connect(server) as connection:
            for statement in statements:
                connection.execute(statement)
        return
    with closing(sqlite3.connect(site.folder / SQLITE_FILE)) as file, file:
        for statement in statements:
            file.execute(statement)


def count(site: Site, table: str = "tasks_campaign") -> int:
    """The rows of a table, which has to be there."""
    counted = f"SELECT count(*) FROM {table}"
    if server := site.environment["DATABASE_URL"]:
        with psycopg.connect(server) as connection:
            return int(connection.execute(counted).fetchall()[0][0])
    with closing(sqlite3.connect(site.folder / SQLITE_FILE)) as file:
        return int(file.execute(counted).fetchall()[0][0])


def of_site(site: Site, *arguments: str) -> Process:
    return start(site.folder, *arguments, DATABASE_URL=site.environment["DATABASE_URL"])


def refusal(process: Process) -> str:
    """The one line with which it ended."""
    assert (process.returncode, process.stdout) == (1, "")
    assert process.stderr.count("\n") == 1, process.stderr
    return process.stderr.strip()


@pytest.mark.thorough
def test_first_command_on_a_new_folder_makes_the_database(tmp_path: Path) -> None:
    done = start(tmp_path / "new" / "data", *CREATE, "--json")
    assert (done.returncode, done.stderr) == (0, "Making the database ready …\n")
    assert json.loads(done.stdout)["slug"] == "rivers"
    done = start(tmp_path / "new" / "data", "create_campaign", "lakes", *CREATE[2:])
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.thorough
def test_two_commands_at_once_make_it_once(tmp_path: Path) -> None:
    commands = [
        subprocess.Popen(
            [sys.executable, "manage.py", "create_campaign", slug, *CREATE[2:]],
            cwd=ROOT,
            env={**os.environ, "TOMAHTO_DATA": str(tmp_path), "DATABASE_URL": ""},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        for slug in ("rivers", "lakes")
    ]
    assert [(command.wait(120), command.communicate()[1]) for command in commands] == [
        (0, "Making the database ready …\n".encode())
    ] * 2


def test_commands_without_a_database_make_none(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "data"
    done = start(folder, "lint_templates", "--help")
    assert (done.returncode, folder.is_dir(), (folder / SQLITE_FILE).exists()) == (0, True, False)


@pytest.mark.thorough
def test_djangos_own_commands_find_a_database_too(tmp_path: Path) -> None:
    done = start(tmp_path, "createsuperuser", "--noinput", "--username", "ann", "--email", "")
    assert (done.returncode, done.stderr) == (0, "Making the database ready …\n")


def test_older_database_is_migrated_or_the_command_says_what_to_run(site: Site) -> None:
    execute(site, *_FORGET)
    done, said = of_site(site, *CREATE), "Making the database ready …\n"
    if IS_POSTGRES:
        assert refusal(done) == (
            "CommandError: the database is not ready for this version of Tomahto: "
            "run `./run manage migrate`, or the service migrate of docker/compose.yaml, first"
        )
        assert of_site(site, "migrate").returncode == 0
        done, said = of_site(site, *CREATE), ""
    assert (done.returncode, done.stderr) == (0, said)
    assert (count(site), count(site, "django_session")) == (1, 0)


@pytest.mark.parametrize("command", mostly([CREATE, ("migrate",), ("prepare",)], CREATE))
@pytest.mark.parametrize(
    ("statements", "error"),
    [
        pytest.param(
            NEWER,
            "the database is newer than this version of Tomahto, which does not know its migration "
            "tasks.9999_from_the_future: use the version that made it",
            id="newer",
        ),
        pytest.param(
            OLDER,
            "the database is older than Tomahto 0.1.0, the first release, and cannot be upgraded "
            "(it has the migration tasks.0031_suggestion_view): use a new data folder or "
            "database, or the version that made this one",
            id="before the first release",
        ),
    ],
)
def test_database_of_another_version_is_left_alone(
    site: Site, statements: tuple[str, ...], error: str, command: tuple[str, ...]
) -> None:
    execute(site, *statements)
    assert refusal(of_site(site, *command)) == f"CommandError: {error}"
    assert count(site) == 0


@pytest.mark.thorough
def test_newer_database_can_be_looked_at(site: Site) -> None:
    execute(site, *NEWER)
    assert of_site(site, "showmigrations", "tasks").returncode == 0


def test_file_that_is_no_database_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / SQLITE_FILE).write_bytes(b"my shopping list, which is no database at all" * 100)
    assert refusal(start(tmp_path, *CREATE)) == (
        f"DatabaseError: the database {tmp_path / SQLITE_FILE} cannot be used: "
        "file is not a database"
    )


def test_folder_that_cannot_be_made_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    folder = tmp_path / "file" / "data"
    said = refusal(start(folder, *CREATE))
    assert said.startswith(f"ImproperlyConfigured: the data folder {folder} cannot be used: ")


def test_database_that_cannot_be_opened_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / SQLITE_FILE).mkdir()
    assert refusal(start(tmp_path, *CREATE)) == (
        f"OperationalError: the database {tmp_path / SQLITE_FILE} cannot be used: "
        "unable to open database file"
    )


def test_server_that_does_not_answer_is_said_in_one_line(tmp_path: Path) -> None:
    address = f"postgresql://ann@127.0.0.1:{free_port()}/tomahto"
    said = refusal(start(tmp_path, *CREATE, DATABASE_URL=address))
    assert said.startswith("OperationalError: the database cannot be reached: connection failed")


def test_migrations_that_others_replace_or_an_app_left_are_no_matter(tmp_path: Path) -> None:
    """A database that has seen those that a squashed one stands for is known, and so is one that
    had apps which are there no more."""
    shutil.copy(migrated_file(), tmp_path / SQLITE_FILE)
    package = tmp_path / "apps" / "squashed"
    (package / "migrations").mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "migrations" / "__init__.py").touch()
    (package / "migrations" / "0001_all.py").write_text(
        "from django.db import migrations\n"
        "class Migration(migrations.Migration):\n"
        "    replaces = [('squashed', '0001_first'), ('squashed', '0002_second')]\n"
    )
    (tmp_path / "apps" / "more_settings.py").write_text(
        "from annotation_site.settings import *\nINSTALLED_APPS += ['squashed']\n"
    )
    site = Site(tmp_path, {"DATABASE_URL": ""}, migrate=None)
    execute(site, *remembering("squashed", "0001_first", "0002_second"))
    execute(site, *remembering("axes", "9999_from_the_future"))
    variables = {
        "PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path / 'apps'}",
        "DJANGO_SETTINGS_MODULE": "more_settings",
    }
    assert start(tmp_path, *CREATE, **variables).returncode == 0


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
        assert said.endswith("the service migrate of docker/compose.yaml, first")
