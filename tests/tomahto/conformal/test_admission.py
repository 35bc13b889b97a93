from fractions import Fraction

import numpy as np
import pytest
from scipy.special import betaincinv

from tomahto.conformal.answer_sets import (
    AdmissionError,
    CandidateTable,
    admission_error,
    answer_sets,
    judged_tops,
)


def _tables(
    rows: list[tuple[list[float], list[int], list[int]]],
) -> tuple[CandidateTable, CandidateTable]:
    """Exact and approximate admission of questions: scores, admissible, admitted."""
    scores = [row[0] for row in rows]
    return (
        CandidateTable.of_rows(scores, [[bool(flag) for flag in row[1]] for row in rows]),
        CandidateTable.of_rows(scores, [[bool(flag) for flag in row[2]] for row in rows]),
    )


RIGHT = ([1.0, 2.0, 3.0], [0, 1, 0], [0, 1, 1])  # the top of the admitted is the second
WRONG = ([1.0, 2.0, 3.0], [0, 1, 0], [1, 1, 0])  # the top is the first
TIED = ([2.0, 2.0], [0, 1], [1, 1])  # one of the two at the top is right
SILENT = ([1.0], [1], [0])


def test_admission_error_bounds_the_share_of_wrong_tops() -> None:
    exact, approximate = _tables([WRONG] * 100)
    error = admission_error(exact, approximate, seed=3)
    assert error == AdmissionError(
        labelled=10, admitting=10, wrong=10, bound=1.0, gamma=0.01, seed=3
    )
    assert error.correction == 0


@pytest.mark.parametrize("row", [RIGHT, TIED])
def test_admission_error_is_bounded_even_where_no_top_is_wrong(
    row: tuple[list[float], list[int], list[int]],
) -> None:
    error = admission_error(*_tables([row] * 95), seed=3)
    assert (error.labelled, error.admitting, error.wrong) == (10, 10, 0)
    assert error.bound == pytest.approx(betaincinv(1, 10, 0.99), rel=1e-12)
    assert error.correction == 1 - Fraction(error.bound)


def test_admission_error_leaves_out_questions_without_a_top() -> None:
    error = admission_error(*_tables([SILENT] * 11), seed=0)
    assert (error.labelled, error.admitting, error.wrong, error.bound) == (2, 0, 0, 1.0)


def test_admission_error_counts_in_the_drawn_tenth_only() -> None:
    rows = [RIGHT, WRONG, SILENT] * 100
    drawn = np.random.default_rng(5).choice(300, size=30, replace=False)
    error = admission_error(*_tables(rows), seed=5)
    wrong = int((drawn % 3 == 1).sum())
    admitting = int((drawn % 3 != 2).sum())
    assert (error.labelled, error.admitting, error.wrong) == (30, admitting, wrong)
    golden = betaincinv(wrong + 1, admitting - wrong, 0.99)
    assert error.bound == pytest.approx(golden, rel=1e-12)
    assert admission_error(*_tables(rows), seed=6) != error


def test_admission_error_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="there is no calibration question"):
        admission_error(*_tables([]), seed=0)


def test_correction_enlarges_the_sets() -> None:
    # n = 19 with M = 1, ..., 19 and target 0.5: rank 10 as is; with a correction of 0.8 the
    # p-values grow by a quarter, 0.5 * 0.8 = 0.4 of 20 may go: rank 12.
    minima = np.arange(1.0, 20.0)
    test = CandidateTable.of_rows([np.arange(1.0, 20.0).tolist()], [[True] * 19])
    raw = answer_sets(minima, test, Fraction("0.5"))
    corrected = answer_sets(minima, test, Fraction("0.5"), correction=Fraction("0.8"))
    assert (raw.mean_size.value, corrected.mean_size.value) == (10, 12)


def _drawn(generator: np.random.Generator, questions: int) -> tuple[CandidateTable, CandidateTable]:
    """A matcher that errs in 3 % of the candidates."""
    scores = np.sort(generator.normal(size=(questions, 20)), axis=1)
    admissible = generator.random(scores.shape) < 0.15
    admitted = admissible ^ (generator.random(scores.shape) < 0.03)
    present = np.ones_like(admissible)
    return CandidateTable(scores, admissible, present), CandidateTable(scores, admitted, present)


def test_correction_keeps_the_target_where_the_matchers_top_is_right() -> None:
    # As P(miss) <= epsilon (1 - bound) and P(right) >= 1 - bound, P(miss | right) <= epsilon.
    generator, target = np.random.default_rng(3), Fraction("0.8")
    corrected, raw = [], []
    for seed in range(100):
        calibration, by_matcher = _drawn(generator, 300)
        test, tested_by_matcher = _drawn(generator, 100)
        error = admission_error(calibration, by_matcher, seed=seed)
        minima = by_matcher.smallest_admissible
        tops = judged_tops(test, tested_by_matcher)
        is_right = tops.is_admitting & ~tops.is_wrong
        sets = answer_sets(minima, test, target, correction=error.correction)
        corrected.append(sets.is_covered[is_right].mean())
        raw.append(answer_sets(minima, test, target).is_covered.mean())
    assert np.mean(corrected) > target
    assert np.mean(raw) < target - Fraction("0.04")  # its standard error is 0.005
