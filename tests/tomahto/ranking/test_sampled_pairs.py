"""Pairs drawn from all ordered ones, beside a count of all by hand."""

import numpy as np
import pytest

from tomahto.ranking.monotonicity import sampled_pairs
from tomahto.ranking.order_counts import OrderedItems, PairOutcomes
from tomahto.votes.scheme import LabelScheme

SMALL = LabelScheme(("good", "fine", "fair", "bad"), (2, 2, 1, 0), "ordinal")


@pytest.fixture
def items() -> OrderedItems:
    """good 1.0 0.5, fair 0.5 0.75 0.25, bad 0.5 0.5: of 16 pairs 8 are won, 5 tied, 3 lost."""
    labels = ["good", "good", "fair", "fair", "fair", "bad", "bad"]
    scores = np.array([1.0, 0.5, 0.5, 0.75, 0.25, 0.5, 0.5])
    return OrderedItems.of(labels, scores, range(7), SMALL)


@pytest.mark.parametrize("size", [16, 1000])
def test_a_sample_of_all_pairs_counts_every_pair(items: OrderedItems, size: int) -> None:
    sample = sampled_pairs(items, size=size, seed=1)
    assert sample.outcomes == PairOutcomes(8, 5, 3)
    assert sample.as_json() == {
        "n": 16, "available": 16, "seed": 1, "won": 8, "tied": 5, "lost": 3, "accuracy": 0.5,
    }  # fmt: skip


def test_fifteen_of_sixteen_leave_out_one(items: OrderedItems) -> None:
    # Without replacement: what is left out is one won, tied or lost pair, never more.
    left_out = set()
    for seed in range(40):
        outcomes = sampled_pairs(items, size=15, seed=seed).outcomes
        left_out.add((8 - outcomes.won, 5 - outcomes.tied, 3 - outcomes.lost))
    assert left_out == {(1, 0, 0), (0, 1, 0), (0, 0, 1)}


def test_the_seed_decides_and_the_sample_is_fair() -> None:
    # 300 items of either class, the higher one wins 7 in 8 of the 90,000 pairs.
    scores = np.concatenate([np.repeat([1.0, 0.25], 150), np.repeat([0.5, 0.0, 0.0, 0.0], 75)])
    items = OrderedItems.of(["good"] * 300 + ["bad"] * 300, scores, range(600), SMALL)
    samples = [sampled_pairs(items, size=20_000, seed=seed) for seed in (1, 1, 2)]
    assert samples[0] == samples[1] != samples[2]
    for sample in samples:
        assert (sample.outcomes.pairs, sample.available) == (20_000, 90_000)
        assert sample.outcomes.accuracy.value == pytest.approx(7 / 8, abs=0.01)


def test_no_ordered_pair_leaves_the_accuracy_undefined() -> None:
    items = OrderedItems.of(["good", "fine"], np.array([0.1, 0.2]), range(2), SMALL)
    sample = sampled_pairs(items, size=5, seed=1).as_json()
    assert (sample["n"], sample["accuracy"], sample["reason"]) == (
        0, None, "there is no pair to compare",
    )  # fmt: skip
    with pytest.raises(ValueError, match="0 pairs: a sample needs at least 1"):
        sampled_pairs(items, size=0, seed=1)
