"""The rows of a table as the tests look at them: one mapping from column to value each."""

from typing import Any

from tomahto.releases.files.tables import Batch, Table


def rows_of(batch: Batch) -> list[dict[str, Any]]:
    return [dict(zip(batch, row, strict=True)) for row in zip(*batch.values(), strict=True)]


def table_rows(table: Table) -> list[dict[str, Any]]:
    """Of all splits, one after the other."""
    return [
        row for split in table.sizes for batch in table.batches(split) for row in rows_of(batch)
    ]
