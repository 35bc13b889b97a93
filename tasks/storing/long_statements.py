"""Statements that handle all the rows of a campaign at once."""

from django.db import connection


def allow_long_statements() -> None:
    """In this transaction PostgreSQL ends none before an hour; elsewhere there is no limit."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL statement_timeout = '1h'")
