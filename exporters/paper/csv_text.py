"""A table as CSV for programs and spreadsheets: the numbers in full, and nothing else."""

import csv
import io

from exporters.paper.table import Cell, PaperTable
from exporters.paper.words import plain
from exporters.spreadsheets import safe_text


def csv_table(table: PaperTable) -> str:
    """A header with the columns' keys, then the rows. Shares are from 0 to 1; what is undefined is
    empty; no cell can be taken for a formula."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(safe_text(column.key) for column in table.columns)
    writer.writerows([_cell(cell) for cell in row] for row in table.rows)
    return text.getvalue()


def _cell(cell: Cell) -> Cell:
    return safe_text(plain(cell)) if isinstance(cell, str) else cell
