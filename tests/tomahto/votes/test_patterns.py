from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tomahto.votes.patterns import PairTable, Pattern, VotePatterns, pair_tables_from_votes
from tomahto.votes.scheme import LabelScheme

UGLY = "label 'ugly' is not one of good, fair, bad"
SCHEME = LabelScheme(("good", "fair", "bad"), (2, 1, 0))
VOTES = st.lists(st.lists(st.sampled_from(SCHEME.labels), max_size=4), max_size=20)


def test_from_votes_counts_items_by_pattern() -> None:
    votes = [["good", "bad"], ["bad", "good"], ["fair"], [], ["good", "good", "good"]]
    patterns = VotePatterns.from_votes(SCHEME, votes)
    assert patterns.counts == {(1, 0, 1): 2, (0, 1, 0): 1, (3, 0, 0): 1}
    assert patterns.items == 4  # the item without a rating is no rated item
    assert patterns.ratings == 8
    assert patterns.ratings_per_item() == {1: 1, 2: 2, 3: 1}
    assert patterns.label_totals() == {"good": 5, "fair": 1, "bad": 2}


def test_patterns_of_nothing_are_empty() -> None:
    patterns = VotePatterns(SCHEME, {})
    assert (patterns.items, patterns.ratings, patterns.ratings_per_item()) == (0, 0, {})
    assert patterns.label_totals() == {"good": 0, "fair": 0, "bad": 0}


def test_patterns_are_sorted_and_without_empty_rows() -> None:
    patterns = VotePatterns(SCHEME, {(2, 0, 0): 1, (0, 0, 0): 7, (0, 2, 0): 0, (0, 0, 1): 3})
    assert list(patterns.counts.items()) == [((0, 0, 1), 3), ((2, 0, 0), 1)]


def test_patterns_do_not_change_with_the_mapping_they_came_from() -> None:
    counts: dict[Pattern, int] = {(1, 0, 0): 1}
    patterns = VotePatterns(SCHEME, counts)
    counts[1, 0, 0] = 9
    assert patterns.counts == {(1, 0, 0): 1}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: VotePatterns(SCHEME, {(1, 0): 1}), r"pattern \(1, 0\) has 2 counts for 3 labels"),
        (
            lambda: VotePatterns(SCHEME, {(1, -1, 0): 1}),
            r"pattern \(1, -1, 0\) counts a label less than 0 times",
        ),
        (lambda: VotePatterns(SCHEME, {(1, 0, 0): -2}), r"pattern \(1, 0, 0\) occurs -2 times"),
        (lambda: VotePatterns.from_votes(SCHEME, [["good"], ["ugly"]]), UGLY),
        (lambda: pair_tables_from_votes(SCHEME, [{"al": "ugly"}]), UGLY),
        (lambda: PairTable(("bo", "al"), {}), "not two names in sorted order"),
        (lambda: PairTable(("al", "al"), {}), "not two names in sorted order"),
        (lambda: PairTable(("al", "bo"), {("good", "bad"): -1}), "occur -1 times"),
    ],
)
def test_what_cannot_have_been_counted_is_refused(make: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


def test_pairable_keeps_items_with_two_ratings_or_more() -> None:
    patterns = VotePatterns(SCHEME, {(1, 0, 0): 5, (1, 1, 0): 2, (0, 0, 4): 1})
    assert patterns.pairable() == VotePatterns(SCHEME, {(1, 1, 0): 2, (0, 0, 4): 1})


@given(VOTES, st.randoms(use_true_random=False))
def test_patterns_depend_neither_on_the_order_of_items_nor_of_ratings(
    votes: list[list[str]], random: Random
) -> None:
    shuffled = [random.sample(labels, len(labels)) for labels in votes]
    random.shuffle(shuffled)
    one, two = VotePatterns.from_votes(SCHEME, votes), VotePatterns.from_votes(SCHEME, shuffled)
    assert list(one.counts.items()) == list(two.counts.items())
    assert one.ratings == sum(map(len, votes))


def test_pair_tables_hold_each_pair_of_raters_once() -> None:
    votes = [
        {"cy": "bad", "al": "good"},
        {"al": "good", "cy": "bad", "bo": "fair"},
        {"bo": "fair"},
        {},
    ]
    tables = pair_tables_from_votes(SCHEME, votes)
    assert tables == [
        PairTable(("al", "bo"), {("good", "fair"): 1}),
        PairTable(("al", "cy"), {("good", "bad"): 2}),
        PairTable(("bo", "cy"), {("fair", "bad"): 1}),
    ]
    assert [table.items for table in tables] == [1, 2, 1]
