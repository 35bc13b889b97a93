"""Failures are printed when they happen: a run that is ended from outside has said what it saw."""

import os

import psycopg
import pytest

LINES_SHOWN = 40
LONG = 60.0  # seconds after which a test that failed was probably waiting
SESSIONS = """
    SELECT pid, datname, state, wait_event_type, wait_event, pg_blocking_pids(pid)::text,
           (now() - xact_start)::text, left(query, 200)
    FROM pg_stat_activity
    WHERE backend_type = 'client backend' AND state <> 'idle' AND pid <> pg_backend_pid()
"""


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """With several processes the one that collects their reports prints them."""
    if not report.failed or "PYTEST_XDIST_WORKER" in os.environ:
        return
    lines = [f"{report.nodeid}: {report.when} failed after {report.duration:.0f} s"]
    lines += report.longreprtext.splitlines()[-LINES_SHOWN:]
    server = os.environ.get("DATABASE_URL")
    if server and report.duration > LONG:
        lines += ["What PostgreSQL was doing then:", *_sessions(server)]
    print("", *lines, sep="\n", flush=True)


def _sessions(server: str) -> list[str]:
    try:
        with psycopg.connect(server, connect_timeout=10, autocommit=True) as connection:
            return [" | ".join(map(str, row)) for row in connection.execute(SESSIONS)]
    except psycopg.Error as error:
        return [f"it does not answer: {error}"]
