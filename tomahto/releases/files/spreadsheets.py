"""CSV for spreadsheets: an apostrophe stands before what could be taken for a formula."""

from collections.abc import Iterable, Sequence
from typing import Any

from tomahto.releases.files.json_lines import fragments
from tomahto.releases.files.tables import Batch, Table
from tomahto.releases.records.columns import Column, Kind
from tomahto.text.spreadsheet_csv import csv_records, safe_text


def spreadsheet_header(columns: Iterable[Column]) -> str:
    """The first record of the file."""
    (record,) = csv_records([[column.name for column in columns]])
    return record


def spreadsheet_rows(table: Table, batch: Batch) -> Iterable[str]:
    """The rows as records: lists and votes as JSON, times as in JSON, null as nothing."""
    columns = [_cells(column.kind, batch[column.name], table.labels) for column in table.columns]
    return csv_records(zip(*columns, strict=True))


def _cells(kind: Kind, values: Sequence[Any], labels: Sequence[str]) -> Sequence[str]:
    if kind in ("text", "label"):
        return ["" if text is None else safe_text(text) for text in values]
    texts = fragments(kind, values, labels)
    if kind == "time":
        texts = [text.strip('"') for text in texts]
    return ["" if text == "null" else text for text in texts]
