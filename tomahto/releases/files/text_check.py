"""Does a text file hold the records that are expected, byte for byte?"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


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
