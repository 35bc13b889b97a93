"""JSON lines and CSV: a row for each record, with our own names of fields."""

from typing import Final

from tomahto.interchange.reading.rows import csv_rows, json_rows
from tomahto.interchange.table import ImportFormat

FORMATS: Final = (
    ImportFormat(
        name="jsonl",
        title="JSON lines",
        place=1,
        rows=lambda file, _cells, _columns: json_rows(file),
    ),
    ImportFormat(name="csv", title="CSV", place=2, endings=(".csv",), rows=csv_rows),
)
