"""JSON as RFC 8259 means it: no NaN, no duplicate keys; and no bottomless nesting or numbers.

A line is read at once, a large document in order, with one of its values in memory at a time.
"""

import json
import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, NoReturn, Self

from tomahto.interchange.reading.input_file import InputFile, TextStream
from tomahto.interchange.reading.records import (
    MAX_DEPTH,
    MAX_DOCUMENT_BYTES,
    MAX_NAME,
    MAX_NUMBER_LENGTH,
    MAX_RECORD_SIZE,
    MAX_VALUES,
    MEBIBYTE,
    DistinctKeys,
    InputError,
    Source,
)
from tomahto.interchange.reading.row import Row, json_type

_BLANKS: Final = " \t\r\n"
# Possessive repeats: an unclosed string fails in linear time.
_TOKEN: Final = re.compile(r'"(?:[^"\\]++|\\.)*+"|["\[\]{},]', re.DOTALL)
_SCALAR: Final = re.compile(r'[^\s\[\]{},:"]*+')


class JsonError(ValueError):
    """Text that is not acceptable JSON. `offset` is the character, None if it is not known."""

    def __init__(self, message: str, offset: int | None = None) -> None:
        super().__init__(message)
        self.message, self.offset = message, offset


class WrittenNumber(float):
    """A number with a point or an exponent that is, as a text, as it was written."""

    __slots__ = ("_digits",)
    _digits: str

    def __new__(cls, digits: str) -> Self:
        number = super().__new__(cls, digits)
        number._digits = digits
        return number

    def __str__(self) -> str:
        return self._digits


def decode_value(text: str, start: int) -> tuple[object, int]:
    """Read the value that begins at `start`; give it and the offset after it.

    The caller has measured the value (`Extent`), so its depth and size are bounded.
    """
    try:
        return _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        raise JsonError(f"is not JSON: {error.msg}", error.pos) from None
    except (RecursionError, MemoryError):
        raise JsonError("asks for too much memory") from None


def decode_line(text: str) -> object:
    """Read a line that holds one value and nothing else but blanks."""
    start = len(text) - len(text.lstrip(_BLANKS))
    # Counting is cheap and decides almost always; only then is the value looked at closely.
    brackets = text.count("[") + text.count("{")
    if brackets > MAX_DEPTH or brackets + text.count(",") > MAX_VALUES:
        Extent().grow(text, start)
    value, end = decode_value(text, start)
    if text[end:].strip(_BLANKS):
        raise JsonError("is not JSON: Extra data after the value", end)
    return value


class Extent:
    """Finds where one value ends, in text that may still grow at its end, and bounds it."""

    def __init__(self) -> None:
        self._looked_at = self._depth = self._values = 0

    def grow(self, text: str, start: int) -> bool:
        """Look on at the value that begins at `start`. True when it is complete.

        Raises JsonError if the value is nested too deep, holds too many values or is too long.
        """
        is_scalar = not text.startswith(('"', "[", "{"), start)
        is_closed = self._scalar(text, start) if is_scalar else self._tokens(text, start)
        if (self._looked_at if is_closed else len(text) - start) > MAX_RECORD_SIZE:
            raise JsonError(f"is longer than {MAX_RECORD_SIZE // MEBIBYTE} MiB", start)
        return is_closed

    def _scalar(self, text: str, start: int) -> bool:
        match = _SCALAR.match(text, start + self._looked_at)
        end = match.end() if match else start
        self._looked_at = end - start
        return end < len(text)

    def _tokens(self, text: str, start: int) -> bool:
        for token in _TOKEN.finditer(text, start + self._looked_at):
            mark, width = text[token.start()], token.end() - token.start()
            if mark == '"' and width == 1:
                return False  # the string goes on in text that is not here yet
            self._looked_at = token.end() - start
            self._count(mark, token.start())
            if self._depth == 0:
                return True
        return False

    def _count(self, mark: str, offset: int) -> None:
        if mark in "[{":
            self._depth += 1
        elif mark in "]}":
            self._depth -= 1
        if mark in "[{,":
            self._values += 1
        if self._depth > MAX_DEPTH:
            raise JsonError(f"is nested more than {MAX_DEPTH} deep", offset)
        if self._values > MAX_VALUES:
            raise JsonError(f"holds more than {MAX_VALUES:,} values in one record", offset)


def _members(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) == len(pairs):
        return members
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            raise JsonError(f"the key {key!r:.80} occurs twice in one object")
        seen.add(key)
    return members


def _constant(word: str) -> NoReturn:
    raise JsonError(f"{word} is not a JSON number")


def _whole_number(digits: str) -> int:
    if len(digits) > MAX_NUMBER_LENGTH:
        raise JsonError(f"a number of {len(digits):,} characters is too long")
    return int(digits)


def _number(digits: str) -> float:
    if len(digits) > MAX_NUMBER_LENGTH:
        raise JsonError(f"a number of {len(digits):,} characters is too long")
    value = WrittenNumber(digits)
    if not math.isfinite(value):
        raise JsonError(f"the number {digits} is out of range")
    return value


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_members,
    parse_constant=_constant,
    parse_int=_whole_number,
    parse_float=_number,
)

_BLANK_RUN: Final = re.compile(r"[ \t\r\n]*+")
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
                raise source.error(f"must be an object, not {json_type(value)}", field)
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
            blanks = _BLANK_RUN.match(self._buffer, self._position)
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
