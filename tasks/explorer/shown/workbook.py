"""A table as a workbook of Office Open XML (XLSX)."""

from collections.abc import Iterable, Iterator, Sequence
from tempfile import TemporaryFile
from typing import Any, Final

from xlsxwriter import Workbook

XLSX: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
"""The media type of the file."""

MOST_CHARACTERS: Final = 32_767  # of a cell, those beyond 16 bits counted twice
_CHUNK: Final = 1 << 16
_OPTIONS: Final = {
    "constant_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "nan_inf_to_errors": True,
}


def workbook(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[bytes]:
    """The bytes of a workbook with this table. Cells are texts, which are never taken for formulas,
    numbers and None; a text that is too long for a cell is cut."""
    with TemporaryFile() as file:
        with Workbook(file, _OPTIONS) as book:
            sheet = book.add_worksheet("Items")
            sheet.freeze_panes(1, 0)
            sheet.write_row(0, 0, header)
            for place, cells in enumerate(rows, start=1):
                sheet.write_row(place, 0, map(_cell, cells))
        file.seek(0)
        yield from iter(lambda: file.read(_CHUNK), b"")


def _cell(value: Any) -> Any:
    if not isinstance(value, str) or 2 * len(value) <= MOST_CHARACTERS:
        return value
    # programs count UTF-16
    return value.encode("utf-16-le")[: 2 * MOST_CHARACTERS].decode("utf-16-le", "ignore")
