from collections import Counter
from collections.abc import Mapping
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from exporters.records import SplitSpec
from exporters.splits import (
    SplitError,
    assign_documents,
    check_split_spec,
    format_split_spec,
    parse_split_spec,
)

DEV_TEST = SplitSpec("document", {"dev": 30.0, "test": 70.0})
THREE = SplitSpec("document", {"train": 60.0, "dev": 10.0, "test": 30.0})


def test_parse_split_spec_reads_names_and_shares() -> None:
    assert parse_split_spec("document:dev=30,test=70") == DEV_TEST
    assert parse_split_spec("document:a_1=33.333,b=33.333,c=33.334") == SplitSpec(
        "document", {"a_1": 33.333, "b": 33.333, "c": 33.334}
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dev=30,test=70", "split 'dev=30,test=70' is not written like document:dev=30,test=70"),
        ("system:a=100", "splits are made by document, not by 'system'"),
        ("document:", "split 'document:': '' is not written like NAME=PERCENT"),
        ("document:a=1e2", "split 'document:a=1e2': 'a=1e2' is not written like NAME=PERCENT"),
        ("document:a=-1", "split 'document:a=-1': 'a=-1' is not written like NAME=PERCENT"),
        ("document:a=nan", "split 'document:a=nan': 'a=nan' is not written like NAME=PERCENT"),
        ("document:a=50,a=50", "split 'document:a=50,a=50': 'a' is named twice"),
        ("document:A=100", "split name 'A' may hold only a-z, 0-9 and _"),
        ("document:dev-1=100", "split name 'dev-1' may hold only a-z, 0-9 and _"),
        ("document:=100", "split name '' may hold only a-z, 0-9 and _"),
        ("document:all=100", "a split cannot be called 'all': `datasets` means every split by it"),
        ("document:a=0,b=100", "split 'a' has the share 0.0; a share is above 0"),
        ("document:a=30,b=60", "the shares sum to 90, not to 100"),
        ("document:a=99.98", "the shares sum to 99.98, not to 100"),
    ],
)
def test_parse_split_spec_says_in_one_line_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(SplitError) as caught:
        parse_split_spec(text)
    assert str(caught.value) == message


def test_check_split_spec_refuses_a_specification_without_splits() -> None:
    with pytest.raises(SplitError, match="the shares sum to 0, not to 100"):
        check_split_spec(SplitSpec("document", {}))


@given(st.lists(st.floats(0.001, 100), min_size=1, max_size=5))
def test_format_split_spec_is_read_back_as_the_same(weights: list[float]) -> None:
    total = sum(weights)
    shares = {f"s{n}": 100 * weight / total for n, weight in enumerate(weights)}
    spec = SplitSpec("document", shares)
    assert parse_split_spec(format_split_spec(spec)) == spec


def test_assign_documents_gives_each_document_to_the_split_that_lacks_most() -> None:
    # SHA-256 of "0\\0c" begins with 50f6, of "0\\0a" 5f1a, of "0\\0b" a8d4: visited c, a, b.
    # Targets of 10 items: dev 3, test 7. c (4) to test, which lacks 7; then dev lacks 3 and
    # test 3: a (1) to dev, the first by name; then test lacks most and takes b (5).
    assigned = assign_documents({"a": 1, "b": 5, "c": 4}, DEV_TEST, 0)
    assert assigned == {"c": "test", "a": "dev", "b": "test"}


documents = st.dictionaries(st.text(max_size=5), st.integers(1, 30), min_size=3, max_size=25)
seeds = st.integers(0, 2**64)


@given(documents, seeds, st.sampled_from([DEV_TEST, THREE]), st.randoms())
def test_assign_documents_depends_on_no_order(
    counts: Mapping[str, int], seed: int, spec: SplitSpec, random: Random
) -> None:
    expected = _assigned(counts, spec, seed)
    shuffled = list(counts.items())
    random.shuffle(shuffled)
    shares = dict(reversed(list(spec.shares.items())))
    assert assign_documents(dict(shuffled), SplitSpec("document", shares), seed) == expected


@given(documents, seeds, st.sampled_from([DEV_TEST, THREE]))
def test_assign_documents_is_within_one_document_of_the_target(
    counts: Mapping[str, int], seed: int, spec: SplitSpec
) -> None:
    assigned = _assigned(counts, spec, seed)
    items: Counter[str] = Counter()
    for document, split in assigned.items():
        items[split] += counts[document]
    total, largest = sum(counts.values()), max(counts.values())
    assert assigned.keys() == counts.keys()
    assert items.keys() == spec.shares.keys()  # none is empty
    for split, share in spec.shares.items():
        assert abs(items[split] - total * share / 100) <= largest


@given(documents, documents, seeds)
def test_assign_documents_never_moves_what_is_kept(
    counts: Mapping[str, int], added: Mapping[str, int], seed: int
) -> None:
    before = assign_documents(counts, DEV_TEST, seed)
    after = assign_documents({**added, **counts}, DEV_TEST, seed, kept=before)
    assert {document: after[document] for document in counts} == before
    assert after.keys() == {*counts, *added}


def _assigned(counts: Mapping[str, int], spec: SplitSpec, seed: int) -> dict[str, str]:
    """Two splits can always be made; with three, few documents may fit no target (see below)."""
    try:
        return assign_documents(counts, spec, seed)
    except SplitError:
        assume(len(spec.shares) == 2)
        raise


def test_assign_documents_by_another_seed_is_another_assignment() -> None:
    counts = {f"d{n}": 1 for n in range(20)}
    assert assign_documents(counts, DEV_TEST, 1) != assign_documents(counts, DEV_TEST, 2)


def test_assign_documents_leaves_no_split_empty() -> None:
    # By need alone both documents would go to test: it lacks 99 of 100 items, then still 49.
    spec = SplitSpec("document", {"dev": 1.0, "test": 99.0})
    splits = assign_documents({"a": 50, "b": 50}, spec, 0)
    assert sorted(splits.values()) == ["dev", "test"]


def test_assign_documents_needs_a_document_for_each_split() -> None:
    with pytest.raises(SplitError) as caught:
        assign_documents({"a": 5}, DEV_TEST, 0)
    assert str(caught.value) == (
        "document:dev=30,test=70 cannot be made of 1 documents: "
        "1 can still be placed, but dev, test would need one each"
    )


def test_assign_documents_counts_what_is_kept_when_a_split_would_stay_empty() -> None:
    kept = {"a": "test", "b": "test"}
    with pytest.raises(SplitError) as caught:
        assign_documents({"a": 1, "b": 1}, DEV_TEST, 0, kept)
    assert str(caught.value) == (
        "document:dev=30,test=70 cannot be made of 2 documents: "
        "0 can still be placed, but dev would need one each"
    )
    assert assign_documents({"a": 1, "b": 1, "c": 1}, DEV_TEST, 0, kept) == {**kept, "c": "dev"}


def test_assign_documents_refuses_documents_too_large_for_small_shares() -> None:
    # Targets 0.05, 0.05, 4.9 of 5 items; with one document each for a and b, c keeps 3.
    spec = SplitSpec("document", {"a": 1.0, "b": 1.0, "c": 98.0})
    with pytest.raises(SplitError) as caught:
        assign_documents({f"d{n}": 1 for n in range(5)}, spec, 0)
    assert str(caught.value) == (
        "document:a=1,b=1,c=98 cannot be made of 5 documents: c would have 3 items for a target "
        "of 4.9, off by more than the largest document (1 items); use fewer splits, more equal "
        "shares or more documents"
    )


def test_assign_documents_refuses_a_document_kept_in_an_unknown_split() -> None:
    with pytest.raises(SplitError) as caught:
        assign_documents({"a": 1, "b": 1}, DEV_TEST, 0, {"a": "train"})
    assert str(caught.value) == (
        "document 'a' was in split 'train' before, which is none of dev, test"
    )


def test_assign_documents_ignores_kept_documents_that_are_gone() -> None:
    counts = {"a": 1, "b": 1}
    assert assign_documents(counts, DEV_TEST, 0, {"gone": "train"}) == assign_documents(
        counts, DEV_TEST, 0
    )
