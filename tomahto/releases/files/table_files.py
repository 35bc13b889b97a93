"""The files of a table: Parquet, JSON lines and CSV, written side by side in one pass; and the
records that stored rows were written from.
"""

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar

from tomahto.releases.files.folder import NewFolder
from tomahto.releases.files.tables import ROW_GROUP, Batch, Table
from tomahto.releases.files.text_files import json_rows, spreadsheet_header, spreadsheet_rows
from tomahto.releases.records.columns import arrow_schema
from tomahto.releases.records.records import (
    AdjudicationRecord,
    AnsweredQuestion,
    AnswerRecord,
    ItemRecord,
    RatingRecord,
)
from tomahto.votes.remarks import REMARKS

if TYPE_CHECKING:
    import pyarrow as pa

Write = Callable[[Batch], None]
Format = Callable[[NewFolder, Table, str], AbstractContextManager[Write]]


@contextmanager
def parquet(folder: NewFolder, table: Table, split: str) -> Iterator[Write]:
    """`TABLE/SPLIT.parquet`, a row group for each batch."""
    import pyarrow as pa  # slow to load, and few pages and commands need it
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
    import pyarrow as pa  # slow to load, and few pages and commands need it

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


Row = dict[str, Any]  # by column name; times are datetimes in UTC


def parquet_rows(file: str, schema: "pa.Schema") -> Iterator[Row]:
    """The rows of a Parquet file whose columns must be those of the schema.

    Raises ValueError if they are not, and pyarrow's errors if the file is damaged.
    """
    for batch in parquet_batches(file, schema):
        yield from batch.to_pylist()


def parquet_batches(
    file: str, schema: "pa.Schema", *, columns: list[str] | None = None, size: int = ROW_GROUP
) -> Iterator["pa.RecordBatch"]:
    """At most `size` rows at a time, of all columns or of those named; raises as parquet_rows."""
    import pyarrow.parquet as pq  # as above

    with pq.ParquetFile(file) as parquet:
        if not parquet.schema_arrow.equals(schema):
            raise ValueError("the columns are not those of a release")
        yield from parquet.iter_batches(size, columns=columns)


T = TypeVar("T")


def item_record(row: Row) -> ItemRecord:
    others = tuple(row.get("unrated_references", ()))
    return _record(ItemRecord, row, intended=row.get("intended", ""), unrated_references=others)


def rating_record(row: Row, keys: tuple[str, ...]) -> RatingRecord:
    answers = {key: as_answer(row[key]) for key in keys if row[key] is not None}
    remarks = {remark.name: row.get(remark.name) or "" for remark in REMARKS}
    own = {"item_id": row["id"], "answers": answers, "rated_at": row["created_at"]}
    return _record(RatingRecord, row, **own, **remarks, set_aside=row.get("set_aside", False))


def adjudication_record(row: Row) -> AdjudicationRecord:
    return _record(AdjudicationRecord, row, item_id=row["id"])


def answer_record(row: Row, contexts: Mapping[str, str], splits: tuple[str, ...]) -> AnswerRecord:
    """`contexts` are the passages that items have, by question. Raises KeyError if that of the
    answer's question is nowhere."""
    id_, passage = row["question_id"], row["context"]
    context = contexts[id_] if passage is None else passage
    question = _record(AnsweredQuestion, row, id=id_, context=context)
    return _record(AnswerRecord, row, question=question, splits=splits)


def _record(kind: type[T], row: Row, **others: Any) -> T:
    """A record whose fields have the names of columns, but for the others."""
    values = {name: row[name] for name in _NAMES[kind] if name not in others}
    for name, value in values.items():
        if isinstance(value, list):
            values[name] = tuple(value)
    return kind(**values, **others)


_NAMES: Mapping[type, tuple[str, ...]] = {
    kind: tuple(field.name for field in fields(kind))
    for kind in (ItemRecord, RatingRecord, AdjudicationRecord, AnsweredQuestion, AnswerRecord)
}


def as_answer(value: bool | str) -> str:
    """An answer as it was given, from a column of flags or of texts."""
    if isinstance(value, str):
        return value
    return "yes" if value else "no"
