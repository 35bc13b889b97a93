"""The pages of a Parquet file, looked at before any of them is unpacked.

A Parquet file of some kilobytes can hold more than a machine has memory: its pages are compressed,
and a dictionary says a text once for millions of rows. What a page unpacks to stands in its header,
which pyarrow believes and does not show, so it is read here (Apache Parquet, format 2.9: Thrift's
compact protocol).
"""

from collections.abc import Iterator, Mapping
from io import BufferedReader
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    import pyarrow.parquet as pq

_LONGEST_HEADER: Final = 1 << 16  # bytes; those of a release have at most four texts of 4 KiB
_DEEPEST: Final = 8
_LONGEST_NUMBER: Final = 10  # bytes
_DATA_PAGES: Final = (5, 8)  # the fields of a header that describe a page of values, old and new
_DICTIONARY: Final = 7
_ENCODINGS: Final = frozenset({0, 2, 3, 8})  # plain, run lengths, and two names of dictionaries
_SMALLEST: Final = 4  # bytes of a value in a dictionary

_TRUE, _FALSE, _BYTE, _DOUBLE, _BINARY, _LIST, _SET, _STRUCT = 1, 2, 3, 7, 8, 9, 10, 12
_INTEGERS: Final = (4, 5, 6)

Struct = Mapping[int, "int | Struct"]


class Unpacked(NamedTuple):
    """How many bytes the pages of a file are once decompressed, and the most values in a column."""

    bytes: int
    values: int


def unpacked(file: BufferedReader, metadata: "pq.FileMetaData") -> Unpacked:
    """What reading the file allocates for its pages.

    Raises ValueError if a page is damaged or encoded as no release is.
    """
    total, most = 0, 0
    for group in range(metadata.num_row_groups):
        row_group = metadata.row_group(group)
        for number in range(metadata.num_columns):
            values = 0
            for size, count in _pages(file, row_group.column(number)):
                total += size
                values += count
            most = max(most, values)
    return Unpacked(total, most)


def _pages(file: BufferedReader, column: "pq.ColumnChunkMetaData") -> Iterator[tuple[int, int]]:
    """Decompressed bytes and values of each page; the entries of a dictionary are no values."""
    if not column.num_values:  # its pages are not read, and where they are is not said
        return
    place = column.data_page_offset
    dictionary = column.dictionary_page_offset
    if column.has_dictionary_page and dictionary is not None and 0 < dictionary < place:
        place = dictionary
    end = place + column.total_compressed_size
    while place < end:
        file.seek(place)
        reader = _ThriftReader(file.read(_LONGEST_HEADER))
        header = reader.struct()
        size, stored = _number(header, 2), _number(header, 3)
        yield size, _values(header, size)
        place += reader.place + stored


def _values(header: Struct, size: int) -> int:
    for field in _DATA_PAGES:
        page = header.get(field)
        if isinstance(page, Mapping):
            _require_known(_number(page, 2 if field == _DATA_PAGES[0] else 4))
            return _number(page, 1)
    dictionary = header.get(_DICTIONARY)
    if isinstance(dictionary, Mapping):
        _require_known(_number(dictionary, 2))
        if _number(dictionary, 1) * _SMALLEST > size:
            raise ValueError("a dictionary claims more entries than it has bytes for")
    return 0


def _require_known(encoding: int) -> None:
    """Others could repeat a long text in a few bytes."""
    if encoding not in _ENCODINGS:
        raise ValueError(f"a page has encoding {encoding}, which no release has")


def _number(struct: Struct, field: int) -> int:
    value = struct.get(field)
    if not isinstance(value, int) or value < 0:
        raise ValueError("the header of a page is damaged")
    return value


def _require_shallow(depth: int) -> None:
    if depth > _DEEPEST:
        raise ValueError("the header of a page is nested too deep")


class _ThriftReader:
    """Reads one struct from the start of `data`; `place` is then where it ends."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.place = 0

    def struct(self, depth: int = 0) -> Struct:
        """Its whole numbers and structs by field; everything else is passed over."""
        _require_shallow(depth)
        found: dict[int, int | Struct] = {}
        field = 0
        while head := self._byte():
            delta, kind = head >> 4, head & 15
            field = field + delta if delta else self._signed()
            if kind in _INTEGERS:
                found[field] = self._signed()
            elif kind == _STRUCT:
                found[field] = self.struct(depth + 1)
            elif kind not in (_TRUE, _FALSE):  # their value is in the kind
                self._pass(kind, depth)
        return found

    def _pass(self, kind: int, depth: int) -> None:
        _require_shallow(depth)
        if kind in (_TRUE, _FALSE, _BYTE):
            self.place += 1
        elif kind in _INTEGERS:
            self._unsigned()
        elif kind == _DOUBLE:
            self.place += 8
        elif kind == _BINARY:
            size = self._unsigned()
            self.place += size
        elif kind in (_LIST, _SET):
            head = self._byte()
            count = head >> 4
            for _ in range(self._unsigned() if count == 15 else count):
                self._pass(head & 15, depth + 1)
        elif kind == _STRUCT:
            self.struct(depth + 1)
        else:
            raise ValueError("the header of a page is damaged")
        self._require_within(self.place)

    def _require_within(self, end: int) -> None:
        if end > len(self._data):
            raise ValueError("the header of a page is cut off or too long")

    def _byte(self) -> int:
        self._require_within(self.place + 1)
        self.place += 1
        return self._data[self.place - 1]

    def _unsigned(self) -> int:
        number = 0
        for index in range(_LONGEST_NUMBER):
            byte = self._byte()
            number |= (byte & 127) << (7 * index)
            if byte < 128:
                return number
        raise ValueError("the header of a page is damaged")

    def _signed(self) -> int:
        number = self._unsigned()
        return (number >> 1) ^ -(number & 1)
