"""Trials against a textbook that counts p-values, by hand, and on data that are exchangeable."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import betaincinv

from tomahto.conformal.answer_sets import CandidateTable
from tomahto.conformal.trials import ConformalTrials, TrialPlan, conformal_trials

NONCONFORMITY = st.integers(-4, 4).map(lambda half: half / 2)  # halves, so that many tie
CANDIDATES = st.lists(st.tuples(NONCONFORMITY, st.booleans(), st.booleans()), max_size=4)
TARGETS = [Fraction(target) for target in ("0", "0.3", "0.5", "0.7", "0.9", "1")]

Rows = list[list[tuple[float, bool, bool]]]


def _tables(rows: Rows) -> tuple[CandidateTable, CandidateTable]:
    """The candidates by label and by matcher."""
    scores = [[score for score, _, _ in row] for row in rows]
    return (
        CandidateTable.of_rows(scores, [[flag for _, flag, _ in row] for row in rows]),
        CandidateTable.of_rows(scores, [[flag for _, _, flag in row] for row in rows]),
    )


def _smallest(row: list[tuple[float, bool, bool]], by: int) -> float:
    return min((each[0] for each in row if each[by]), default=math.inf)


def _textbook(
    rows: Rows, calibration: list[int], test: list[int], target: Fraction, by: int, bound: float
) -> tuple[float, float]:
    """Mean size and accuracy by the definitions: a p-value for every candidate."""
    minima = [_smallest(rows[place], by) for place in calibration]
    size = covered = 0
    for place in test:
        kept = []
        for score, is_right, _ in rows[place]:
            greater = sum(smallest > score for smallest in minima)
            equal = sum(smallest == score for smallest in minima)
            p = Fraction(greater + equal + 1, len(minima) + 1)
            if p > (1 - target) * (1 - Fraction(bound)):
                kept.append(is_right)
        size += len(kept)
        covered += any(kept)
    return size / len(test), covered / len(test)


def _bound(rows: Rows, labelled: list[int]) -> float:
    admitting = wrong = 0
    for place in labelled:
        top = _smallest(rows[place], 2)
        if top < math.inf:
            admitting += 1
            wrong += not any(s == top and right for s, right, by in rows[place] if by)
    if wrong == admitting:
        return 1.0
    return float(betaincinv(wrong + 1, admitting - wrong, 0.99))


@settings(deadline=None, max_examples=60)
@given(st.lists(CANDIDATES, min_size=5, max_size=25), st.integers(0, 5))
def test_every_trial_is_what_counting_p_values_gives(rows: Rows, seed: int) -> None:
    exact, approximate = _tables(rows)
    plan = TrialPlan(trials=2, calibration=Fraction("0.6"), seed=seed)
    found = conformal_trials(exact, TARGETS, plan, approximate=approximate)
    generator, count = np.random.default_rng(seed), round(len(rows) * 0.6)
    assert found.bounds is not None
    for trial in range(2):
        drawn = generator.permutation(len(rows)).tolist()
        calibration, test = drawn[:count], drawn[count:]
        bound = _bound(rows, calibration[: math.ceil(count / 10)])
        assert found.bounds[trial] == pytest.approx(bound, rel=1e-12)
        for kind, by, error in (("exact", 1, 0.0), ("raw", 2, 0.0), ("corrected", 2, bound)):
            sets = found.sets[kind]  # type: ignore[index]  # a loop has plain texts
            for place, target in enumerate(TARGETS):
                values = sets.sizes[trial, place], sets.accuracies[trial, place]
                assert values == _textbook(rows, calibration, test, target, by, error)


def _alike(questions: int) -> tuple[CandidateTable, CandidateTable]:
    """Question i has a right answer of nonconformity i, and a wrong one 9.5 lower that the
    matcher admits too."""
    scores = [[float(number), number - 9.5] for number in range(questions)]
    return (
        CandidateTable.of_rows(scores, [[True, False]] * questions),
        CandidateTable.of_rows(scores, [[True, True]] * questions),
    )


def test_two_questions_by_hand() -> None:
    # One calibrates and one is tested. n = 1: at 0.5 rank ceil(2 * 0.5) = 1, at 0.6 rank 2 = all.
    # Threshold 0 keeps the wrong one of the other question (-8.5, 1), 1 both (-9.5, 0).
    exact, _ = _alike(2)
    plan = TrialPlan(trials=20, calibration=Fraction(1, 2), seed=3)
    found = conformal_trials(exact, [Fraction("0.5"), Fraction("0.6")], plan)
    generator = np.random.default_rng(3)
    first = [int(generator.permutation(2)[0]) for _ in range(20)]
    assert set(first) == {0, 1}
    assert found.sets["exact"].sizes.tolist() == [[1.0 + place, 2.0] for place in first]
    assert found.sets["exact"].accuracies.tolist() == [[float(place), 1.0] for place in first]
    assert (found.questions, found.calibration, found.bounds) == (2, 1, None)
    assert [*found.sets] == ["exact"]


def _exchangeable(questions: int, seed: int) -> CandidateTable:
    generator = np.random.default_rng(seed)
    scores = np.round(generator.normal(size=(questions, 20)), 1)
    admissible = generator.random(scores.shape) < 0.2
    admissible[:, 0] = True
    return CandidateTable(scores, admissible, np.ones_like(admissible))


def test_without_ties_the_accuracy_is_as_near_as_ranks_allow() -> None:
    # With n = 240 and no ties the expected accuracy is rank / (n + 1), from target to target + 1/n.
    generator = np.random.default_rng(5)
    scores = generator.normal(size=(300, 1))
    table = CandidateTable(scores, scores < 99, scores < 99)
    targets = [Fraction("0.5"), Fraction("0.9")]
    accuracies = conformal_trials(table, targets, TrialPlan(trials=2000)).sets["exact"].accuracies
    expected = [math.ceil(241 * target) / 241 for target in targets]
    assert accuracies.mean(axis=0) == pytest.approx(expected, abs=0.003)


def test_the_same_seed_gives_the_same_trials_and_more_trials_begin_alike() -> None:
    table = _exchangeable(40, seed=1)

    def accuracies(trials: int, seed: int) -> list[list[float]]:
        plan = TrialPlan(trials, Fraction(1, 2), seed)
        found: ConformalTrials = conformal_trials(table, TARGETS, plan)
        values: list[list[float]] = found.sets["exact"].accuracies.tolist()
        return values

    assert accuracies(4, 7) == accuracies(4, 7) == accuracies(9, 7)[:4]
    assert accuracies(4, 7) != accuracies(4, 8)


def test_questions_without_an_admissible_answer_count_as_infinite_or_are_dropped() -> None:
    rows: Rows = [[(1.0, True, True)]] * 6 + [[(2.0, False, True)]] * 4
    exact, approximate = _tables(rows)
    plan = TrialPlan(trials=5, calibration=Fraction(1, 2))
    targets = [Fraction("0.5"), Fraction("0.99")]
    kept = conformal_trials(exact, targets, plan)
    assert (kept.questions, kept.unanswerable, kept.dropped) == (10, 4, 0)
    # at 0.99 all of 10 stay, and what has no right answer is never right
    assert (kept.sets["exact"].sizes[:, 1] == 1).all()
    assert kept.sets["exact"].accuracies[:, 1].max() < 1
    dropped = conformal_trials(
        exact, targets, plan, approximate=approximate, drop_unanswerable=True
    )
    assert (dropped.questions, dropped.unanswerable, dropped.dropped) == (6, 0, 4)
    assert dropped.calibration == 3
    assert (dropped.sets["exact"].accuracies == 1).all()
    assert (dropped.sets["raw"].accuracies == 1).all()


@pytest.mark.parametrize(
    ("questions", "share", "fault"),
    [
        (1, "0.5", "of 1 questions 0 would calibrate and 1 be tested"),
        (3, "1", "of 3 questions 3 would calibrate and 0 be tested"),
        (0, "0.5", "of 0 questions 0 would calibrate and 0 be tested"),
    ],
)
def test_trials_need_questions_on_both_sides(questions: int, share: str, fault: str) -> None:
    table = CandidateTable.of_rows([[1.0]] * questions, [[True]] * questions)
    with pytest.raises(ValueError, match=fault):
        conformal_trials(table, TARGETS, TrialPlan(calibration=Fraction(share)))


def test_trials_refuse_a_target_that_is_no_share_and_no_trial() -> None:
    table = _exchangeable(10, seed=1)
    with pytest.raises(ValueError, match=r"the target 1\.5 is not between 0 and 1"):
        conformal_trials(table, [Fraction("1.5")], TrialPlan())
    with pytest.raises(ValueError, match="0 trials are none"):
        conformal_trials(table, TARGETS, TrialPlan(trials=0))
