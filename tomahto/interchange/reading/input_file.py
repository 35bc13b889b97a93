"""A file somebody hands in: plain text in UTF-8 or refused, and read in bounded pieces."""

import codecs
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import SEEK_CUR, BufferedReader
from pathlib import Path
from stat import S_ISREG
from typing import BinaryIO, Final, Self

from tomahto.interchange.reading.records import MAX_RECORD_SIZE, MEBIBYTE, InputError, Source

_BOM = codecs.BOM_UTF8
# UTF-32 before UTF-16: the little-endian mark of the one begins with the mark of the other.
_FOREIGN = (
    (re.compile(re.escape(codecs.BOM_UTF32_LE)), "is UTF-32 text; save it as UTF-8"),
    (re.compile(re.escape(codecs.BOM_UTF32_BE)), "is UTF-32 text; save it as UTF-8"),
    (re.compile(re.escape(codecs.BOM_UTF16_LE)), "is UTF-16 text; save it as UTF-8"),
    (re.compile(re.escape(codecs.BOM_UTF16_BE)), "is UTF-16 text; save it as UTF-8"),
    (re.compile(rb"\x1f\x8b"), "is compressed with gzip; unpack it first"),
    (re.compile(rb"PK(\x03\x04|\x05\x06|\x07\x08)"), "is a zip archive; unpack it first"),
    (re.compile(rb"BZh[1-9](1AY&SY|\x17rE8P\x90)"), "is compressed with bzip2; unpack it first"),
    (re.compile(rb"\xfd7zXZ\x00"), "is compressed with xz; unpack it first"),
    (re.compile(rb"\x28\xb5\x2f\xfd"), "is compressed with zstd; unpack it first"),
    (re.compile(rb"PAR1"), "is a Parquet file; export it as JSON lines or CSV first"),
)
_LONGEST_MARK = 16

LINES_SUFFIXES: Final = (".jsonl", ".ndjson")
BLANKS: Final = " \t\r\n\f\v"
BLANK_LINES: Final = re.compile(rb"[ \t\r\n\f\v]++")
EMPTY_LINES: Final = re.compile(rb"[\r\n]++")


@dataclass(frozen=True, slots=True)
class InputFile:
    """A path and the name the user knows it by. Uploads lie under a temporary path."""

    path: Path
    name: str

    @classmethod
    def at(cls, path: Path, name: str | None = None) -> Self:
        """The file at `path`, shown as `name`; control characters in the name are not shown."""
        shown = str(path) if name is None else name
        marks = (mark if mark.isprintable() else "\N{REPLACEMENT CHARACTER}" for mark in shown)
        return cls(path, "".join(marks))

    def source(self, line: int) -> Source:
        return Source(self.name, line)

    def error(self, message: str, line: int | None = None) -> InputError:
        return InputError(message, file=self.name, line=line)

    def head(self, size: int = 64 * 1024) -> str:
        """The file's first characters; what is not UTF-8 in them is left out."""
        with self.open() as stream:
            return stream.read(size).decode(errors="ignore")

    def lines(
        self, blanks: re.Pattern[bytes] | None = None, passes: Callable[[], bool] = lambda: True
    ) -> Iterator[tuple[int, str]]:
        """Yield (number from 1, text with its line end). Only a line feed ends a line.

        Where it `passes` over blank lines, those of nothing but `blanks` are counted, not yielded.
        Raises InputError at the first line that is too long, not UTF-8, or holds a NUL.
        """
        with self.open() as stream:
            offset, number = stream.tell(), 0
            while True:
                if blanks is not None and passes():
                    size, count = _pass_blank_lines(stream, blanks)
                    offset, number = offset + size, number + count
                if not (line := stream.readline(MAX_RECORD_SIZE + 1)):
                    return
                number += 1
                if len(line) > MAX_RECORD_SIZE:
                    raise self.error(f"is longer than {MAX_RECORD_SIZE // MEBIBYTE} MiB", number)
                yield number, self._text(line, number, offset)
                offset += len(line)

    def _text(self, line: bytes, number: int, offset: int) -> str:
        if b"\0" in line:
            raise self.error("holds a NUL character", number)
        try:
            return line.decode()
        except UnicodeDecodeError as error:
            raise self.not_utf8(error, number, offset) from None

    def not_utf8(self, error: UnicodeDecodeError, line: int, offset: int) -> InputError:
        """Tell the first bad byte; `offset` is where the bytes that were decoded begin."""
        byte = error.object[error.start]
        place = offset + error.start
        return self.error(f"is not UTF-8: byte 0x{byte:02X} at offset {place} of the file", line)

    @contextmanager
    def open(self, max_bytes: int | None = None) -> Iterator[BufferedReader]:
        """Open for reading, past a byte-order mark. Links are followed to the file they name."""
        try:
            status = self.path.stat()
            # Looked at before opening: opening a pipe would wait for a writer.
            if not S_ISREG(status.st_mode):
                raise self.error("is not a regular file")
            if max_bytes is not None and status.st_size > max_bytes:
                raise self.error(f"has {status.st_size:,} bytes; the limit is {max_bytes:,}")
            stream = self.path.open("rb")
        except OSError as error:
            raise self.error(f"cannot be opened: {error.strerror}") from error
        with stream:
            start = stream.read(_LONGEST_MARK)
            for mark, message in _FOREIGN:
                if mark.match(start):
                    raise self.error(message)
            stream.seek(len(_BOM) if start.startswith(_BOM) else 0)
            yield stream


def _pass_blank_lines(stream: BufferedReader, blanks: re.Pattern[bytes]) -> tuple[int, int]:
    """Skip whole blank lines, a buffer at a time; how many bytes and lines they were."""
    size = lines = 0
    while found := blanks.match(buffer := stream.peek()):
        end = buffer.rfind(b"\n", 0, found.end()) + 1
        if not end:
            break
        stream.seek(end, SEEK_CUR)
        size, lines = size + end, lines + buffer.count(b"\n", 0, end)
    return size, lines


class TextStream:
    """A file's text in pieces of a chosen size, for formats in which lines mean nothing."""

    def __init__(self, file: InputFile, stream: BinaryIO) -> None:
        self._file, self._stream = file, stream
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._line = 1  # of the next character

    def read(self, size: int) -> str:
        """Text of up to `size` bytes (at least 4: a whole character), "" at the end of the file.

        Raises InputError where the bytes are not UTF-8 or a NUL stands.
        """
        pending = self._decoder.getstate()[0]  # the start of a character cut in two
        offset = self._stream.tell() - len(pending)
        data = self._stream.read(size)
        try:
            text = self._decoder.decode(data, final=len(data) < size)
        except UnicodeDecodeError as error:
            line = self._line + error.object.count(b"\n", 0, error.start)
            raise self._file.not_utf8(error, line, offset) from None
        if (nul := text.find("\0")) >= 0:
            line = self._line + text.count("\n", 0, nul)
            raise self._file.error("holds a NUL character", line)
        self._line += text.count("\n")
        return text
