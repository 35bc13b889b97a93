"""CSV for spreadsheets, whose texts must never run as formulas."""

import csv
from collections.abc import Iterable, Iterator
from typing import Any

_FORMULA_STARTS = frozenset("=+-@\t\r\n\0＝＋－＠")


def safe_text(text: str) -> str:
    """The text, with an apostrophe before it if a spreadsheet could take it for a formula."""
    return f"'{text}" if text[:1] in _FORMULA_STARTS else text


def csv_records(rows: Iterable[Iterable[Any]]) -> Iterator[str]:
    """A record for each row. Numbers are written in full, None as nothing, and texts as they are:
    what somebody wrote has been through `safe_text`.
    """
    return map(csv.writer(_Echo(), lineterminator="\r\n").writerow, rows)


class _Echo:
    """A file that hands back what is written to it; the csv module passes it on."""

    def write(self, text: str) -> str:
        return text
