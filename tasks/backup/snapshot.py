"""The database as it stands at one moment, while the site goes on writing."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction

_COPY = "snapshot"


@contextmanager
def snapshot(workplace: Path) -> Iterator[str]:
    """The alias of a database that stands still for the length of the block.

    PostgreSQL shows one transaction one moment. SQLite would keep writers out as long as somebody
    reads, so the database is copied first, by its online backup, to a file in `workplace`; writers
    wait for that, and no longer.
    """
    if connection.vendor == "postgresql":
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield DEFAULT_DB_ALIAS
        return
    copy = workplace / f"{_COPY}.sqlite3"
    try:
        _copy_to(copy)
        with _connected(copy):
            yield _COPY
    finally:
        for file in workplace.glob(f"{copy.name}*"):
            file.unlink()


def _copy_to(copy: Path) -> None:
    connection.ensure_connection()
    source: sqlite3.Connection = connection.connection
    with closing(sqlite3.connect(copy)) as target:
        source.backup(target)  # in one step: a writer between two would start it anew


@contextmanager
def _connected(copy: Path) -> Iterator[None]:
    connections.databases[_COPY] = {**connection.settings_dict, "NAME": str(copy)}
    try:
        yield
    finally:
        connections[_COPY].close()
        del connections[_COPY]
        del connections.databases[_COPY]
