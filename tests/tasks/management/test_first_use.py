"""What the command line does with a data folder that has no database yet, or none that can be used:
real processes. The database is SQLite, whatever the run's is.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bootstrap.processes import free_port
from tests.migrated import SQLITE_FILE, migrated_file
from tests.site import ROOT, Site
from tests.tasks.management.test_schema import CREATE, REMEMBER, refusal, start

pytestmark = pytest.mark.slow


def test_first_command_on_a_new_folder_makes_the_database(tmp_path: Path) -> None:
    done = start(tmp_path / "new" / "data", *CREATE, "--json")
    assert (done.returncode, done.stderr) == (0, "Making the database ready …\n")
    assert json.loads(done.stdout)["slug"] == "rivers"
    done = start(tmp_path / "new" / "data", "create_campaign", "lakes", *CREATE[2:])
    assert (done.returncode, done.stderr) == (0, "")


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
    done = start(tmp_path, "lint_templates", "--help")
    assert (done.returncode, (tmp_path / SQLITE_FILE).exists()) == (0, False)


def test_djangos_own_commands_find_a_database_too(tmp_path: Path) -> None:
    done = start(tmp_path, "createsuperuser", "--noinput", "--username", "ann", "--email", "")
    assert (done.returncode, done.stderr) == (0, "Making the database ready …\n")


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


def test_squashed_migrations_are_known(tmp_path: Path) -> None:
    """Of a migration that stands for others: who has seen those has a database that is known."""
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
    for name in ("0001_first", "0002_second"):
        site.python(REMEMBER.format(app="squashed").replace("9999_from_the_future", name))
    variables = {
        "PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path / 'apps'}",
        "DJANGO_SETTINGS_MODULE": "more_settings",
    }
    assert start(tmp_path, *CREATE, **variables).returncode == 0
