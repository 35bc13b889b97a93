"""The files of a table: Parquet, JSON lines and CSV, written side by side in one pass."""

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

from tomahto.releases.files.folder import NewFolder
from tomahto.releases.files.json_lines import json_rows
from tomahto.releases.files.spreadsheets import spreadsheet_header, spreadsheet_rows
from tomahto.releases.files.tables import ROW_GROUP, Batch, Table
from tomahto.releases.records.columns import arrow_schema

if TYPE_CHECKING:
    import pyarrow as pa

Write = Callable[[Batch], None]
Format = Callable[[NewFolder, Table, str], AbstractContextManager[Write]]


@contextmanager
def parquet(folder: NewFolder, table: Table, split: str) -> Iterator[Write]:
    """`TABLE/SPLIT.parquet`, a row group for each batch."""
    import pyarrow as pa  # as in columns.py
    import pyarrow.parquet as pq

    schema = arrow_schema(table.columns, table.labels)

    def write(batch: Batch) -> None:
        arrays = [_array(field.type, batch[field.name]) for field in schema]
        record_batch = pa.RecordBatch.from_arrays(arrays, schema=schema)
        writer.write_batch(record_batch, row_group_size=ROW_GROUP)

    with (
        folder.open(f"{table.name}/{split}.parquet", table.sizes[split]) as file,
        pq.ParquetWriter(pa.PythonFile(file, "w"), schema, compression="zstd") as writer,
    ):
        yield write


def _array(kind: "pa.DataType", values: Sequence[Any]) -> "pa.Array[Any]":
    import pyarrow as pa

    if not pa.types.is_struct(kind):
        return pa.array(values, kind)
    columns = zip(zip(*values, strict=True), kind, strict=True)
    arrays = [pa.array(column, field.type) for column, field in columns]
    return pa.StructArray.from_arrays(arrays, fields=list(kind))


@contextmanager
def json_lines(folder: NewFolder, table: Table, split: str) -> Iterator[Write]:
    """`jsonl/TABLE/SPLIT.jsonl`."""
    with folder.open(f"jsonl/{table.name}/{split}.jsonl", table.sizes[split]) as file:
        yield lambda batch: file.write_text(json_rows(table, batch))


@contextmanager
def spreadsheet(folder: NewFolder, table: Table, split: str) -> Iterator[Write]:
    """`csv/TABLE/SPLIT.csv`."""
    with folder.open(f"csv/{table.name}/{split}.csv", table.sizes[split]) as file:
        file.write_text([spreadsheet_header(table.columns)])
        yield lambda batch: file.write_text(spreadsheet_rows(table, batch))


FORMATS: tuple[Format, ...] = (parquet, json_lines, spreadsheet)


def write_table(
    folder: NewFolder,
    table: Table,
    formats: tuple[Format, ...] = FORMATS,
    *,
    wrote: Callable[[int], None] = lambda _rows: None,
) -> None:
    """Write every split of the table in the formats given. The rows are gone through once, and no
    more than a group of them is in memory; `wrote` is told how many were written after each."""
    for split in table.sizes:
        with ExitStack() as files, _records_out_of_sight():
            writers = [files.enter_context(each(folder, table, split)) for each in formats]
            for batch in table.batches(split):
                for write in writers:
                    write(batch)
                wrote(len(batch[table.columns[0].name]))


@contextmanager
def _records_out_of_sight() -> Iterator[None]:
    """Keep the collector of cycles from going through millions of records that have none: it would
    take a quarter of the time."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
