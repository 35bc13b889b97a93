import numpy as np
import pytest

from tomahto.estimates.estimate import Estimate
from tomahto.raters.steering import LabelShift, label_shifts
from tomahto.votes.rating_rows import RatingRows

ROWS = [
    ("q1", "al", "a"),
    ("q2", "al", "b"),
    ("q1", "bo", "a"),
    ("q2", "bo", "a"),
]


def test_label_shifts_by_hand() -> None:
    ratings = RatingRows.of(ROWS, ("a", "b", "c"))
    a, b, c = label_shifts(ratings, np.array([True, False, True, False]))
    # shown: a, a; hidden: b, a
    assert (a.label, a.shown, a.hidden, a.difference.value) == ("a", 1.0, 0.5, 0.5)
    assert (b.shown, b.hidden, b.difference.value) == (0.0, 0.5, -0.5)
    assert (c.shown, c.hidden, c.difference.value, c.difference.n) == (0.0, 0.0, 0.0, 4)
    assert {shift.difference.confidence for shift in (a, b, c)} == {1 - 0.05 / 3}
    # Influences of a times 4: al 0 on q1, -1 on q2; bo 0, 1. By rater 1 + 1, by item 0 + 0:
    # 2/16 * 2 = 1/4, above Agresti and Caffo's 3/4 * 1/4 / 4 + 1/2 * 1/2 / 4. t with 1 degree
    # of freedom is 38.19 at 1 - 0.05 / 6, so the interval reaches over all there is.
    assert (a.difference.low, a.difference.high) == (-1, 1)


def test_label_shifts_say_what_is_missing() -> None:
    ratings = RatingRows.of(ROWS, ("a", "b"))
    first, _second = label_shifts(ratings, np.full(4, True))
    reason = "no rating was given with the suggestion hidden"
    assert first == LabelShift("a", 0.75, None, Estimate(value=None, n=4, reason=reason))


def test_label_shifts_find_a_label_that_is_given_more_often_when_shown() -> None:
    generator = np.random.default_rng(5)
    items, raters = np.repeat(np.arange(300), 2), np.tile(np.arange(10), 60)
    is_shown = generator.random(600) < 0.5
    labels = np.where(is_shown & (generator.random(600) < 0.3), 0, generator.integers(0, 3, 600))
    names = tuple(f"r{number}" for number in range(10))
    ratings = RatingRows(items, raters, labels, names, ("a", "b", "c"))
    a, b, c = label_shifts(ratings, is_shown)
    assert a.difference.value is not None
    assert a.difference.value == pytest.approx(0.2, abs=0.08)  # 0.3 * 2/3
    assert a.difference.low is not None
    assert a.difference.low > 0
    assert b.difference.value is not None
    assert c.difference.value is not None
    assert b.difference.value + c.difference.value == pytest.approx(-a.difference.value)
