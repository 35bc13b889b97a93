"""Cells and CSV for spreadsheets, in which a text must never run as a formula."""

import csv
import re
from collections.abc import Iterable, Iterator
from typing import Any

_FORMULA = re.compile("'*[=+\\-@\t\r\n\0＝＋－＠]")  # apostrophes before it make it a text


def safe_text(text: str) -> str:
    """The text, with an apostrophe before it if a spreadsheet could take it for a formula.

    One goes before apostrophes that stand before a formula, too, so that no two texts are written
    alike: `plain_text` is the inverse.
    """
    return f"'{text}" if _FORMULA.match(text) else text


def plain_text(cell: str) -> str:
    """The text of a cell that `safe_text` wrote. Elsewhere an apostrophe stays."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def csv_records(rows: Iterable[Iterable[Any]]) -> Iterator[str]:
    """A record for each row. Numbers are written in full, None as nothing, and texts as they are:
    those that somebody typed have been through `safe_text`.
    """
    return map(csv.writer(_Echo(), lineterminator="\r\n").writerow, rows)


class _Echo:
    """A file that hands back what is written to it; the csv module passes it on."""

    def write(self, text: str) -> str:
        return text
