"""Do the files of a table say what the records make, the same in every format?"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from tomahto.releases.figures.closeness import LAST_DECIMAL, is_same
from tomahto.releases.files.json_lines import json_rows
from tomahto.releases.files.rows import Row
from tomahto.releases.files.spreadsheets import csv_of_version, spreadsheet_header, spreadsheet_rows
from tomahto.releases.files.tables import Batch, Table
from tomahto.releases.files.text_check import text_check
from tomahto.releases.stored.manifest import Manifest
from tomahto.releases.stored.reading import stored_rows

# What EM estimates can be rounded otherwise where the machine sums otherwise.
_ESTIMATED = ("dawid_skene_confidence", "dawid_skene_posterior")


def table_differences(folder: Path, manifest: Manifest, table: Table) -> Iterator[str]:
    """At most one difference for each file of the table."""
    for split in table.sizes:
        yield from _split_differences(folder, manifest, table, split)


def _split_differences(folder: Path, manifest: Manifest, table: Table, split: str) -> Iterator[str]:
    place = f"{table.name}/{split}"
    per_label = [column.name for column in table.columns if column.kind in ("votes", "shares")]
    stored = stored_rows(folder, manifest, table.name, split)
    parquet = _ParquetCheck((_with_tuples(row, per_label) for row in stored), place)
    with (
        text_check(folder, f"jsonl/{place}.jsonl") as lines,
        text_check(folder, f"csv/{place}.csv") as cells,
    ):
        cells.expect([spreadsheet_header(table.columns)])
        for batch in table.batches(split):
            settled = parquet.settled(batch)
            lines.expect(json_rows(table, settled))
            cells.expect(
                csv_of_version(manifest.terms.figures_version, spreadsheet_rows(table, settled))
            )
        yield from parquet.differences()
        yield from lines.differences()
        yield from cells.differences()


def _with_tuples(row: Row, per_label: Sequence[str]) -> Row:
    return row | {name: tuple(row[name].values()) for name in per_label}


class _ParquetCheck:
    """Reads stored rows along with those that the records make, up to the first that differs."""

    def __init__(self, stored: Iterator[Row], place: str) -> None:
        self._stored = enumerate(stored, start=1)
        self._place = place
        self._rows = 0
        self._difference: int | None = None

    def settled(self, batch: Batch) -> Batch:
        """The batch with its estimates as they are stored, or unchanged if a row differs."""
        made = [dict(zip(batch, row, strict=True)) for row in zip(*batch.values(), strict=True)]
        found = [row for _, row in islice(self._stored, len(made))]
        for number, (one, other) in enumerate(zip(found, made, strict=False), self._rows + 1):
            if self._difference is None and not _is_same_row(one, other):
                self._difference = number
        if self._difference is None and len(found) < len(made):
            self._difference = self._rows + len(found) + 1
        self._rows += len(made)
        if self._difference is not None:
            return batch
        return _with_estimates(batch, found)

    def differences(self) -> Iterator[str]:
        number = self._difference
        if number is None:
            number = next((number for number, _ in self._stored), None)
        if number is not None:
            yield f"{self._place}.parquet, row {number}: does not follow from the records"


def _is_same_row(found: Row, made: Row) -> bool:
    if found == made:
        return True
    return found.keys() == made.keys() and all(
        is_same(found[name], made[name], tolerance=LAST_DECIMAL)
        if name in _ESTIMATED
        else found[name] == made[name]
        for name in made
    )


def _with_estimates(batch: Batch, found: list[Row]) -> Mapping[str, list[object]]:
    estimated = {name: [row[name] for row in found] for name in _ESTIMATED if name in batch}
    return {name: estimated.get(name, list(values)) for name, values in batch.items()}
