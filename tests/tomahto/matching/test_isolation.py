"""One bad pair in a batch: the others are scored, and the bad one says why it is not."""

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tomahto.matching.f1 import TokenF1
from tomahto.matching.interface import Pair
from tomahto.matching.scores import Unscored, score_apart
from tomahto.pretrained.files import ModelError


def pair(number: int) -> Pair:
    return Pair("Who?", "", (f"person {number}",), f"person {number}")


class Picky(TokenF1):
    """Raises for batches that hold one of these persons; counts the batches."""

    def __init__(self, *numbers: int) -> None:
        self.bad = {pair(number).candidate for number in numbers}
        self.calls = 0

    def score(self, pairs: Sequence[Pair]) -> list[float]:
        self.calls += 1
        if found := [each.candidate for each in pairs if each.candidate in self.bad]:
            raise ValueError(f"cannot read {found[0]}")
        return super().score(pairs)


@given(st.integers(0, 40), st.sets(st.integers(0, 39)))
def test_score_apart_finds_exactly_the_bad_pairs(size: int, bad: set[int]) -> None:
    expected = [
        Unscored(f"ValueError: cannot read person {n}") if n in bad else 1.0 for n in range(size)
    ]
    assert score_apart(Picky(*bad), [pair(n) for n in range(size)]) == expected


def test_score_apart_asks_once_where_nothing_is_wrong() -> None:
    matcher = Picky()
    assert score_apart(matcher, [pair(n) for n in range(500)]) == [1.0] * 500
    assert matcher.calls == 1


def test_score_apart_finds_one_of_many_with_few_questions() -> None:
    matcher = Picky(321)
    score_apart(matcher, [pair(n) for n in range(512)])
    # the batch, the harmless pair, and two halves at each of the 9 steps from 512 to 1
    assert matcher.calls == 2 + 2 * 9


class Broken(Picky):
    """Cannot score anything any more."""

    error: Exception = OSError(28, "No space left on device")

    def score(self, pairs: Sequence[Pair]) -> list[float]:
        self.calls += 1
        raise self.error


def test_score_apart_raises_what_concerns_the_matcher() -> None:
    matcher = Broken()
    with pytest.raises(OSError, match="No space left"):
        score_apart(matcher, [pair(n) for n in range(100)])
    assert matcher.calls == 2


def test_score_apart_raises_a_model_that_is_not_there_at_once() -> None:
    matcher = Broken()
    matcher.error = ModelError("not a model")
    with pytest.raises(ModelError, match="not a model"):
        score_apart(matcher, [pair(1)])
    assert matcher.calls == 1


class Constant(TokenF1):
    def __init__(self, *scores: float) -> None:
        self.scores = scores

    def score(self, pairs: Sequence[Pair]) -> list[float]:
        return list(self.scores)


@pytest.mark.parametrize("score", [math.nan, -0.1, 1.1, math.inf])
def test_score_apart_takes_no_score_outside_the_interval(score: float) -> None:
    results = score_apart(Constant(0.0, score, 1.0), [pair(n) for n in range(3)])
    assert results == [0.0, Unscored(f"the score {score} is not between 0 and 1"), 1.0]


def test_score_apart_wants_a_score_for_each_pair() -> None:
    results = score_apart(Constant(0.5, 0.5), [pair(1)])
    assert results == [Unscored("ValueError: 2 scores for 1 pairs")]
