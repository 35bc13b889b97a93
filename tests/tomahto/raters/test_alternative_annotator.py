"""Golden values: scipy.stats.ttest_1samp and false_discovery_control."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import false_discovery_control, ttest_1samp

from tests.tomahto.raters.votes import rows_of
from tomahto.raters.alternative_annotator import NO_LABEL, alternative_annotator
from tomahto.types import Integers
from tomahto.votes.rating_rows import RatingRows

LABELS = ("a", "b", "c")


def test_alternative_annotator_by_hand() -> None:
    # al, bo, cy on 40 items: 20 times a a a, 10 times a a b, 10 times a b b. The matcher says a.
    votes = ["aaa"] * 20 + ["aab"] * 10 + ["abb"] * 10
    found = alternative_annotator(rows_of(*votes), np.zeros(40, dtype=np.int64), epsilon=0.2)
    al, bo, cy = found.raters
    # al gives what the matcher gives: both have the advantage everywhere, d = 0.
    assert (al.matcher_advantage.value, al.rater_advantage.value) == (1, 1)
    assert (al.p_value, al.is_beaten) == (0.0, True)
    # bo: on a b b the others are a and b, so a and b score alike.
    assert (bo.matcher_advantage.value, bo.rater_advantage.value) == (1, 1)
    # cy: on a a b the matcher has 2 of 2 against 0, d = -1; on a b b 1 and 1. Mean d -1/4,
    # variance (10 * 9/16 + 30 * 1/16) / 39 = 7.5 / 39; t = -0.45 / sqrt(7.5 / 39 / 40) = -6.49
    assert (cy.matcher_advantage.value, cy.rater_advantage.value) == (1, 3 / 4)
    assert cy.p_value == pytest.approx(5.4e-8, rel=0.02)
    assert [one.items for one in found.raters] == [40, 40, 40]
    assert (found.winning_rate.value, found.winning_rate.n, found.may_replace) == (1, 3, True)
    assert (found.advantage.value, found.skipped, found.epsilon) == (1, (), 0.2)


@settings(max_examples=10)
@given(st.integers(0, 10_000), st.sampled_from([0.0, 0.1, 0.2]), st.floats(0.3, 0.95))
def test_alternative_annotator_equals_scipy(seed: int, epsilon: float, quality: float) -> None:
    rows, matcher = _simulated(seed=seed, raters=4, items=60, quality=quality)
    found = alternative_annotator(rows, matcher, epsilon=epsilon)
    golden = []
    for rater in range(4):
        differences = []
        for item in range(60):
            votes = dict(
                zip(rows.raters[rows.items == item], rows.labels[rows.items == item], strict=True)
            )
            own = votes.pop(rater)
            ours = np.mean([own == vote for vote in votes.values()])
            theirs = np.mean([matcher[item] == vote for vote in votes.values()])
            differences.append(float(ours >= theirs) - float(theirs >= ours))
        golden.append(ttest_1samp(differences, epsilon, alternative="less").pvalue)
    assert [one.p_value for one in found.raters] == pytest.approx(golden, rel=1e-8, abs=1e-14)
    corrected = false_discovery_control(golden, method="by")
    assert [one.is_beaten for one in found.raters] == [bool(p <= 0.05) for p in corrected]


def test_alternative_annotator_rejects_a_poor_matcher_and_accepts_a_good_one() -> None:
    rows, good = _simulated(seed=1, raters=5, items=200, quality=0.9)
    assert alternative_annotator(rows, good, epsilon=0.1).may_replace is True
    rows, poor = _simulated(seed=1, raters=5, items=200, quality=0.4)
    found = alternative_annotator(rows, poor, epsilon=0.1)
    assert (found.winning_rate.value, found.may_replace) == (0, False)


def test_alternative_annotator_seldom_accepts_a_matcher_at_the_margin() -> None:
    # A matcher who errs so much more often that a rater's lead is about epsilon = 0.1: d is +1
    # where the rater alone is right and -1 where the matcher is, 0.9 - 0.8 = 0.1.
    accepted = 0
    for seed in range(80):
        rows, matcher = _simulated(seed=seed, raters=3, items=100, quality=0.8, right=0.9)
        accepted += alternative_annotator(rows, matcher, epsilon=0.1).may_replace is True
    assert accepted <= 8


def test_alternative_annotator_leaves_out_what_cannot_be_compared() -> None:
    votes = ["aaa"] * 35 + ["a"] * 9
    matcher = np.zeros(44, dtype=np.int64)
    matcher[0] = NO_LABEL
    found = alternative_annotator(rows_of(*votes), matcher, epsilon=0.1)
    assert [one.items for one in found.raters] == [34, 34, 34]


def test_alternative_annotator_is_undefined_with_too_few_raters() -> None:
    votes = ["aa"] * 40 + [".aa"] * 20
    found = alternative_annotator(rows_of(*votes), np.zeros(60, dtype=np.int64), epsilon=0.1)
    assert ([one.rater for one in found.raters], found.skipped) == (["al", "bo"], ("cy",))
    assert (found.winning_rate, found.may_replace) == (found.advantage, None)
    assert found.winning_rate.reason == (
        "3 raters with 30 items are needed that the matcher and another rater labelled too"
    )
    assert found.winning_rate.n == 2


@settings(max_examples=10)
@given(st.randoms())
def test_alternative_annotator_renames_what_is_renamed(random: Random) -> None:
    rows, matcher = _simulated(seed=2, raters=4, items=60, quality=0.7)
    labels, raters = (np.array(random.sample(range(size), size)) for size in (3, 4))
    renamed = replace(rows, labels=labels[rows.labels], raters=raters[rows.raters])
    ours = alternative_annotator(rows, matcher, epsilon=0.1)
    theirs = alternative_annotator(renamed, labels[matcher], epsilon=0.1)
    assert theirs.winning_rate == ours.winning_rate
    for place, one in enumerate(ours.raters):
        assert replace(theirs.raters[raters[place]], rater=one.rater) == one


@pytest.mark.parametrize(
    ("matcher", "epsilon", "level", "message"),
    [
        ([0], 0.1, 0.05, "1 labels of the matcher for 2 items"),
        ([0, 3], 0.1, 0.05, "the matcher gives a label that is not in the scheme"),
        ([0, -2], 0.1, 0.05, "the matcher gives a label that is not in the scheme"),
        ([0, 1], 1.0, 0.05, "epsilon 1.0 is not from 0 up to 1"),
        ([0, 1], 0.1, 0.0, "level 0.0 is not between 0 and 1"),
    ],
)
def test_alternative_annotator_refuses_what_cannot_be_compared(
    matcher: list[int], epsilon: float, level: float, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        alternative_annotator(rows_of("ab", "aab"), np.array(matcher), epsilon=epsilon, level=level)


def test_alternative_annotator_refuses_a_second_rating_of_an_item() -> None:
    rows = RatingRows.of([("q1", "al", "a"), ("q1", "al", "b")], LABELS)
    with pytest.raises(ValueError, match="a rater rated an item twice"):
        alternative_annotator(rows, np.array([0]), epsilon=0.1)


def _simulated(
    *, seed: int, raters: int, items: int, quality: float, right: float = 0.8
) -> tuple[RatingRows, Integers]:
    """Raters are right with chance `right`, the matcher with chance `quality`."""
    generator = np.random.default_rng(seed)
    true = generator.integers(0, 3, items)
    item_of, rater_of = np.repeat(np.arange(items), raters), np.tile(np.arange(raters), items)
    wrong = (true[item_of] + generator.integers(1, 3, len(item_of))) % 3
    labels = np.where(generator.random(len(item_of)) < right, true[item_of], wrong)
    mistaken = (true + generator.integers(1, 3, items)) % 3
    matcher = np.where(generator.random(items) < quality, true, mistaken)
    names = tuple(f"rater {number}" for number in range(raters))
    return RatingRows(item_of, rater_of, labels, names, LABELS), matcher
