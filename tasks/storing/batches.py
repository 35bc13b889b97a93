"""Records in batches: as many as a statement takes, never the whole file; and once more."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Generic, TypeVar

BATCH = 1000
_Record = TypeVar("_Record")


def batches(records: Iterable[_Record], size: int = BATCH) -> Iterator[list[_Record]]:
    iterator = iter(records)
    while batch := list(islice(iterator, size)):
        yield batch


@dataclass(frozen=True, slots=True)
class Reread(Generic[_Record]):
    """Records that are read anew each time, as those of a file."""

    read: Callable[[], Iterable[_Record]]

    def __iter__(self) -> Iterator[_Record]:
        return iter(self.read())
