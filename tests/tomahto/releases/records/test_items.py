"""Items in a file: the same as in memory, and no more of them in memory where there are more."""

import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from operator import attrgetter
from random import Random

import numpy as np
import pytest

from tests.exporters.samples import ITEMS
from tomahto.releases.records import items as items_module
from tomahto.releases.records.items import Items, take_in_items
from tomahto.releases.records.records import ItemRecord

BY_ID = attrgetter("id")
PASSAGE = "in the hills " * 20


@pytest.fixture(autouse=True)
def _few_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Groups of ten, sorted in runs of forty that are merged by two."""
    for name, size in {"GROUP": 10, "_RUN": 40, "_PART": 2}.items():
        monkeypatch.setattr(items_module, name, size)


def records(number: int) -> Iterator[ItemRecord]:
    """In no order, and ten of each passage."""
    draw = Random(number)
    for place in draw.sample(range(number), number):
        first = ITEMS[place % len(ITEMS)]
        yield replace(
            first,
            id=f"item-{place:05}",
            context=f"{place // 10} {PASSAGE}",
            candidate=f"{place} \ud800 ß\n",  # what cannot be written is refused later, by name
            unrated_references=(f"of {place // 10}",) if place % 3 else (),
            reference_index=None if place % 4 else 0,
        )


@pytest.mark.parametrize("number", [0, 1, 2, 3, 9, 10, 11, 39, 40, 41, 95, 200])
def test_items_are_the_records_by_id(number: int) -> None:
    expected = [
        replace(record, systems=tuple(sorted(record.systems)))
        for record in sorted(records(number), key=BY_ID)
    ]
    items = take_in_items(records(number))
    assert take_in_items(items) is items
    assert (len(items), list(items)) == (number, expected)
    assert list(items[7:25]) == expected[7:25]
    assert [items[place] for place in range(0, number, 7)] == expected[::7]
    are_even = np.arange(number) % 2 == 0
    even = items.where(are_even)
    assert list(even) == expected[::2]
    assert list(even.where(are_even[: len(even)])) == expected[::4]
    # two who read by turns get their own
    assert list(zip(items, even, strict=False)) == list(zip(expected, expected[::2], strict=False))


def test_changed_items_leave_those_that_they_were_made_of() -> None:
    items = take_in_items(records(45))
    changed = items[5:].changed(replace(item, intended="exact") for item in items[5:])
    assert list(changed) == [replace(item, intended="exact") for item in items[5:]]
    assert {item.intended for item in items} == {""}


def test_items_of_a_million_take_no_more_memory_than_of_some() -> None:
    few, many = peak(200), peak(1400)
    # a record with its texts takes 690 bytes
    assert many - few < 1200 * 160  # a part of each run is in memory while they are merged


def peak(number: int) -> int:
    tracemalloc.start()
    items: Items = take_in_items(records(number))
    assert sum(1 for _ in items) == number
    held = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return held
