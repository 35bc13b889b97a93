"""A test that its timeout ends leaves nothing behind in PostgreSQL for the next ones to wait for.

Left alone, the database would go on with the test's statement for as long as it takes, and keep
its locks.
"""

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from django.db import connections
from psycopg.pq import TransactionStatus

ENDED_BY_TIMEOUT = "Timeout (>"  # how pytest-timeout's message begins
_END_OTHERS = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid NOT IN (pg_backend_pid(), %s)
"""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(call: pytest.CallInfo[None]) -> Iterator[None]:
    """Before anything is torn down."""
    if call.excinfo is not None and str(call.excinfo.value).startswith(ENDED_BY_TIMEOUT):
        for connection in connections.all(initialized_only=True):
            if isinstance(connection.connection, psycopg.Connection):
                _cancel(connection.connection)
                _end_others(connection.connection)
    return (yield)


def _cancel(connection: psycopg.Connection[Any]) -> None:
    """Cancel its statement; the transaction stays, failed, for whoever rolls it back."""
    if connection.pgconn.transaction_status == TransactionStatus.ACTIVE:
        connection.pgconn.get_cancel().cancel()
        while connection.pgconn.get_result() is not None:
            pass


def _end_others(connection: psycopg.Connection[Any]) -> None:
    """End the sessions of threads that the test started, and of servers on its database."""
    info = connection.info
    with psycopg.connect(
        host=info.host,
        port=info.port,
        user=info.user,
        password=info.password,
        dbname=info.dbname,
        autocommit=True,
    ) as ending:
        ending.execute(_END_OTHERS, [info.backend_pid])
