"""Parquet files of releases, read in bounded memory whatever they were made to unpack to."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tomahto.releases.files.parquet_pages import unpacked

if TYPE_CHECKING:  # pyarrow is for those who read one, as in columns.py
    import pyarrow as pa
    import pyarrow.parquet as pq

_TAIL: Final = 8  # bytes: the length of the footer, and the mark that ends the file
_FOOTER: Final = 1 << 18  # bytes; it takes some hundred times as much in memory
_FOOTER_SHARE: Final = 16  # a footer may have so much more: a sixteenth of its file
_SLACK: Final = 1 << 20  # bytes: what a file of few rows has more than they say
_PIECE: Final = 1 << 24  # bytes of text that are handed out at once


class Promise(NamedTuple):
    """What a table has: its rows, and the most bytes that they may be when spelt out."""

    rows: int
    bytes: int


def parquet_metadata(path: Path) -> "pq.FileMetaData":
    """Raises OSError, and ValueError for a footer that is larger than any release's."""
    import pyarrow.parquet as pq

    size = path.stat().st_size
    with path.open("rb") as file:
        file.seek(max(0, size - _TAIL))
        footer = int.from_bytes(file.read(4), "little")
    if footer > _FOOTER + size // _FOOTER_SHARE:
        raise ValueError(f"its footer has {footer:,} bytes")
    return pq.read_metadata(path)


def parquet_batches(
    path: Path, schema: "pa.Schema", promise: Promise, *, columns: list[str], size: int
) -> "Iterator[pa.RecordBatch]":
    """At most `size` rows at a time, of the columns named; fewer where their texts are long.

    Raises ValueError if the file's columns are not those of the schema or it holds more than was
    promised, before that is in memory, and OSError and pyarrow's errors if it is damaged.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    metadata = parquet_metadata(path)
    _check(path, metadata, promise)
    texts = _text_columns(metadata)
    with (
        pq.ParquetFile(path, metadata=metadata) as plain,
        pq.ParquetFile(path, metadata=metadata, read_dictionary=texts) as parquet,
    ):
        if not plain.schema_arrow.equals(schema):
            raise ValueError("the columns are not those of a release")
        types = pa.schema([schema.field(name) for name in columns])
        spelt = 0
        for batch in parquet.iter_batches(size, columns=columns):
            spelt += _spelt(batch)
            _require(spelt <= promise.bytes + _SLACK, promise)
            for piece in _pieces(batch):
                yield piece.cast(types)


def _check(path: Path, metadata: "pq.FileMetaData", promise: Promise) -> None:
    if metadata.num_rows != promise.rows:
        raise ValueError(f"has {metadata.num_rows} rows, not {promise.rows}")
    with path.open("rb") as file:
        found = unpacked(file, metadata)
    _require(max(found) <= promise.bytes + _SLACK, promise)


def _require(is_kept: bool, promise: Promise) -> None:
    if not is_kept:
        raise ValueError(f"unpacks to more than the {promise.bytes:,} bytes promised of it")


def _text_columns(metadata: "pq.FileMetaData") -> list[str]:
    """Read as dictionaries: a text that many rows have is in memory once."""
    columns = map(metadata.schema.column, range(metadata.num_columns))
    return [column.path for column in columns if column.physical_type == "BYTE_ARRAY"]


def _pieces(batch: "pa.RecordBatch") -> "Iterator[pa.RecordBatch]":
    """The batch in parts whose texts are not long; a single row is never parted."""
    if len(batch) < 2 or _spelt(batch) <= _PIECE:
        yield batch
        return
    half = len(batch) // 2
    yield from _pieces(batch.slice(0, half))
    yield from _pieces(batch.slice(half))


def _spelt(batch: "pa.RecordBatch") -> int:
    """Bytes of all texts of the batch when each is written where it stands."""
    return sum(map(_length, batch.columns))


def _length(column: "pa.Array[Any]") -> int:
    import pyarrow as pa
    import pyarrow.compute as pc

    texts = column.flatten() if isinstance(column, pa.ListArray) else column
    if not isinstance(texts, pa.DictionaryArray):
        return 0
    said: Any = texts.dictionary  # of texts, as its type does not say
    lengths = pc.take(pc.binary_length(said), texts.indices)
    return int(pc.sum(lengths.cast(pa.int64())).as_py() or 0)
