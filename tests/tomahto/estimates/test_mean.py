"""The mean score of answers to questions: clusters, few questions, and both ends of the scale."""

import math

import numpy as np
import pytest
from scipy.stats import sem, t

from tests.sampling import mostly
from tests.tomahto.estimates.intervals import covers, ends
from tomahto.estimates.estimate import Estimate
from tomahto.estimates.two_way_clusters import mean_with_interval
from tomahto.types import Floats


def of_questions_apart(values: list[float]) -> Estimate:
    return mean_with_interval(np.array(values), np.arange(len(values)))


def test_mean_with_interval_by_hand() -> None:
    found = of_questions_apart([1.0, 1.0, 0.5, 0.5])
    # deviations of 1/4: s^2 = 4/16 / 3 = 1/12, se^2 = 1/48; n* = 3/4 * 1/4 * 48 = 9
    quantile = float(t.ppf(0.975, 3))
    low, high = ends(found)
    for end in (low, high):
        assert abs(0.75 - end) == pytest.approx(quantile * math.sqrt(end * (1 - end) / 9))
    assert low < 0.75 < high < 1
    assert (found.value, found.n) == (0.75, 4)


def test_answers_to_one_question_count_as_one() -> None:
    four = of_questions_apart([0.9, 0.8, 0.4, 0.7])
    twice = mean_with_interval(
        np.array([0.9, 0.9, 0.8, 0.8, 0.4, 0.4, 0.7, 0.7]), np.repeat(np.arange(4), 2)
    )
    assert [twice.low, twice.high] == pytest.approx([four.low, four.high])
    assert twice.value == pytest.approx(0.7)
    assert twice.n == 8


def test_mean_with_interval_ends_where_scores_do() -> None:
    scores = [0.646, 0.785, 0.924]
    low, high = t.interval(0.95, 2, loc=np.mean(scores), scale=sem(scores))
    assert (low, high) == pytest.approx((0.44, 1.13), abs=0.005)
    found = of_questions_apart(scores)
    assert (found.low, found.high) == pytest.approx((0.376, 0.956), abs=0.005)


@pytest.mark.parametrize(("a", "b"), [(5, 1), (20, 5), (8, 0.5)])
@pytest.mark.parametrize("n", mostly([3, 10, 40], 3))
def test_mean_with_interval_covers_from_three_questions_on(a: float, b: float, n: int) -> None:
    generator, covered = np.random.default_rng(7), 0
    for _ in range(500):
        covered += covers(of_questions_apart(list(generator.beta(a, b, n))), a / (a + b))
    assert covered / 500 > 0.89  # mean -+ t s / sqrt(n) comes to 0.85


def nothing() -> Floats:
    return np.array([], dtype=np.float64)


def test_mean_with_interval_of_too_few() -> None:
    assert mean_with_interval(nothing(), nothing().astype(np.int64)) == Estimate(
        value=None, n=0, reason="there is no value"
    )
    one = Estimate(value=0.25, n=1, reason="values of one question give no interval")
    assert of_questions_apart([0.25]) == one
    assert of_questions_apart([1.0, 1.0]) == Estimate(
        value=1.0, n=2, reason="all questions are alike: no spread, no interval"
    )


def test_mean_with_interval_is_of_scores() -> None:
    with pytest.raises(ValueError, match="a value is not between 0 and 1"):
        of_questions_apart([0.5, 1.5])
