"""JSON as RFC 8259 means it: no NaN, no duplicate keys; and no bottomless nesting or numbers."""

import json
import math
import re
from typing import Final, NoReturn, Self

from tomahto.interchange.reading.limits import (
    MAX_DEPTH,
    MAX_NUMBER_LENGTH,
    MAX_RECORD_SIZE,
    MAX_VALUES,
    MEBIBYTE,
)

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
