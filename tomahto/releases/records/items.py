"""The items of a release in a file without a name, so that a million of them take no more memory
than ten thousand: they are read in order, a group at a time.
"""

import heapq
import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields, replace
from itertools import chain, islice, pairwise, starmap
from operator import attrgetter
from typing import Any, Final
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

from tomahto.releases.records.ratings import GROUP, Columns
from tomahto.releases.records.records import ItemRecord

_FIELDS: Final = tuple(field.name for field in fields(ItemRecord))
_LISTS: Final = {"references", "systems", "unrated_references"}
_values_of: Final[Callable[[ItemRecord], tuple[Any, ...]]] = attrgetter(*_FIELDS)
_RUN: Final = 20_000  # records that are sorted in memory
_PART: Final = 200  # records of a run that are in memory while runs are merged


class Items(Columns[ItemRecord]):
    """Items by id, their systems sorted."""

    __slots__ = ("_places", "_stored")

    def __init__(self, stored: "_Stored", places: "NDArray[np.int32]") -> None:
        self._stored, self._places = stored, places

    def __len__(self) -> int:
        return len(self._places)

    def where(self, is_kept: "NDArray[np.bool_] | slice") -> "Items":
        return Items(self._stored, self._places[is_kept])

    def records_in_turn(self) -> Iterator[ItemRecord]:
        numbers, places = np.divmod(self._places, GROUP)
        starts = np.flatnonzero(np.diff(numbers, prepend=-1)).tolist()
        for start, end in pairwise([*starts, len(places)]):
            group = self._stored[int(numbers[start])]
            yield from map(group.__getitem__, places[start:end].tolist())

    def __iter__(self) -> Iterator[ItemRecord]:
        return self.records_in_turn()

    def changed(self, records: Iterable[ItemRecord]) -> "Items":
        """These records, as many, in their place."""
        return Items(_Stored(_in_groups(records, GROUP)), np.arange(len(self), dtype=np.int32))


def take_in_items(records: Iterable[ItemRecord]) -> Items:
    """Go through the records once. Items that were taken in come back as they are. Raises OSError
    if the disk has no room."""
    if isinstance(records, Items):
        return records
    runs = (sorted(run, key=_ID) for run in _in_groups(records, _RUN))
    parts = _Stored(part for run in runs for part in _in_groups(run, _PART))
    starts = range(0, len(parts), _RUN // _PART)
    sorted_runs = (parts.between(start, start + starts.step) for start in starts)
    in_order = map(_with_systems_sorted, heapq.merge(*sorted_runs, key=_ID))
    stored = _Stored(_in_groups(in_order, GROUP))
    return Items(stored, np.arange(stored.records, dtype=np.int32))


def _in_groups(records: Iterable[ItemRecord], size: int) -> Iterator[list[ItemRecord]]:
    records = iter(records)
    return iter(lambda: list(islice(records, size)), [])


_ID: Final = attrgetter("id")


def _with_systems_sorted(item: ItemRecord) -> ItemRecord:
    systems = tuple(sorted(set(item.systems)))
    return item if item.systems == systems else replace(item, systems=systems)


class _Stored:
    """Groups of records in the order in which they came. The last that was asked for is in memory;
    a single one is nowhere else."""

    def __init__(self, groups: Iterator[list[ItemRecord]]) -> None:
        first = next(groups, [])
        self.records = len(first)
        self._last: tuple[int, Sequence[ItemRecord]] = 0, first
        self._ends = [0]  # of groups, in bytes
        second = next(groups, None)
        if second is None:
            return
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - as long as this is there
        finalize(self, self._file.close)
        self._write(first)
        for group in chain([second], groups):
            self.records += len(group)
            self._write(group)
        self._file.flush()

    def _write(self, group: Sequence[ItemRecord]) -> None:
        written = _written(group)
        self._file.write(written)
        self._ends.append(self._ends[-1] + len(written))

    def __len__(self) -> int:
        return max(1, len(self._ends) - 1)

    def __getitem__(self, number: int) -> Sequence[ItemRecord]:
        last, group = self._last
        if last != number:
            group = self._read(number)
            self._last = number, group
        return group

    def between(self, start: int, end: int) -> Iterator[ItemRecord]:
        """The records of these groups, one of which is in memory besides."""
        for number in range(start, min(end, len(self))):
            yield from self._read(number) if len(self) > 1 else self[number]

    def _read(self, number: int) -> Sequence[ItemRecord]:
        start, end = self._ends[number : number + 2]
        return _read(os.pread(self._file.fileno(), end - start, start))


def _written(records: Sequence[ItemRecord]) -> bytes:
    """The values of every field, each once, and which of them each record has."""
    columns = []
    for column in zip(*map(_values_of, records), strict=True):
        distinct = dict.fromkeys(column)
        places = {value: place for place, value in enumerate(distinct)}
        columns.append([list(distinct), list(map(places.__getitem__, column))])
    return json.dumps(columns, separators=(",", ":")).encode()


def _read(written: bytes) -> Sequence[ItemRecord]:
    columns = []
    for name, (distinct, places) in zip(_FIELDS, json.loads(written), strict=True):
        values = list(map(tuple, distinct)) if name in _LISTS else distinct
        columns.append(map(values.__getitem__, places))
    return list(starmap(ItemRecord, zip(*columns, strict=True)))
