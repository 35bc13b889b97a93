from collections import Counter

import pytest

from tomahto.releases.dataset.choices import SplitError
from tomahto.releases.dataset.splits import assign_documents
from tomahto.releases.records.records import SplitSpec

DEV_TEST = SplitSpec("document", {"dev": 30.0, "test": 70.0})


def sized(**items: int) -> dict[str, dict[str, int]]:
    """Documents with so many items, all of one label."""
    return {document: {"label": count} for document, count in items.items()}


def test_assign_documents_gives_each_document_to_the_split_that_lacks_most() -> None:
    # SHA-256 of "0\\0c" begins with 50f6, of "0\\0a" 5f1a, of "0\\0b" a8d4: visited c, a, b.
    # Targets of 10 items: dev 3, test 7. c (4) to test, which lacks 7; then dev lacks 3 and
    # test 3: a (1) to dev, the first by name; then test lacks most and takes b (5).
    assigned = assign_documents(sized(a=1, b=5, c=4), DEV_TEST, 0)
    assert assigned == {"c": "test", "a": "dev", "b": "test"}


def test_assign_documents_by_another_seed_is_another_assignment() -> None:
    counts = sized(**{f"d{n}": 1 for n in range(20)})
    assert assign_documents(counts, DEV_TEST, 1) != assign_documents(counts, DEV_TEST, 2)


def test_assign_documents_leaves_no_split_empty() -> None:
    # By need alone both documents would go to test: it lacks 99 of 100 items, then still 49.
    spec = SplitSpec("document", {"dev": 1.0, "test": 99.0})
    splits = assign_documents(sized(a=50, b=50), spec, 0)
    assert sorted(splits.values()) == ["dev", "test"]


def test_assign_documents_needs_a_document_for_each_split() -> None:
    with pytest.raises(SplitError) as caught:
        assign_documents(sized(a=5), DEV_TEST, 0)
    assert str(caught.value) == (
        "document:dev=30,test=70 cannot be made of 1 documents: "
        "1 can still be placed, but dev, test would need one each"
    )


def test_assign_documents_counts_what_is_kept_when_a_split_would_stay_empty() -> None:
    kept = {"a": "test", "b": "test"}
    with pytest.raises(SplitError) as caught:
        assign_documents(sized(a=1, b=1), DEV_TEST, 0, kept)
    assert str(caught.value) == (
        "document:dev=30,test=70 cannot be made of 2 documents: "
        "0 can still be placed, but dev would need one each"
    )
    assert assign_documents(sized(a=1, b=1, c=1), DEV_TEST, 0, kept) == {**kept, "c": "dev"}


def test_assign_documents_refuses_documents_too_large_for_small_shares() -> None:
    # Targets 0.05, 0.05, 4.9 of 5 items; with one document each for a and b, c keeps 3.
    spec = SplitSpec("document", {"a": 1.0, "b": 1.0, "c": 98.0})
    with pytest.raises(SplitError) as caught:
        assign_documents(sized(**{f"d{n}": 1 for n in range(5)}), spec, 0)
    assert str(caught.value) == (
        "document:a=1,b=1,c=98 cannot be made of 5 documents: c would have 3 items for a target "
        "of 4.9, off by more than the largest document (1 items); use fewer splits, more equal "
        "shares or more documents"
    )


def test_assign_documents_divides_those_without_items_by_their_number() -> None:
    without = {name: Counter[str]() for name in "abcdefghij"}
    assigned = assign_documents({**sized(x=3, y=7), **without}, DEV_TEST, 0)
    assert Counter(assigned[name] for name in without) == {"dev": 3, "test": 7}


def test_assign_documents_refuses_a_document_kept_in_an_unknown_split() -> None:
    with pytest.raises(SplitError) as caught:
        assign_documents(sized(a=1, b=1), DEV_TEST, 0, {"a": "train"})
    assert str(caught.value) == (
        "document 'a' was in split 'train' before, which is not one of dev, test"
    )


def test_assign_documents_ignores_kept_documents_that_are_gone() -> None:
    counts = sized(a=1, b=1)
    assert assign_documents(counts, DEV_TEST, 0, {"gone": "train"}) == assign_documents(
        counts, DEV_TEST, 0
    )
