"""The content of a database's tables, whatever its schema is at the moment."""

import hashlib
from collections import defaultdict

from django.db import connection

Hashes = dict[str, dict[str, str]]
MANY = 2000


def table_hashes(*tables: str) -> Hashes:
    """By table and column, a hash of all its values in the order of the rows' primary key."""
    return {table: _columns(table) for table in tables}


def _columns(table: str) -> dict[str, str]:
    named, look = connection.ops.quote_name, connection.introspection
    hashes: defaultdict[str, hashlib._Hash] = defaultdict(hashlib.sha256)
    with connection.cursor() as cursor:
        names = [column.name for column in look.get_table_description(cursor, table)]
        order = named(str(look.get_primary_key_column(cursor, table)))
        columns = ", ".join(map(named, names))
        cursor.execute(f"SELECT {columns} FROM {named(table)} ORDER BY {order}")
        while rows := cursor.fetchmany(MANY):
            for name, values in zip(names, zip(*rows, strict=True), strict=True):
                hashes[name].update(repr(values).encode())
    return {name: found.hexdigest() for name, found in hashes.items()}
