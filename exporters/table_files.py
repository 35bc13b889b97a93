"""The files of a table: Parquet, JSON lines and CSV, written side by side in one pass."""

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import islice
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from exporters.columns import Column, arrow_schema
from exporters.folder import NewFolder
from exporters.rows import Row, Table, json_row

ROW_GROUP = 10_000  # rows; fixed, so that the same rows make the same bytes
_LINE = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
_FORMULA_STARTS = frozenset("=+-@\t\r\n\0＝＋－＠")


def write_table(folder: NewFolder, table: Table) -> None:
    """Write every split of the table in every format."""
    for split in table.sizes:
        _write_split(folder, table, split)


def _write_split(folder: NewFolder, table: Table, split: str) -> None:
    """Go through the rows once; no more than a row group of them is in memory."""
    place, size, rows = f"{table.name}/{split}", table.sizes[split], table.rows(split)
    schema = arrow_schema(table.columns, table.labels)
    with (
        folder.open(f"{place}.parquet", size) as parquet,
        folder.open(f"jsonl/{place}.jsonl", size) as lines,
        folder.open(f"csv/{place}.csv", size) as cells,
        pq.ParquetWriter(pa.PythonFile(parquet, "w"), schema, compression="zstd") as writer,
    ):
        cells.write(spreadsheet_header(table.columns).encode())
        while group := list(islice(rows, ROW_GROUP)):
            batch = pa.RecordBatch.from_pylist(group, schema)
            writer.write_batch(batch, row_group_size=ROW_GROUP)
            lines.write("".join(map(json_text, group)).encode())
            cells.write("".join(map(spreadsheet_record, group)).encode())


def parquet_rows(file: str, schema: pa.Schema) -> Iterator[Row]:
    """The rows of a Parquet file whose columns must be those of the schema.

    Raises ValueError if they are not, and pyarrow's errors if the file is damaged.
    """
    with pq.ParquetFile(file) as parquet:
        if not parquet.schema_arrow.equals(schema):
            raise ValueError("the columns are not those of a release")
        for batch in parquet.iter_batches(ROW_GROUP):
            yield from batch.to_pylist()


def json_text(row: Row) -> str:
    """The row as one line of JSON lines."""
    return json_line(json_row(row))


def json_line(value: dict[str, Any]) -> str:
    """One line of JSON: text as it is, numbers in their shortest form, no blanks."""
    return _LINE.encode(value) + "\n"


def spreadsheet_header(columns: Iterable[Column]) -> str:
    """The first record of the CSV file."""
    return _record([column.name for column in columns])


def spreadsheet_record(row: Row) -> str:
    """The row as a record of CSV: lists and votes as JSON, times as in JSON, null as nothing.

    An apostrophe stands before whatever a spreadsheet could take for a formula.
    """
    return _record([_cell(value) for value in row.values()])


def _record(cells: Sequence[str]) -> str:
    record: str = csv.writer(_Echo(), lineterminator="\r\n").writerow(cells)
    return record


class _Echo:
    """A file that hands back what is written to it; the csv module passes it on."""

    def write(self, text: str) -> str:
        return text


def _cell(value: object) -> str:
    if isinstance(value, str):
        return f"'{value}" if value[:1] in _FORMULA_STARTS else value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    return value.isoformat() if isinstance(value, datetime) else _LINE.encode(value)
