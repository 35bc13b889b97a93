import numpy as np
import pytest

from tomahto.estimates.bootstrap import ONE_QUESTION, Bootstrap
from tomahto.lab.reproduce.comparison import judged_share

BOOTSTRAP = Bootstrap(400, 7)


def test_share_is_of_values_and_its_interval_of_questions() -> None:
    # Two questions of which one has all of 30 values: a replicate is 0, 3/4 or 1 by questions.
    share = judged_share(["a"] * 30 + ["b"] * 10, np.arange(40) < 30, BOOTSTRAP)
    assert (share.value, share.n) == (0.75, 40)
    assert (share.low, share.high) == (0.0, 1.0)
    assert (share.replicates, share.seed) == (400, 7)


def test_interval_is_about_the_normal_one_for_single_values() -> None:
    share = judged_share([str(place) for place in range(400)], np.arange(400) % 5 == 0, BOOTSTRAP)
    reach = 1.96 * np.sqrt(0.2 * 0.8 / 400)
    assert share.value == pytest.approx(0.2)
    assert (share.low, share.high) == pytest.approx((0.2 - reach, 0.2 + reach), abs=0.01)


def test_share_without_an_interval_or_a_value_says_why() -> None:
    one = judged_share(["a", "a"], np.array([True, False]), BOOTSTRAP)
    assert (one.value, one.low, one.reason) == (0.5, None, ONE_QUESTION)
    assert judged_share([], np.array([]), BOOTSTRAP).reason == "there is nothing to count"


def test_share_among_some_is_of_their_questions_alone() -> None:
    flags, among = np.array([True, True, False, True]), np.array([True, False, True, False])
    part = judged_share(["b", "a", "c", "a"], flags, BOOTSTRAP, among)
    assert part == judged_share(["b", "c"], np.array([True, False]), BOOTSTRAP)
