"""Rows of JSON lines and CSV files, one mapping each with the line it starts on, and where the
files of other tools hold our fields."""

import csv
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

from tomahto.interchange.reading.input_file import BLANK_LINES, BLANKS, EMPTY_LINES, InputFile
from tomahto.interchange.reading.records import (
    MAX_CONTEXT,
    MAX_NAME,
    MAX_RECORD_SIZE,
    MEBIBYTE,
    Source,
)
from tomahto.interchange.reading.row import Row, is_filled_text, name_in_error, other_names, refusal
from tomahto.interchange.reading.strict_json import JsonError, decode_line
from tomahto.releases.formats.item_fields import ITEM_FIELDS
from tomahto.text.normalisation import plain_name
from tomahto.text.spreadsheet import plain_text

Cell = Callable[[str], object]
"""Turns a CSV cell into what the same field holds in JSON lines; None where it says nothing."""

_TEXT_ARRAY: Final = re.compile(r'\s*\[\s*["\]]')
_FLAGS: Final = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}

# The module's own bound is one for the whole process, and below the length of a context.
csv.field_size_limit(max(csv.field_size_limit(), MAX_CONTEXT))


def json_rows(file: InputFile) -> Iterator[Row]:
    """Yield the object on each line; blank lines are passed over.

    Raises InputError at the first line that is not one JSON object.
    """
    for number, line in file.lines(BLANK_LINES):
        if not line.strip(BLANKS):
            continue
        source = file.source(number)
        try:
            values = decode_line(line)
        except JsonError as error:
            place = "" if error.offset is None else f" (character {error.offset + 1})"
            raise source.error(error.message + place) from None
        if not isinstance(values, dict):
            raise source.error("must be a JSON object")
        yield Row(source, values)


def json_lines(path: Path) -> Iterator[Row]:
    """As `json_rows`. Raises InputError for a file without a line, too."""
    file = InputFile.at(path)
    return at_least_one(json_rows(file), file)


def at_least_one(rows: Iterable[Row], file: InputFile) -> Iterator[Row]:
    """The rows of a file. Raises InputError at the end if there was none."""
    is_empty = True
    for row in rows:
        is_empty = False
        yield row
    if is_empty:
        raise file.error("holds no line")


def csv_rows(
    file: InputFile, cells: Mapping[str, Cell], required: Sequence[Sequence[str]]
) -> Iterator[Row]:
    """Yield the records below the header; columns that `cells` does not name hold plain text.

    `required` lists columns that the header must have, each with its other names. An apostrophe
    that neutralises a formula, as our own CSV files carry it, is taken off. Raises InputError
    with the line on which the record starts.
    """
    records = _Records(file)
    source, header = next(records, (file.source(1), []))
    _check_header(source, header, required)
    readers = [cells.get(name, text_cell) for name in header]
    for source, record in records:
        if len(record) != len(header):
            raise source.error(f"has {len(record)} cells, the header has {len(header)}")
        values: dict[str, object] = {}
        for name, read, cell in zip(header, readers, record, strict=True):
            try:
                values[name] = read(plain_text(cell))
            except JsonError as error:
                raise source.error(error.message, name) from None
        yield Row(source, values)


class _Records:
    """CSV records with the line each starts on, none longer than a line of JSON may be."""

    def __init__(self, file: InputFile) -> None:
        self._file, self._size, self._start = file, 0, 0  # the line a record starts on, 0 before
        self._reader = csv.reader(self._lines(), strict=True)

    def __iter__(self) -> Iterator[tuple[Source, list[str]]]:
        return self

    def __next__(self) -> tuple[Source, list[str]]:
        record: list[str] = []
        while not record:  # a blank line is a record without cells
            self._size = self._start = 0
            try:
                record = next(self._reader)
            except csv.Error as error:
                source = self._file.source(self._start)
                raise source.error(f"cannot be read as CSV: {error}") from None
        return self._file.source(self._start), record

    def _lines(self) -> Iterator[str]:
        # an empty line inside a record is part of a quoted cell
        for number, line in self._file.lines(EMPTY_LINES, lambda: not self._start):
            self._start = self._start or number
            self._size += len(line)
            if self._size > MAX_RECORD_SIZE:
                limit = MAX_RECORD_SIZE // MEBIBYTE
                message = f"ends a record of more than {limit} MiB; is a quote left open?"
                raise self._file.error(message, number)
            yield line


def _check_header(source: Source, header: list[str], required: Sequence[Sequence[str]]) -> None:
    seen = set[str]()
    for name in header:
        if name in seen:
            raise source.error("occurs twice in the header", name_in_error(name))
        seen.add(name)
    for names in required:
        if seen.isdisjoint(names):
            hint = "; commas separate columns" if len(header) == 1 else ""
            raise source.error(f"is missing in the header{other_names(names)}{hint}", names[0])


def text_cell(cell: str) -> object:
    """A text; an empty cell says nothing."""
    return cell or None


def empty_text_cell(cell: str) -> object:
    """A text that may be empty: a system may abstain."""
    return cell


def list_cell(cell: str) -> object:
    """A JSON array of texts; any other text is a list of that one, no text an empty list.

    "[1990]" and "[sic]" are texts: what begins like an array of texts must be one.
    """
    if _TEXT_ARRAY.match(cell):
        return decode_line(cell)
    return [cell] if cell else []


def json_cell(cell: str) -> object:
    """Any JSON value, None for an empty cell."""
    return decode_line(cell) if cell else None


def number_cell(cell: str) -> object:
    """A number as JSON writes it; other text stays text, for the row to refuse."""
    try:
        return decode_line(cell) if cell else None
    except JsonError:
        return cell


def flag_cell(cell: str) -> object:
    """true, yes, 1 or false, no, 0 in any case; other text stays text."""
    return _FLAGS.get(cell.strip().lower(), cell or None)


def choices_or_flag_cell(cell: str) -> object:
    """A JSON array of texts, or as `flag_cell`."""
    return decode_line(cell) if _TEXT_ARRAY.match(cell) else flag_cell(cell)


_LABEL: Final = "CHOICE=LABEL"
_NOTHING: Final = object()  # not even null
_OTHER_NAMES: Final = ("qid", "reference", "system")  # of fields of an item, as everywhere


@dataclass(frozen=True, slots=True)
class FieldMap:
    """`places` says by our field where the file has it, `labels` by a choice of the file what label
    it is, and `rater` who gave all the ratings. With `takes_newest` the newest counts of several
    that one rater gave. The rest is as docs/formats.md has it."""

    places: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    rater: str | None = None
    takes_newest: bool = False

    @classmethod
    def of(
        cls,
        places: Sequence[str] = (),
        labels: Sequence[str] = (),
        rater: str | None = None,
        *,
        takes_newest: bool = False,
    ) -> Self:
        """From options written FIELD=PLACE and CHOICE=LABEL. Raises ValueError naming the option
        that is not, or that says a thing twice, or that names nobody."""
        maps = _pairs("--map", "FIELD=PLACE", places), _pairs("--label", _LABEL, labels)
        if rater is not None and not is_filled_text(rater := plain_name(rater), MAX_NAME):
            raise ValueError(f"--rater {refusal(rater, MAX_NAME)}")
        return cls(*maps, rater, takes_newest)

    def check(
        self, file: InputFile, chosen: str, mapped: Collection[str], others: Collection[str]
    ) -> None:
        """Raises InputError if the format chosen is none of those that can be `mapped`, or a field
        is neither one of an item nor one of the `others`."""
        if self != FieldMap() and chosen not in mapped:
            formats = " and ".join(mapped)
            raise file.error(f"is read as {chosen}; --map, --label and --rater are for {formats}")
        known = (*ITEM_FIELDS, *others)
        for name in self.places:
            if name not in known:
                raise file.error(f"--map {name!r:.40} is not one of the fields {', '.join(known)}")

    def place(self, name: str) -> str:
        return self.places.get(name, name)

    def label(self, choice: str) -> str:
        """The label here for the file's choice."""
        return self.labels.get(choice, choice)

    def item_row(self, row: Row, within: str = "") -> Row:
        """The fields of an item, which stand `within` the row unless they are mapped."""
        return self.row_of(row, {name: f"{within}{name}" for name in (*ITEM_FIELDS, *_OTHER_NAMES)})

    def row_of(self, row: Row, places: Mapping[str, str]) -> Row:
        """The fields that stand in these places, unless they are mapped, under our names.

        Raises InputError if a field that is mapped is not there at all.
        """
        names = {name: self.places.get(name, place) for name, place in places.items()}
        values = {name: _value_at(row.values, place) for name, place in names.items()}
        for name, value in values.items():
            if value is _NOTHING and name in self.places:
                raise row.error(f"is missing, although --map names it for {name}", names[name])
        found = {name: value for name, value in values.items() if value is not _NOTHING}
        return Row(row.source, found, row.path, names)


def _pairs(option: str, syntax: str, texts: Sequence[str]) -> Mapping[str, str]:
    pairs: dict[str, str] = {}
    for text in texts:
        # A choice may hold an equals sign, a field and a label cannot.
        head, mark, tail = text.rpartition("=") if syntax == _LABEL else text.partition("=")
        if not (head and mark and tail):
            raise ValueError(f"{option} {text!r} is not written {syntax}")
        if head in pairs:
            raise ValueError(f"{option} names {head!r} twice")
        pairs[head] = tail
    return pairs


def _value_at(values: Mapping[str, object], place: str) -> object:
    """The value at a path of keys joined by dots."""
    value: object = values
    for key in place.split("."):
        value = value.get(key, _NOTHING) if isinstance(value, dict) else _NOTHING
    return value
