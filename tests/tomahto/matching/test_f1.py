import pytest

from tests.tomahto.matching.examples import pair
from tomahto.matching.f1 import TokenF1


def test_f1_is_that_of_the_closest_reference() -> None:
    # {red, fox} against {fox}: precision 1/2, recall 1, F1 2/3; against {grey, wolf}: 0.
    scores = TokenF1().score([pair("the red fox", "grey wolf", "a fox"), pair("red", "blue")])

    assert scores == [pytest.approx(2 / 3), 0.0]
