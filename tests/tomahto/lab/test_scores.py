"""Scores of a metric, and the threshold of those that come with what is accepted."""

import math

import numpy as np
import pytest

from tomahto.lab.report import MetricScores, separating_threshold


@pytest.mark.parametrize(
    ("flagged", "threshold"),
    [
        ([(0.2, False), (0.8, True)], 0.5),
        ([(0.2, False), (0.5, True)], 0.5),
        ([(0.5, False), (0.8, True)], 0.8),
        ([(0.2, True), (0.8, True)], 0.2),
        ([(0.2, False), (0.4, False)], 0.5),
        ([(0.2, False), (0.5, False)], math.nextafter(0.5, 1)),
        ([(1.0, False)], math.nextafter(1.0, 2)),
        ([], 0.5),
    ],
)
def test_it_is_the_usual_one_or_the_lowest_accepted(
    flagged: list[tuple[float, bool]], threshold: float
) -> None:
    assert separating_threshold(flagged, 0.5) == threshold


def test_there_is_none_where_a_higher_score_is_not_accepted() -> None:
    with pytest.raises(ValueError, match=r"one of 0\.4 is accepted, and one of 0\.6 is not"):
        separating_threshold([(0.4, True), (0.6, False)], 0.5)


def test_scores_of_one_signature_are_not_the_same_for_it() -> None:
    low, high = (MetricScores("f1", "f1|v1", 0.5, np.array([score])) for score in (0.1, 0.9))
    assert low != high
    assert len({low, high}) == 2
