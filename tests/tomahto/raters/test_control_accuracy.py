"""Golden values: scipy.stats.fisher_exact and hypergeom."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import fisher_exact, hypergeom

from tomahto.estimates.estimate import Estimate, wilson_interval
from tomahto.raters.checks import ControlAccuracy, control_accuracies, lower_tail, share_right

COUNTS = st.integers(1, 60).flatmap(lambda given: st.tuples(st.integers(0, given), st.just(given)))


@given(COUNTS, COUNTS)
def test_lower_tail_equals_scipy(one: tuple[int, int], others: tuple[int, int]) -> None:
    right, answers = one[0] + others[0], one[1] + others[1]
    found = lower_tail(*one, right, answers)
    assert found == pytest.approx(hypergeom.cdf(one[0], answers, right, one[1]), rel=1e-9)
    table = [[one[0], one[1] - one[0]], [others[0], others[1] - others[0]]]
    assert found == pytest.approx(fisher_exact(table, alternative="less").pvalue, rel=1e-9)


def test_control_accuracies_by_hand() -> None:
    # Of 12 answers 7 are right. bo has 1 of 6: C(7, 1) C(5, 5) / C(12, 6) = 7 / 924, none is less.
    al, bo, cy = control_accuracies({"al": (6, 6), "bo": (1, 6), "cy": (0, 0)})
    low, high = wilson_interval(1, 6)
    assert bo == ControlAccuracy(
        rater="bo",
        accuracy=Estimate(value=1 / 6, n=6, low=low, high=high),
        others=1.0,
        p_value=2 * (7 / 924),  # two raters are tested
        verdict="low",
    )
    assert (al.verdict, al.p_value, al.others) == ("usual", 1.0, 1 / 6)
    assert (cy.verdict, cy.p_value, cy.others) == ("too-few", None, 7 / 12)
    assert cy.accuracy == share_right(0, 0)
    assert cy.accuracy.reason == "no control item was answered"


def test_control_accuracies_need_five_answers_and_others() -> None:
    found = control_accuracies({"al": (9, 9), "bo": (0, 4)})
    assert [one.verdict for one in found] == ["usual", "too-few"]
    (alone,) = control_accuracies({"al": (2, 9)})
    assert (alone.verdict, alone.p_value, alone.others) == ("too-few", None, None)


@pytest.mark.parametrize("accuracy", [0.6, 0.9])
def test_control_accuracies_of_equal_raters_alarm_at_most_5_times_in_100(accuracy: float) -> None:
    generator = np.random.default_rng(5)
    alarms = 0
    for _ in range(300):
        given = generator.integers(5, 30, 8)
        right = generator.binomial(given, accuracy)
        answers = {
            str(n): (int(r), int(g)) for n, (r, g) in enumerate(zip(right, given, strict=True))
        }
        alarms += any(one.verdict == "low" for one in control_accuracies(answers))
    assert alarms <= 15


def test_control_accuracies_find_who_guesses() -> None:
    generator = np.random.default_rng(6)
    for _ in range(20):
        right = {str(n): (int(generator.binomial(30, 0.9)), 30) for n in range(8)}
        found = control_accuracies(right | {"guesses": (int(generator.binomial(30, 0.4)), 30)})
        assert [one.rater for one in found if one.verdict == "low"] == ["guesses"]


@pytest.mark.parametrize("counts", [(3, 2), (-1, 2)])
def test_control_accuracies_refuse_impossible_counts(counts: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match=f"rater al: {counts[0]} of 2 answers are right"):
        control_accuracies({"al": counts})
