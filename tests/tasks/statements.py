"""Counts the SQL statements of a call."""

from collections.abc import Callable
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext


def statements(call: Callable[[], Any]) -> tuple[int, Any]:
    with CaptureQueriesContext(connection) as queries:
        response = call()
    own = [q for q in queries.captured_queries if "SAVEPOINT" not in q["sql"]]
    return len(own), response
