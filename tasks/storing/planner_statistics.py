"""Telling the database's planner what an import has brought."""

from django.db import connection, transaction


def refresh_after_commit() -> None:
    """Have PostgreSQL count the tables that claims read, once the import is committed.

    By itself it would do so within a minute; until then it takes a full campaign for an empty one
    and sorts every open slot for each claim (40 ms at 24,000 slots instead of 0.3 ms).
    """
    if connection.vendor == "postgresql":
        transaction.on_commit(_analyze)


def _analyze() -> None:
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE tasks_slot, tasks_item, tasks_question")
