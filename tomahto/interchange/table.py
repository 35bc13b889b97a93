"""All import formats there are, what is known of each, and which of them a file has.

Every module of `formats` is asked for its FORMATS; none is listed here. What files hold stands in
`campaigns`.
"""

import pkgutil
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path, PurePath
from typing import Any, Generic, NamedTuple, TypeVar

from tomahto.interchange import formats
from tomahto.interchange.reading.input_file import LINES_SUFFIXES, InputFile
from tomahto.interchange.reading.records import MAX_DOCUMENT_BYTES
from tomahto.interchange.reading.row import Row
from tomahto.interchange.reading.rows import Cell, FieldMap
from tomahto.interchange.reading.strict_json import JsonError, decode_line

_Record = TypeVar("_Record")


class FileToRead(NamedTuple):
    """A file with what is said of it: the keys of the protocol's questions, and where the files of
    other tools have our fields."""

    file: InputFile
    question_keys: Sequence[str] = ()
    fields: FieldMap = FieldMap()
    max_document_bytes: int = MAX_DOCUMENT_BYTES


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordKind(Generic[_Record]):
    """The records of a file, and their form in a row of JSON lines or of a table.

    `name` is what commands, pages and API call it, as in `ratings`: a `kind` elsewhere is such a
    name. `record` makes a record of (row, keys of the protocol's questions). `line_fields` are
    those by which JSON lines are known to be of it. A table must have the `columns`, each with its
    other names; `cells` reads those that are no plain text, given the keys of the questions.
    `has_labels`: what people said of items, so that labels can be mapped as well.
    """

    name: str
    record: Callable[[Row, Sequence[str]], _Record]
    line_fields: frozenset[str]
    columns: Sequence[Sequence[str]]
    cells: Callable[[Sequence[str]], Mapping[str, Cell]]
    has_labels: bool = False

    def read(
        self,
        path: Path,
        *,
        format: str | None,  # noqa: A002 -- the word that commands and forms use
        question_keys: Sequence[str] = (),
        name: str | None = None,
        fields: FieldMap = FieldMap(),  # noqa: B008 - frozen
        max_document_bytes: int = MAX_DOCUMENT_BYTES,
    ) -> Iterator[_Record]:
        """Yield the records of a file in file order, reading on only as far as asked.

        `format` None takes it from the file, `name` is what errors call the file. Raises InputError
        at the first thing that is wrong, the options with which it is to be read included.
        """
        file = InputFile.at(path, name)
        known = formats_of(self.name)
        chosen = choose_format(file, format, known, self.line_fields)
        if fields.takes_newest and not chosen.has_revisions:
            revised = " and ".join(each.name for each in known if each.has_revisions)
            raise file.error(f"is read as {chosen.name}; --newest is for {revised}")
        mapped = [each.name for each in known if each.mapped]
        others = (*chosen.mapped, *question_keys) if self.has_labels else ()
        fields.check(file, chosen.name, mapped, others)
        return chosen.read(self, FileToRead(file, question_keys, fields, max_document_bytes))


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportFormat:
    """A format by its name, and by its title where people read of it.

    It holds all kinds if it has `rows`, which yields a row for each record of (file, cells,
    columns), else those that have one of the `readers`, which yields the records of a file.

    A file that is not named as JSON lines is of it if its text begins with the `pattern`; else if
    its name has one of the `endings`; else if its first line is an object with the `line_fields`;
    else if it begins with the `first_character`. Without any of these, it has to be said. `mapped`
    are the fields beside those of an item that `--map` can place; a format without takes no such
    options. If it `has_revisions`, one rater may have rated an item several times in a file.
    `place` is where it stands in lists.
    """

    name: str
    title: str
    place: int = 9
    pattern: re.Pattern[str] | None = None
    endings: tuple[str, ...] = ()
    line_fields: frozenset[str] = frozenset()
    first_character: str | None = None
    mapped: tuple[str, ...] = ()
    has_revisions: bool = False
    rows: (
        Callable[[InputFile, Mapping[str, Cell], Sequence[Sequence[str]]], Iterator[Row]] | None
    ) = None
    readers: Mapping[str, Callable[[FileToRead], Iterator[Any]]] = field(default_factory=dict)

    def holds(self, kind: str) -> bool:
        """Whether files of it may hold records of the kind."""
        return self.rows is not None or kind in self.readers

    def read(self, records: RecordKind[_Record], file: FileToRead) -> Iterator[_Record]:
        """The records of a file, in file order, reading on only as far as asked.

        Raises InputError at the first thing that is wrong.
        """
        if self.rows is None:
            return self.readers[records.name](file)
        rows = self.rows(file.file, records.cells(file.question_keys), records.columns)
        return (records.record(row, file.question_keys) for row in rows)


def choose_format(
    file: InputFile, given: str | None, formats: Sequence[ImportFormat], line_fields: frozenset[str]
) -> ImportFormat:
    """The format given, or the one that the file's ending or beginning tells; JSON lines are
    recognised by `line_fields` as well.

    Raises InputError, naming the choices, for a format that is not among them or cannot be told.
    """
    chosen = _guess(file, formats, line_fields) if given is None else given
    for each in formats:
        if each.name == chosen:
            return each
    choices = ", ".join(each.name for each in formats)
    if chosen is None:
        raise file.error(f"has no known extension; give the format: {choices}")
    raise file.error(f"format {chosen!r:.40} is not one of {choices}")


def _guess(
    file: InputFile, formats: Sequence[ImportFormat], line_fields: frozenset[str]
) -> str | None:
    head = file.head().lstrip()
    suffix = PurePath(file.name).suffix.lower()
    begun = (each.name for each in formats if each.pattern and each.pattern.match(head))
    if suffix not in LINES_SUFFIXES and (name := next(begun, None)) is not None:
        return name
    by_name = (each.name for each in formats if suffix in each.endings)
    if (name := next(by_name, None)) is not None:
        return name
    first, _, rest = head.partition("\n")
    fields = _fields(first)
    fitting = [each for each in formats if each.line_fields and each.line_fields <= fields]
    if fitting:
        return max(fitting, key=lambda each: len(each.line_fields)).name
    is_lines = suffix in LINES_SUFFIXES or (first.startswith("{") and rest.lstrip().startswith("{"))
    if is_lines or (line_fields and line_fields <= fields):
        return "jsonl"
    return next((each.name for each in formats if each.first_character == first[:1]), None)


def _fields(line: str) -> frozenset[str]:
    try:
        row = decode_line(line)
    except JsonError:
        return frozenset()
    return frozenset(row) if isinstance(row, dict) else frozenset()


@cache
def import_formats() -> tuple[ImportFormat, ...]:
    """In the order in which they are listed."""
    modules = (
        import_module(f"{formats.__name__}.{info.name}")
        for info in pkgutil.iter_modules(formats.__path__)
    )
    found = (each for module in modules for each in module.FORMATS)
    return tuple(sorted(found, key=lambda each: (each.place, each.name)))


def formats_of(kind: str) -> list[ImportFormat]:
    """Those in which a file may hold records of the kind."""
    return [each for each in import_formats() if each.holds(kind)]


def format_names(kind: str) -> tuple[str, ...]:
    return tuple(each.name for each in formats_of(kind))
