"""A table as CSV for programs and spreadsheets: the numbers in full, and nothing else."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from tomahto.estimates.estimate import Estimate
from tomahto.figures.table import Cell, PaperTable
from tomahto.figures.words import plain
from tomahto.text.spreadsheet_csv import csv_records, safe_text

PARTS = ("", "_low", "_high", "_n")
"""What follows the key of a column with estimates, in each of its four columns."""


def csv_table(table: PaperTable) -> str:
    """A header with the columns' keys, then the rows. Shares are from 0 to 1; what is undefined is
    empty; no cell can be taken for a formula.

    A column that holds an estimate becomes four: KEY, KEY_low and KEY_high, the ends of its
    interval, and KEY_n. Raises ValueError if another column has one of these keys.
    """
    parts = [_parts(table.column(column.key)[1]) for column in table.columns]
    header = [
        f"{column.key}{part}"
        for column, those in zip(table.columns, parts, strict=True)
        for part in those
    ]
    if len(set(header)) < len(header):
        raise ValueError(f"{table.key}: two columns of the CSV file have the same key")
    rows = (_row(row, parts) for row in table.rows)
    return "".join(csv_records([map(safe_text, header), *rows]))


def _parts(cells: Iterable[Cell]) -> Sequence[str]:
    return PARTS if any(isinstance(cell, Estimate) for cell in cells) else ("",)


def _row(row: Iterable[Cell], parts: Iterable[Sequence[str]]) -> Iterator[Cell]:
    return chain.from_iterable(map(_cells, row, map(len, parts)))


def _cells(cell: Cell, width: int) -> Iterator[Cell]:
    """What stands in the one or four columns of a cell."""
    if isinstance(cell, Estimate):
        yield from (cell.value, cell.low, cell.high, cell.n)
        return
    yield safe_text(plain(cell)) if isinstance(cell, str) else cell
    yield from (None,) * (width - 1)
