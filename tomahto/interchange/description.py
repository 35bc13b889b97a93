"""What is known of an import format and of what files hold, each said once.

A module of `formats` says in FORMATS which there are (`table.py`); what files hold stands in
`campaigns`.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from tomahto.interchange.reading.field_map import FieldMap
from tomahto.interchange.reading.input_file import InputFile
from tomahto.interchange.reading.limits import MAX_DOCUMENT_BYTES
from tomahto.interchange.reading.row import Row
from tomahto.interchange.reading.rows import Cell

_Record = TypeVar("_Record")


class FileToRead(NamedTuple):
    """A file with what is said of it: the keys of the protocol's questions, and where the files of
    other tools have our fields."""

    file: InputFile
    question_keys: Sequence[str] = ()
    fields: FieldMap = FieldMap()
    max_document_bytes: int = MAX_DOCUMENT_BYTES

    @classmethod
    def at(cls, path: Path, name: str | None, *said: Any, **also_said: Any) -> "FileToRead":
        """The file at `path`, which errors call `name`."""
        return cls(InputFile.at(path, name), *said, **also_said)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind(Generic[_Record]):
    """What a file holds, and how a row of JSON lines or of a table says it.

    `record` makes a record of (row, keys of the protocol's questions). `marks` are the fields by
    which JSON lines are known to be of it. A table must have the `columns`, each with its other
    names; `cells` reads those that are no plain text, given the keys of the questions.
    `has_labels`: what people said of items, so that labels can be mapped as well.
    """

    name: str
    record: Callable[[Row, Sequence[str]], _Record]
    marks: frozenset[str]
    columns: Sequence[Sequence[str]]
    cells: Callable[[Sequence[str]], Mapping[str, Cell]]
    has_labels: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportFormat:
    """A format by its name, and by its title where people read of it.

    It holds all kinds if it has `rows`, which yields a row for each record of (file, cells,
    columns), else those that have one of the `readers`, which yields the records of a file.

    A file that is not named as JSON lines is of it if its text matches the `beginning`; else if its
    name has one of the `endings`; else if its first line is an object with the fields that `marks`
    it; else if it begins as the format `starts`. Without any of these, it has to be said. `mapped`
    are the fields beside those of an item that `--map` can place; a format without takes no such
    options. If it `has_revisions`, one rater may have rated an item several times in a file.
    `place` is where it stands in lists.
    """

    name: str
    title: str
    place: int = 9
    beginning: re.Pattern[str] | None = None
    endings: tuple[str, ...] = ()
    marks: frozenset[str] = frozenset()
    starts: str | None = None
    mapped: tuple[str, ...] = ()
    has_revisions: bool = False
    rows: (
        Callable[[InputFile, Mapping[str, Cell], Sequence[Sequence[str]]], Iterator[Row]] | None
    ) = None
    readers: Mapping[str, Callable[[FileToRead], Iterator[Any]]] = field(default_factory=dict)

    def holds(self, kind: str) -> bool:
        return self.rows is not None or kind in self.readers

    def read(self, kind: Kind[_Record], file: FileToRead) -> Iterator[_Record]:
        """The records of a file, in file order, reading on only as far as asked.

        Raises InputError at the first thing that is wrong.
        """
        if self.rows is None:
            return self.readers[kind.name](file)
        rows = self.rows(file.file, kind.cells(file.question_keys), kind.columns)
        return (kind.record(row, file.question_keys) for row in rows)
