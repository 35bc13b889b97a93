"""The sets by their definition, p-value by p-value, and by hand."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tomahto.conformal.answer_sets import CandidateTable, answer_sets, largest_kept
from tomahto.estimates.estimate import Estimate

TARGETS = st.sampled_from(["0", "0.1", "0.3", "0.5", "0.7", "0.8", "0.9", "0.99", "1"]).map(
    Fraction
)
# Halves make ties between calibration and test likely.
NONCONFORMITY = st.integers(-4, 4).map(lambda half: half / 2)
MINIMA = st.lists(NONCONFORMITY | st.just(math.inf), min_size=1, max_size=25)
CANDIDATES = st.lists(st.tuples(NONCONFORMITY, st.booleans()), max_size=5)


def _table(rows: list[list[tuple[float, bool]]]) -> CandidateTable:
    return CandidateTable.of_rows(
        [[score for score, _ in row] for row in rows],
        [[flag for _, flag in row] for row in rows],
    )


@given(MINIMA, st.lists(CANDIDATES, min_size=1, max_size=8), TARGETS, TARGETS)
def test_answer_sets_keep_the_candidates_whose_p_value_exceeds_epsilon(
    minima: list[float],
    rows: list[list[tuple[float, bool]]],
    target: Fraction,
    correction: Fraction,
) -> None:
    def stays(score: float) -> bool:
        greater = sum(smallest > score for smallest in minima)
        equal = sum(smallest == score for smallest in minima)
        p = Fraction(greater + equal + 1, len(minima) + 1)
        return p > (1 - target) * correction

    sets = answer_sets(np.array(minima), _table(rows), target, correction=correction)
    expected = [[place for place, (s, _) in enumerate(row) if stays(s)] for row in rows]
    assert sets.indices == expected
    covered = sum(
        any(row[place][1] for place in kept) for row, kept in zip(rows, expected, strict=True)
    )
    assert sets.accuracy == Estimate(value=covered / len(rows), n=len(rows))
    assert sets.mean_size == Estimate(value=sum(map(len, expected)) / len(rows), n=len(rows))


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        # n = 9: rank 10 * target, of M = 1, 2, ..., 9
        ("0.9", 9.0),
        ("0.3", 3.0),  # 10 * (1 - 0.7) would be 3.0000000000000004 in floats, rank 4
        ("0.7", 7.0),
        ("0.71", 8.0),
        ("0.91", math.inf),  # rank 10 of 9
        ("1", math.inf),
        ("0.0001", 1.0),
        ("0", -math.inf),
    ],
)
def test_largest_kept_ranks_in_whole_numbers(target: str, expected: float) -> None:
    minima = np.array([5, 3, 9, 1, 7, 2, 8, 4, 6], dtype=np.float64)
    assert largest_kept(minima, Fraction(target)) == expected


def test_answer_sets_by_hand() -> None:
    calibration = CandidateTable.of_rows(
        [[-3, -1], [-2, -4, 0], [-5], [-1, -2]],
        [[True, True], [True, False, True], [False], [False, True]],
    )
    assert calibration.smallest_admissible.tolist() == [-3, -2, math.inf, -2]
    test = CandidateTable.of_rows(
        [[-3, -2, -1], [-2.5, -4], []], [[False, False, True], [True, False], []]
    )
    # n = 4, target 0.5: rank ceil(2.5) = 3 of -3, -2, -2, inf: -2
    sets = answer_sets(calibration.smallest_admissible, test, Fraction("0.5"))
    assert sets.threshold == -2
    assert sets.indices == [[0, 1], [0, 1], []]
    assert sets.mean_size == Estimate(value=4 / 3, n=3)
    assert sets.accuracy == Estimate(value=1 / 3, n=3)
    # target 0.8: rank 4, the question without an admissible answer: all stay
    everything = answer_sets(calibration.smallest_admissible, test, Fraction("0.8"))
    assert everything.threshold == math.inf
    assert everything.indices == [[0, 1, 2], [0, 1], []]
    assert everything.accuracy.value == 2 / 3


def test_answer_sets_without_test_questions_have_no_mean() -> None:
    sets = answer_sets(np.array([1.0]), CandidateTable.of_rows([], []), Fraction("0.5"))
    assert sets.indices == []
    assert (
        sets.mean_size
        == sets.accuracy
        == Estimate(value=None, reason="there is no test question", n=0)
    )


@pytest.mark.parametrize("target", ["-0.1", "1.1"])
def test_largest_kept_refuses_a_target_that_is_no_share(target: str) -> None:
    with pytest.raises(ValueError, match=f"the target {target} is not between 0 and 1"):
        largest_kept(np.array([1.0]), Fraction(target))
    with pytest.raises(ValueError, match=f"the correction {target} is not between 0 and 1"):
        largest_kept(np.array([1.0]), Fraction("0.5"), correction=Fraction(target))


def test_candidate_table_refuses_scores_that_are_not_finite_and_different_shapes() -> None:
    with pytest.raises(ValueError, match="nonconformity of a candidate is not finite"):
        CandidateTable.of_rows([[1.0, math.nan]], [[True, False]])
    flags = np.ones((2, 3), dtype=np.bool_)
    with pytest.raises(ValueError, match=r"scores \(2, 2\), admission \(2, 3\) and presence"):
        CandidateTable(np.ones((2, 2)), flags, flags)


def test_of_best_keeps_the_first_of_equal_candidates_present() -> None:
    table = CandidateTable.of_rows([[3, 1, 2, 2, 2], [5]], [[True] * 5, [True]])
    best = table.of_best(3)
    assert best.is_present.tolist() == [[False, True, True, True, False], [True] + [False] * 4]
    assert table.of_best(9).is_present.tolist() == table.is_present.tolist()
    assert best.of_questions(np.array([1])).smallest_admissible.tolist() == [5]
