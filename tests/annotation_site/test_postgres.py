"""The check of a kept PostgreSQL connection, whatever the run's database is.

On the server that `./test` provides, or the run's own; where there is neither, on a private one.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connection as site_connection

from annotation_site import env
from annotation_site.postgres.base import DatabaseWrapper
from bootstrap.services import POSTGRES_URL, PrivatePostgres
from tests.site import ROOT

RUNS_OWN = "DATABASE_URL"


class Statements:
    """Counts what is sent to the server."""

    def __init__(self) -> None:
        self.sent: list[str] = []

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        self.sent.append(sql)
        return execute(sql, params, many, context)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    if given := os.environ.get(POSTGRES_URL) or os.environ.get(RUNS_OWN):
        yield given
        return
    with PrivatePostgres() as server:
        yield server.url


@pytest.fixture
def wrapper(
    address: str, django_db_blocker: Any, monkeypatch: pytest.MonkeyPatch
) -> Iterator[DatabaseWrapper]:
    monkeypatch.setenv(POSTGRES_URL, address)
    settings = {**site_connection.settings_dict, **(env.postgres(POSTGRES_URL) or {})}
    made = DatabaseWrapper({**settings, "CONN_HEALTH_CHECKS": True, "CONN_MAX_AGE": None})
    with django_db_blocker.unblock():
        made.ensure_connection()
        yield made
        made.close()


def backend_of(wrapper: DatabaseWrapper) -> int:
    with wrapper.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        pid: int = cursor.fetchone()[0]
    return pid


def end_backend(address: str, pid: int) -> None:
    with psycopg.connect(address, autocommit=True) as operator:
        assert operator.execute("SELECT pg_terminate_backend(%s, 5000)", [pid]).fetchone() == (
            True,
        )


def test_quiet_connection_is_usable_without_asking(wrapper: DatabaseWrapper) -> None:
    statements = Statements()
    with wrapper.execute_wrapper(statements):
        assert wrapper.is_usable()
    assert statements.sent == []


def test_connection_ended_by_the_server_is_replaced(wrapper: DatabaseWrapper, address: str) -> None:
    pid = backend_of(wrapper)
    end_backend(address, pid)
    assert not wrapper.is_usable()
    wrapper.close_if_unusable_or_obsolete()  # as at the start of every request
    assert backend_of(wrapper) != pid


def test_notice_on_the_socket_does_not_end_a_connection(
    wrapper: DatabaseWrapper, address: str
) -> None:
    with wrapper.cursor() as cursor:
        cursor.execute("LISTEN tomahto_test")
    with psycopg.connect(address, autocommit=True) as operator:
        operator.execute("NOTIFY tomahto_test")
    pid = backend_of(wrapper)
    assert wrapper.is_usable()
    assert backend_of(wrapper) == pid


def test_closed_connection_is_not_usable(wrapper: DatabaseWrapper) -> None:
    assert wrapper.connection is not None
    wrapper.connection.close()
    assert not wrapper.is_usable()


@pytest.mark.parametrize(("given", "kept"), [("off", "on"), ("on", "on"), ("local", "local")])
def test_connection_commits_durably_whatever_the_server_is_set_up_with(
    wrapper: DatabaseWrapper, given: str, kept: str
) -> None:
    wrapper.close()
    wrapper.settings_dict["OPTIONS"]["options"] = f"-c synchronous_commit={given}"
    with wrapper.cursor() as cursor:
        cursor.execute("SHOW synchronous_commit")
        assert cursor.fetchone() == (kept,)


def test_server_that_may_lose_commits_is_warned_of(wrapper: DatabaseWrapper) -> None:
    with wrapper.cursor() as cursor:
        cursor.execute("SELECT name FROM pg_settings WHERE setting = 'off' ORDER BY name")
        off = {name for (name,) in cursor.fetchall()}
    # both are off where `./test` provides the server
    names = [name for name in ("fsync", "full_page_writes") if name in off]
    warnings = wrapper.validation.check()
    assert [warning.msg for warning in warnings] == [
        f"PostgreSQL runs with {name} = off." for name in names
    ]


@pytest.mark.parametrize(("name", "value"), [("cursor_tuple_fraction", "1"), ("jit", "off")])
def test_cursors_are_read_to_their_end_and_statements_are_not_compiled(
    wrapper: DatabaseWrapper, name: str, value: str
) -> None:
    with wrapper.cursor() as cursor:
        cursor.execute(f"SHOW {name}")
        assert cursor.fetchone() == (value,)


LIMITS = """
from django.db import connection
with connection.cursor() as cursor:
    for limit in "statement_timeout", "idle_in_transaction_session_timeout":
        cursor.execute(f"SHOW {limit}")
        print(*cursor.fetchone())
"""


@pytest.mark.parametrize(
    ("first", "limits"),
    [
        ("import django; django.setup()", "1h 1h"),  # as commands and workers do
        ("import annotation_site.celery, django; django.setup()", "1h 1h"),
        ("import annotation_site.wsgi", "7s 5min"),
    ],
)
def test_requests_have_short_limits_and_others_an_hour(
    address: str, tmp_path: Path, first: str, limits: str
) -> None:
    variables = {"DATABASE_URL": address, "TOMAHTO_DATA": str(tmp_path)}
    variables |= {"TOMAHTO_STATEMENT_SECONDS": "7"}
    done = subprocess.run(
        [sys.executable, "-c", f"{first}\n{LIMITS}"],
        cwd=ROOT,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "annotation_site.settings", **variables},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=True,
    )
    assert done.stdout.split() == limits.split()


def test_rows_of_a_cursor_are_read_longer_than_a_statement_may_take(
    wrapper: DatabaseWrapper,
) -> None:
    """As downloads of ratings are."""
    with wrapper.cursor() as cursor:
        cursor.execute("SET statement_timeout = '100ms'")
    with wrapper.chunked_cursor() as cursor:
        cursor.execute("SELECT pg_sleep(0.03) FROM generate_series(1, 10)")
        assert len(cursor.fetchmany(2)) == 2
        assert len(cursor.fetchall()) == 8
