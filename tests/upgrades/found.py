"""The content of a site's database, in the terms of a backup's manifest."""

import hashlib
from collections.abc import Mapping, Sequence

from tasks.backup.tables import backed_up_models, fields_of, lines_of, rows_of


def tables_as_backed_up(columns: Mapping[str, Sequence[str]]) -> dict[str, tuple[int, str]]:
    """By table, of these columns: rows, and the SHA-256 that a backup's manifest would have."""
    found = {}
    for model in backed_up_models():
        table = model._meta.db_table
        if table in columns:
            fields = fields_of(model, columns[table])
            lines = list(lines_of(fields, rows_of(model, fields)))
            found[table] = (len(lines), hashlib.sha256(b"".join(lines)).hexdigest())
    return found
