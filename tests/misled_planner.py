"""PostgreSQL's planner as it is after rows of a table were rolled back: it expects none in any."""

from django.db import connection

_TABLES = "FROM pg_class WHERE relname LIKE 'tasks_%' AND relkind = 'r'"
_MISLEAD = """
UPDATE pg_class SET reltuples = 0, relpages = greatest(relpages, 1)
WHERE relname LIKE 'tasks_%' AND relkind = 'r'
"""


def mislead_planner() -> None:
    """From now on; SQLite has none to mislead."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
            cursor.execute(_MISLEAD)


def is_misled() -> bool:
    """Whether the planner still is, and nothing has counted the rows."""
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT bool_and(reltuples = 0) {_TABLES}")
        return bool(cursor.fetchone()[0])
