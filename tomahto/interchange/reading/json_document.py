"""One large JSON document, walked in order with only one of its values in memory at a time."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from tomahto.interchange.reading.distinct_keys import DistinctKeys
from tomahto.interchange.reading.input_file import InputFile, TextStream
from tomahto.interchange.reading.limits import MAX_DOCUMENT_BYTES, MAX_NAME
from tomahto.interchange.reading.records import InputError, Source
from tomahto.interchange.reading.row import Row, kind
from tomahto.interchange.reading.strict_json import Extent, JsonError, decode_value

_BLANKS: Final = re.compile(r"[ \t\r\n]*+")
_CHUNK: Final = 64 * 1024


class JsonDocument:
    """A cursor in a document. The value that `members` or `elements` announces must be taken
    (`value`, or again `members` or `elements`) before the next one is asked for.

    Every method raises InputError with the line where the document is wrong.
    """

    def __init__(self, file: InputFile, stream: TextStream) -> None:
        self._file, self._stream = file, stream
        self._buffer, self._position, self._line = "", 0, 1
        self.passed = 0  # characters behind the cursor

    @property
    def source(self) -> Source:
        """The place of the next character that is not blank."""
        self._peek()
        return self._file.source(self._line)

    def members(self, limit: int = MAX_NAME) -> Iterator[str]:
        """Enter an object and yield its keys, each at most `limit` characters long."""
        self._take("{", "an object")
        if self._peek() == "}":
            self._advance(self._position + 1)
            return
        keys = DistinctKeys("the key")
        while True:
            source = self.source
            key = self._key(source, limit)
            keys.add(key, source)
            self._take(":", "':'")
            yield key
            if self._closes("}"):
                return

    def elements(self) -> Iterator[int]:
        """Enter an array and yield its indices from 0."""
        self._take("[", "an array")
        if self._peek() == "]":
            self._advance(self._position + 1)
            return
        index = 0
        while True:
            yield index
            if self._closes("]"):
                return
            index += 1

    def rows(self, path: str = "") -> Iterator[Row]:
        """Enter an array of objects and yield them; `path` leads to the array."""
        for place in self.elements():
            source, value, field = self.source, self.value(), f"{path}[{place}]"
            if not isinstance(value, dict):
                raise source.error(f"must be an object, not {kind(value)}", field)
            yield Row(source, value, f"{field}.")

    def value(self) -> object:
        """Read the next value whole."""
        self._peek()
        try:
            self._measure()
            value, end = decode_value(self._buffer, self._position)
        except JsonError as error:
            raise self._error(error) from None
        self._advance(end)
        return value

    def finish(self) -> None:
        """Refuse anything but blanks after the document's value."""
        if self._peek():
            raise self.source.error("has more text after the end of the JSON document")

    def _key(self, source: Source, limit: int) -> str:
        if self._peek() != '"':
            raise source.error("is not JSON: a key in double quotes was expected")
        key = self.value()
        if not isinstance(key, str) or len(key) > limit:
            raise source.error(f"has a key of more than {limit:,} characters")
        return key

    def _measure(self) -> None:
        extent = Extent()
        while not extent.grow(self._buffer, self._position):
            if not self._fill():
                raise JsonError("is not JSON: the file ends inside this value", self._position)

    def _closes(self, bracket: str) -> bool:
        mark = self._peek()
        if mark not in (",", bracket):
            raise self.source.error(f"is not JSON: ',' or '{bracket}' was expected")
        self._advance(self._position + 1)
        return mark == bracket

    def _take(self, mark: str, what: str) -> None:
        if self._peek() != mark:
            raise self.source.error(f"{what} was expected here")
        self._advance(self._position + 1)

    def _peek(self) -> str:
        """Move to the next character that is not blank and give it; "" at the end."""
        mark = self._buffer[self._position : self._position + 1]
        if mark and mark not in " \t\r\n":
            return mark  # what follows is only for blanks, and costs more
        while True:
            blanks = _BLANKS.match(self._buffer, self._position)
            self._advance(blanks.end() if blanks else self._position)
            if self._position < len(self._buffer):
                return self._buffer[self._position]
            if not self._fill():
                return ""

    def _advance(self, position: int) -> None:
        self._line += self._buffer.count("\n", self._position, position)
        self.passed += position - self._position
        self._position = position

    def _fill(self) -> bool:
        """Drop what is behind, read on. Twice as much each time, so that long values stay cheap."""
        rest = self._buffer[self._position :]
        text = self._stream.read(max(_CHUNK, len(rest)))
        self._buffer, self._position = rest + text, 0
        return bool(text)

    def _error(self, error: JsonError) -> InputError:
        offset = self._position if error.offset is None else error.offset
        line = self._line + self._buffer.count("\n", self._position, offset)
        return self._file.error(error.message, line)


@contextmanager
def open_document(file: InputFile, max_bytes: int = MAX_DOCUMENT_BYTES) -> Iterator[JsonDocument]:
    """Open the file as one JSON document of at most `max_bytes`."""
    with file.open(max_bytes) as stream:
        yield JsonDocument(file, TextStream(file, stream))
