"""Rows of the explorer as files: CSV and XLSX for spreadsheets, JSON lines for programs."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain
from operator import attrgetter
from tempfile import TemporaryFile
from typing import Any, Final, NamedTuple

from django.http import StreamingHttpResponse

from tasks.explorer.queries.rows import ExplorerRow
from tasks.web.downloads import JSON_LINES, in_batches
from tomahto.releases.files.text_files import json_text
from tomahto.text.spreadsheet import csv_records, safe_text

Columns = Mapping[str, Callable[[ExplorerRow], Any]]

_NAMES: Final = (
    *("number", "id", "document", "question_id", "question", "question_type", "split"),
    *("references", "candidate", "systems", "purpose", "state", "wanted", "ratings", "withheld"),
    *("votes", "label", "share", "decided", "open_flags", "flags", "skips", "tags", "scores"),
    *("last_rated_at", "created_at"),
)
# those that are not the row's own of that name
_MADE: Final[Columns] = {
    "id": lambda row: row.key,
    "question_id": lambda row: row.question_key,
    "state": lambda row: str(row.state),
    "votes": lambda row: [
        {"rater": vote.rater, "label": vote.label, "counted": vote.is_counted} for vote in row.votes
    ],
    "scores": lambda row: {
        matcher: {"score": score.score, "accepted": score.is_accepted}
        for matcher, score in row.scores.items()
    },
}
COLUMNS: Final[Columns] = {name: _MADE.get(name, attrgetter(name)) for name in _NAMES}
"""The values in a column of a file, by its name, in the usual order."""


def json_lines(rows: Iterable[ExplorerRow], columns: Sequence[str]) -> Iterator[str]:
    """A JSON object for each row, every column in it."""
    for row in rows:
        values = {name: COLUMNS[name](row) for name in columns}
        times = {k: v.isoformat() for k, v in values.items() if isinstance(v, datetime)}
        yield json_text(values | times) + "\n"


def csv_lines(rows: Iterable[ExplorerRow], columns: Sequence[str]) -> Iterator[str]:
    """A header, and a record for each row: no cell can be taken for a formula."""
    safe = (
        [safe_text(cell) if isinstance(cell, str) else cell for cell in cells]
        for cells in cells_of(rows, columns)
    )
    return csv_records(chain([columns], safe))


def cells_of(rows: Iterable[ExplorerRow], columns: Sequence[str]) -> Iterator[list[Any]]:
    """A list of cells for each row: numbers, texts, nothing for null; lists and objects as JSON."""
    for row in rows:
        yield [_as_cell(COLUMNS[name](row)) for name in columns]


def _as_cell(value: Any) -> str | int | float | None:
    match value:
        case bool():
            return "yes" if value else "no"
        case list() | dict():
            return json_text(value) if value else None
        case datetime():
            return value.isoformat()
        case None | str() | int() | float():
            return value
        case _:
            raise TypeError(f"no cell holds a {type(value).__name__}")


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
    from xlsxwriter import Workbook  # slow to load, and few downloads need it

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


class FileFormat(NamedTuple):
    """A way to write rows: its media type, and the function that makes the bytes."""

    media_type: str
    content: Callable[[Iterable[ExplorerRow], Sequence[str]], Iterator[bytes]]


FORMATS: Final = {
    "csv": FileFormat(
        "text/csv; charset=utf-8", lambda rows, columns: in_batches(csv_lines(rows, columns))
    ),
    "xlsx": FileFormat(XLSX, lambda rows, columns: workbook(columns, cells_of(rows, columns))),
    "jsonl": FileFormat(JSON_LINES, lambda rows, columns: in_batches(json_lines(rows, columns))),
}


def send_items(
    rows: Iterable[ExplorerRow], columns: Sequence[str], *, file_format: str, name: str
) -> StreamingHttpResponse:
    chosen = FORMATS[file_format]
    return StreamingHttpResponse(
        chosen.content(rows, columns),
        content_type=chosen.media_type,
        headers={"Content-Disposition": f'attachment; filename="{name}-items.{file_format}"'},
    )
