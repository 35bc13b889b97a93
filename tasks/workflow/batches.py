"""Records in batches: as many as a statement takes, never the whole file."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

BATCH = 1000
_Record = TypeVar("_Record")


def batches(records: Iterable[_Record], size: int = BATCH) -> Iterator[list[_Record]]:
    iterator = iter(records)
    while batch := list(islice(iterator, size)):
        yield batch
