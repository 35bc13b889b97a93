"""A file of one of the further formats, made piece by piece."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple


class FormatFile(NamedTuple):
    """`groups` are the records of the file, some at a time, made as they are asked for; joined they
    are its text. `rows` counts them if the file is a table."""

    path: str
    groups: Iterator[Iterable[str]]
    rows: int | None = None
