from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tomahto.votes.majority import Majority, break_tie, majority, majority_totals
from tomahto.votes.patterns import VotePatterns
from tomahto.votes.scheme import LabelScheme

SCHEME = LabelScheme(("good", "fair", "bad"), (2, 1, 0))


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ((2, 1, 0), Majority("good")),
        ((0, 0, 1), Majority("bad")),
        ((1, 2, 1), Majority("fair")),  # more than any other, though not more than half
        ((1, 0, 1), Majority(None, ("good", "bad"))),
        ((2, 2, 2), Majority(None, ("good", "fair", "bad"))),
    ],
)
def test_majority_is_the_label_ahead_of_all_others(
    counts: tuple[int, ...], expected: Majority
) -> None:
    assert majority(SCHEME, counts) == expected


def test_break_tie_follows_the_digest_of_seed_and_key() -> None:
    # The last digits of `printf '7\0item-0' | sha256sum` and so on are 2 8 e a 2 9 4 7 (even
    # takes the first label by name, odd the second).
    # Fixed for good: a release that is rebuilt must break its ties as it did before.
    drawn = [break_tie(("good", "bad"), seed=7, key=f"item-{item}") for item in range(8)]
    assert drawn == ["bad", "bad", "bad", "bad", "bad", "good", "bad", "good"]


@given(st.permutations(SCHEME.labels), st.integers(), st.text(max_size=5))
def test_break_tie_does_not_depend_on_the_order_of_labels(
    tied: list[str], seed: int, key: str
) -> None:
    assert break_tie(tied, seed=seed, key=key) == break_tie(SCHEME.labels, seed=seed, key=key)


def test_break_tie_is_fair_over_keys_and_varies_with_the_seed() -> None:
    drawn = [break_tie(("good", "bad"), seed=1, key=str(key)) for key in range(1000)]
    other = [break_tie(("good", "bad"), seed=2, key=str(key)) for key in range(1000)]
    # 500 expected with a standard deviation of 15.8
    assert 440 < drawn.count("good") < 560
    assert 440 < sum(one == two for one, two in zip(drawn, other, strict=True)) < 560


def test_majority_totals_leave_ties_to_nobody() -> None:
    patterns = VotePatterns(SCHEME, {(2, 1, 0): 3, (1, 0, 0): 4, (1, 1, 0): 5, (1, 1, 1): 1})
    assert majority_totals(patterns) == ({"good": 7, "fair": 0, "bad": 0}, 6)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: majority(SCHEME, (0, 0, 0)), "an item without votes has no majority"),
        (lambda: majority(SCHEME, (1, 0)), "2 counts for 3 labels"),
        *(
            (partial(Majority, winner, tied), "neither one winner nor a tie")
            for winner, tied in ((None, ()), (None, ("a",)), ("a", ("a", "b")))
        ),
        *(
            (partial(break_tie, tied, seed=1, key="item-1"), "is not a tie")
            for tied in ((), ("good",), ("good", "good"))
        ),
    ],
)
def test_what_is_no_majority_and_no_tie_is_refused(
    make: Callable[[], object], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        make()
