"""CSV for spreadsheets: an apostrophe stands before what could be taken for a formula."""

import csv
from collections.abc import Iterable, Sequence
from io import StringIO
from typing import Any

from tomahto.releases.files.json_lines import fragments
from tomahto.releases.files.tables import Batch, Table
from tomahto.releases.records.columns import Column, Kind
from tomahto.text.spreadsheet_cell import plain_text, safe_text
from tomahto.text.spreadsheet_csv import csv_records


def spreadsheet_header(columns: Iterable[Column]) -> str:
    """The first record of the file."""
    return next(csv_records([[column.name for column in columns]]))


def spreadsheet_rows(table: Table, batch: Batch) -> Iterable[str]:
    """The rows as records: lists and votes as JSON, times as in JSON, null as nothing."""
    cells = [_cells(column.kind, batch[column.name], table.labels) for column in table.columns]
    return csv_records(zip(*cells, strict=True))


def csv_of_version(version: int, text: Iterable[str]) -> Iterable[str]:
    """Parts of a CSV file, whole records each, as a release of this version of figures has them: in
    the first no apostrophe went before a text that has one before a formula already."""
    return map(_without_second, text) if version == 1 else text


def _without_second(text: str) -> str:
    return "".join(
        csv_records(
            [plain_text(cell) if cell.startswith("''") else cell for cell in record]
            for record in csv.reader(StringIO(text, newline=""))
        )
    )


def _cells(kind: Kind, values: Sequence[Any], labels: Sequence[str]) -> Sequence[str]:
    if kind in ("text", "label"):
        return ["" if text is None else safe_text(text) for text in values]
    texts = fragments(kind, values, labels)
    if kind == "time":
        texts = [text.strip('"') for text in texts]
    return ["" if text == "null" else text for text in texts]
