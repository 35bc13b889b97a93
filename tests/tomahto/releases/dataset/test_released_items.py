"""Items of a release taken one by one, in groups, by split and by key."""

from dataclasses import replace

import pytest

from tests.exporters.builders import build_dataset
from tests.exporters.samples import CONTENT
from tomahto.releases.dataset.released_items import ReleasedItems


@pytest.fixture(scope="module")
def items() -> ReleasedItems:
    return build_dataset(CONTENT).items


def ids(items: ReleasedItems) -> list[str]:
    return [item.record.id for item in items]


def test_items_are_the_same_one_by_one_in_slices_and_in_groups(items: ReleasedItems) -> None:
    every = list(items)
    assert [items[place] for place in range(len(items))] == every
    assert items[-1] == every[-1]
    assert list(items[1:3]) == every[1:3]
    assert [item for group in items.groups(2) for item in group] == every
    assert [len(group) for group in items.groups(2)] == [2, 2, 1]
    with pytest.raises(IndexError):
        items[len(items)]


def test_items_have_what_the_release_adds(items: ReleasedItems) -> None:
    first, last = items[0], items[-1]
    assert (first.record.id, first.label.votes, first.f1) == ("a1", (2, 1), 0.5)
    assert (last.record.id, last.label.votes, last.f1) == ("d1", (0, 4), 1.0)
    assert [item.split for item in items] == items.each_split()
    assert [item.label.label for item in items] == items.labels.each("label")
    assert [item.label.posterior for item in items] == items.labels.each_posterior()


def test_an_item_without_references_has_no_f1() -> None:
    content = replace(CONTENT, items=[replace(one, references=()) for one in CONTENT.items])
    content = replace(content, campaign=replace(content.campaign, protocol="cap"))
    assert [item.f1 for item in build_dataset(content).items] == [None] * 5


def test_items_by_split_and_by_key_keep_their_order(items: ReleasedItems) -> None:
    for split in ("dev", "test"):
        of_split = items.where(items.are_in(split))
        assert ids(of_split) == [item.record.id for item in items if item.split == split]
    by_system = items.grouped(lambda record: record.systems)
    assert {system: ids(group) for system, group in by_system.items()} == {
        "bidaf": ["a1", "a2", "d1"],
        "luke": ["b1"],
        "xlnet": ["a1", "a2", "c1"],
    }
    assert items.grouped(lambda _record: ()) == {}


def test_items_are_equal_if_all_of_them_are(items: ReleasedItems) -> None:
    assert items == build_dataset(CONTENT).items
    assert items != items[1:]
    assert items != build_dataset(replace(CONTENT, seed=CONTENT.seed + 1)).items[:4]
    assert items != list(items)
