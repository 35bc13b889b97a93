"""Sending what the explorer shows as a file, while it is made."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from django.http import StreamingHttpResponse

from tasks.explorer.queries.rows import ExplorerRow
from tasks.explorer.shown.files import cells_of, csv_lines, json_lines
from tasks.explorer.shown.workbook import XLSX, workbook
from tasks.web.downloads import JSON_LINES, in_batches

Rows = Iterable[ExplorerRow]


class FileFormat(NamedTuple):
    """A way to write rows: its media type, and the function that makes the bytes."""

    media_type: str
    content: Callable[[Rows, Sequence[str]], Iterator[bytes]]


FORMATS: Final = {
    "csv": FileFormat(
        "text/csv; charset=utf-8", lambda rows, columns: in_batches(csv_lines(rows, columns))
    ),
    "xlsx": FileFormat(XLSX, lambda rows, columns: workbook(columns, cells_of(rows, columns))),
    "jsonl": FileFormat(JSON_LINES, lambda rows, columns: in_batches(json_lines(rows, columns))),
}


def send_items(
    rows: Rows, columns: Sequence[str], *, file_format: str, name: str
) -> StreamingHttpResponse:
    """The rows as an attachment NAME-items.FORMAT."""
    chosen = FORMATS[file_format]
    return StreamingHttpResponse(
        chosen.content(rows, columns),
        content_type=chosen.media_type,
        headers={"Content-Disposition": f'attachment; filename="{name}-items.{file_format}"'},
    )
