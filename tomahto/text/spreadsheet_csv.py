"""CSV for spreadsheets, record by record."""

import csv
from collections.abc import Iterable, Iterator
from typing import Any


def csv_records(rows: Iterable[Iterable[Any]]) -> Iterator[str]:
    """A record for each row. Numbers are written in full, None as nothing, and texts as they are:
    those that somebody typed have been through `spreadsheet_cell.safe_text`.
    """
    return map(csv.writer(_Echo(), lineterminator="\r\n").writerow, rows)


class _Echo:
    """A file that hands back what is written to it; the csv module passes it on."""

    def write(self, text: str) -> str:
        return text
