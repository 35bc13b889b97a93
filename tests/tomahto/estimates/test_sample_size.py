import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tomahto.estimates.intervals import width
from tomahto.estimates.bootstrap import Bootstrap, drawn_ratios, percentile_estimate
from tomahto.estimates.estimate import Estimate, undefined
from tomahto.estimates.forecast import SampleSize, items_for_width, predicted_width
from tomahto.reliability.alpha import alpha_with_interval
from tomahto.scoring.judged_scores import JudgedScores
from tomahto.votes.patterns import VotePatterns
from tomahto.votes.scheme import LabelScheme

# Width 0.2 from 100 items.
ESTIMATE = Estimate(value=0.8, n=100, low=0.7, high=0.9)
ABC = LabelScheme(("a", "b", "c"), (0, 1, 2))


def test_items_for_width_by_hand() -> None:
    # Half the width takes four times the items.
    found = items_for_width(ESTIMATE, 0.1, available=1000, ratings_each=2)
    assert (found.needed, found.more, found.more_ratings) == (400, 300, 600)
    assert (found.is_reachable, found.n, found.available) == (True, 100, 1000)
    assert found.width == pytest.approx(0.2, abs=1e-15)
    # sqrt(100 / 1000)
    assert found.best_width == pytest.approx(0.2 / math.sqrt(10), abs=1e-15)


def test_items_for_width_says_what_all_items_can_give() -> None:
    found = items_for_width(ESTIMATE, 0.1, available=225)
    assert (found.needed, found.is_reachable) == (400, False)
    assert found.best_width == pytest.approx(0.2 * 10 / 15, abs=1e-15)


def test_items_for_width_needs_no_more_where_the_interval_is_narrow_enough() -> None:
    found = items_for_width(ESTIMATE, 0.5)
    assert (found.needed, found.more, found.more_ratings, found.is_reachable) == (100, 0, 0, True)
    assert found.best_width == pytest.approx(0.2, abs=1e-15)


@pytest.mark.parametrize(
    ("estimate", "reason"),
    [
        (undefined("no item has two ratings", n=0), "no item has two ratings"),
        (Estimate(value=0.5, n=50), "the estimate has no interval"),
        (
            Estimate(value=0.5, n=19, low=0.2, high=0.8),
            "fewer than 20 items do not tell how wide the interval is",
        ),
        (
            Estimate(value=1.0, n=50, low=1.0, high=1.0),
            "the interval has no width, so nothing is known of the spread",
        ),
    ],
)
def test_items_for_width_says_why_it_cannot_tell(estimate: Estimate, reason: str) -> None:
    expected = SampleSize(target=0.1, n=estimate.n, reason=reason)
    assert items_for_width(estimate, 0.1) == expected


@given(st.integers(20, 10_000), st.floats(0.001, 1), st.floats(0.001, 1))
def test_items_for_width_is_enough_and_no_more_than_enough(
    n: int, width: float, target: float
) -> None:
    estimate = Estimate(value=0.5, n=n, low=0.5 - width / 2, high=0.5 + width / 2)
    needed = items_for_width(estimate, target).needed
    assert needed is not None
    assert predicted_width(estimate, needed) <= target * (1 + 1e-9) or needed == n
    if needed > n:
        assert predicted_width(estimate, needed - 1) > target * (1 - 1e-9)


@pytest.mark.parametrize(
    ("target", "available", "ratings_each", "message"),
    [
        (0.0, None, 1, "target width 0.0 is not above 0"),
        (0.1, 99, 1, "99 items are available but 100 are used"),
        (0.1, None, 0, "0 ratings for each item"),
    ],
)
def test_items_for_width_refuses_what_makes_no_sense(
    target: float, available: int | None, ratings_each: int, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        items_for_width(ESTIMATE, target, available=available, ratings_each=ratings_each)


def test_predicted_width_needs_an_interval_and_an_item() -> None:
    with pytest.raises(ValueError, match="without an interval"):
        predicted_width(Estimate(value=0.5, n=50), 100)
    with pytest.raises(ValueError, match="0 items have no interval"):
        predicted_width(ESTIMATE, 0)


def _votes(items: int, seed: int) -> VotePatterns:
    """Two or three votes an item, each right with chance 0.8."""
    generator = np.random.default_rng(seed)
    true = generator.integers(0, 3, (items, 3))[:, :1]
    labels = np.where(
        generator.random((items, 3)) < 0.8, true, generator.integers(0, 3, (items, 3))
    )
    return VotePatterns.from_votes(
        ABC,
        [
            [ABC.labels[label] for label in row[: 2 + place % 2]]
            for place, row in enumerate(labels.tolist())
        ],
    )


def _judged(items: int, seed: int) -> JudgedScores:
    """Three items a question; those of a question resemble each other."""
    generator = np.random.default_rng(seed)
    questions = np.arange(items) // 3
    is_right = generator.random(items) < 0.3 + 0.5 * generator.random(items)[questions]
    return JudgedScores(np.ones(items), is_right, questions)


def _difference(items: int, seed: int) -> Estimate:
    """Two systems on the same items, one right with chance 0.8 and one with 0.7."""
    generator = np.random.default_rng(seed)
    ease = generator.random(items) * 0.2 - 0.1
    one, other = (generator.random(items) < chance + ease for chance in (0.8, 0.7))
    differences = one.astype(np.float64) - other
    bootstrap = Bootstrap(2000, 1)
    drawn = drawn_ratios(differences, np.ones(items), bootstrap)
    return percentile_estimate(
        float(differences.mean()), drawn, n=items, clusters=items, bootstrap=bootstrap
    )


@pytest.mark.parametrize(
    "estimate",
    [
        lambda items: alpha_with_interval(_votes(items, items), seed=1),
        lambda items: _judged(items, items).accuracy(0.5, Bootstrap(2000, 1)),
        lambda items: _difference(items, items),
    ],
    ids=["alpha", "accuracy", "difference"],
)
def test_predicted_width_is_right_within_15_percent(
    estimate: Callable[[int], Estimate],
) -> None:
    few, many = estimate(300), estimate(1500)
    assert (few.n, many.n) == (300, 1500)
    assert predicted_width(few, 1500) == pytest.approx(width(many), rel=0.15)
