"""Text files of a release, made and checked record by record: JSON lines, and CSV for spreadsheets
with an apostrophe before what could be taken for a formula.

JSON lines are made column by column: text as it is, numbers in their shortest form, no blanks.
Every value of a column is written by the column's kind, and a line joins what stands between the
values with the values. That is several times as fast as an encoder that asks each value what it is.
"""

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from io import StringIO
from itertools import repeat
from json.encoder import encode_basestring as quoted
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from tomahto.releases.files.tables import Batch, Table
from tomahto.releases.records.columns import Column, Kind
from tomahto.text.spreadsheet import csv_records, plain_text, safe_text

Fragments = Sequence[str]  # values of one column, each as JSON

json_text = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


def json_document(data: Mapping[str, Any]) -> str:
    """A file of its own, to be read by people as well."""
    return json.dumps(data, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def json_rows(table: Table, batch: Batch) -> Iterable[str]:
    """The rows of the batch as lines. A time is a text such as 2026-01-31T12:00:00+00:00."""
    return json_lines(
        {
            column.name: fragments(column.kind, batch[column.name], table.labels)
            for column in table.columns
        }
    )


def json_lines(columns: Mapping[str, Fragments]) -> Iterable[str]:
    """Lines with the columns in their order."""
    parts: list[Iterable[str]] = []
    for name, values in columns.items():
        start = "," if parts else "{"
        parts += [repeat(f"{start}{quoted(name)}:"), values]
    return map("".join, zip(*parts, repeat("}\n"), strict=False))


def fragments(kind: Kind, values: Sequence[Any], labels: Sequence[str] = ()) -> Fragments:
    """The values of a column of the kind as JSON. Values for each label become an object."""
    match kind:
        case "votes" | "shares":
            fields = ",".join(f"{quoted(label)}:".replace("%", "%%") + "%r" for label in labels)
            return list(map(f"{{{fields}}}".__mod__, values))
        case "time":
            return _times(values)
        case "text" | "label":
            return _texts(values)
    written = _WRITERS[kind]
    if None in values:
        return ["null" if value is None else written(value) for value in values]
    return list(map(written, values))


def _texts(values: Sequence[str | None]) -> Fragments:
    """Passages and names recur: each is written once."""
    distinct = dict.fromkeys(values)
    if len(distinct) == len(values) and None not in distinct:
        return [quoted(value) for value in values if value is not None]
    written = {value: "null" if value is None else quoted(value) for value in distinct}
    return list(map(written.__getitem__, values))


def _times(values: Sequence[datetime | None]) -> Fragments:
    """As `isoformat` writes times in UTC, which leaves out microseconds if there are none."""
    import pyarrow as pa  # slow to load, and few pages and commands need it

    times = pa.array(values, pa.timestamp("us", tz="UTC")).to_numpy(zero_copy_only=False)
    texts = np.datetime_as_string(times, unit="us").tolist()
    return [
        "null" if text == "NaT" else f'"{text.removesuffix(".000000")}+00:00"' for text in texts
    ]


_WRITERS: Mapping[Kind, Callable[[Any], str]] = {
    "texts": lambda values: f"[{','.join(map(quoted, values))}]",
    "flag": {True: "true", False: "false"}.__getitem__,
    "integer": repr,
    "number": repr,
}


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


class TextCheck:
    """Reads a file along with what is expected of it, up to the first record that differs."""

    def __init__(self, file: BinaryIO, path: str) -> None:
        self._file = file
        self._path = path
        self._records = 0
        self._difference: str | None = None

    def expect(self, records: Iterable[str]) -> None:
        """The file goes on with these records, or differs."""
        for record in records:
            if self._difference is not None:
                return
            self._records += 1
            expected = record.encode()
            if self._file.read(len(expected)) != expected:
                place = f"{self._path}, record {self._records}"
                self._difference = f"{place}: does not say what Parquet says"

    def differences(self) -> Iterator[str]:
        """At most one, once all that is expected was said."""
        if self._difference is not None:
            yield self._difference
        elif self._file.read(1):
            yield f"{self._path}: has more records than Parquet"


@contextmanager
def text_check(folder: Path, path: str) -> Iterator[TextCheck]:
    with (folder / path).open("rb") as file:
        yield TextCheck(file, path)


class FormatFile(NamedTuple):
    """`groups` are the records of the file, some at a time, made as they are asked for; joined they
    are its text. `rows` counts them if the file is a table."""

    path: str
    groups: Iterator[Iterable[str]]
    rows: int | None = None
