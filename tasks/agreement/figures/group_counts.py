"""How many rows of a query are alike in some columns: a GROUP BY around one that groups already."""

from collections.abc import Sequence
from typing import Any

from django.db import connection
from django.db.models import QuerySet


def group_counts(query: QuerySet[Any, Any], columns: Sequence[str]) -> list[tuple[Any, ...]]:
    """The different values of these columns of the query, each followed by their number of rows.

    `columns` are names that the code gives, never a user. They come as the database has them: a
    day is a date with PostgreSQL and a text that begins with it in SQLite.
    """
    inner, parameters = query.query.sql_with_params()
    names = ", ".join(columns)
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {names}, COUNT(*) FROM ({inner}) AS grouped GROUP BY {names}",  # noqa: S608 - our names
            parameters,
        )
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows
