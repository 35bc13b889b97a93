"""A statement that never ends fails its own test alone."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bootstrap.services import PrivatePostgres
from bootstrap.system import ROOT
from tests.migrated import address_of

OF_THIS_RUN = re.compile("PYTEST|FILE_TIMES")  # variables
COMMAND = ("-m", "pytest", "-q", "-c", str(ROOT / "pyproject.toml"), "-p", "tests.conftest")
TESTS = """
import pytest
from django.db import connection

from tasks.models import Campaign
from tests.factories import make_campaign


@pytest.mark.django_db
@pytest.mark.timeout(5, func_only=True)
def test_that_never_ends():
    make_campaign()
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        cursor.execute("LOCK TABLE tasks_campaign")
        cursor.execute("SELECT pg_sleep(3600)")


@pytest.mark.django_db
@pytest.mark.timeout(60, func_only=True)
def test_the_next():
    make_campaign()
    assert Campaign.objects.count() == 1
"""


@pytest.fixture
def server() -> Iterator[str]:
    """The address of a server that goes on without its client, as SQLite cannot."""
    if address := os.environ.get("TOMAHTO_TEST_POSTGRES_URL"):
        yield address
        return
    with PrivatePostgres() as private:
        yield private.url


def test_a_statement_that_never_ends_fails_its_own_test_alone(server: str, tmp_path: Path) -> None:
    file = tmp_path / "test_never.py"
    file.write_text(TESTS)
    inherited = {name: os.environ[name] for name in os.environ if not OF_THIS_RUN.search(name)}
    address = address_of(server, f"ended_{os.getpid()}")
    done = subprocess.run(
        [sys.executable, *COMMAND, str(file)],
        cwd=ROOT,
        env=inherited | {"PYTHONPATH": str(ROOT), "DATABASE_URL": address},
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert "1 failed, 1 passed" in done.stdout, done.stdout
    assert "test_that_never_ends: call failed" in done.stdout
