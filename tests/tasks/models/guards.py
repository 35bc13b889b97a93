"""The guards of append-only tables: taken away, to see what they keep."""

from django.db import connection, transaction


def execute(statement: str) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


def remove_guard(table: str) -> None:
    """Until the test's transaction is rolled back."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            for kind in ("no_change", "no_delete", "no_truncate"):
                cursor.execute(f"DROP TRIGGER {table}_{kind} ON {table}")
        else:
            for kind in ("no_UPDATE", "no_DELETE", "no_REPLACE"):
                cursor.execute(f"DROP TRIGGER {table}_{kind}")
