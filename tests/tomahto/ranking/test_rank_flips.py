"""Golden values: scipy.stats.kendalltau."""

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from tomahto.estimates.bootstrap import Bootstrap
from tomahto.ranking.ranks import rank_agreement, rank_flips
from tomahto.ranking.system_scores import AnswerScores, SystemDifferences

BOOTSTRAP = Bootstrap(200, seed=2, is_widened=False)


def _everywhere(values: Mapping[str, Sequence[Sequence[float]]]) -> AnswerScores:
    """By judge the values of each system's answers, to the same questions."""
    tables = [np.array(table, dtype=float) for table in values.values()]
    systems, questions = tables[0].shape
    return AnswerScores.of(
        {judge: table.ravel() for judge, table in zip(values, tables, strict=True)},
        [f"s{place}" for place in range(systems) for _ in range(questions)],
        [*range(questions)] * systems,
    )


def test_rank_flips_by_hand() -> None:
    # People: s0 0.75, s1 0.5, s2 0. The metric: s0 0.25, s1 0.5, s2 0.
    answers = _everywhere(
        {
            "people": [[1, 1, 1, 0], [1, 1, 0, 0], [0, 0, 0, 0]],
            "metric": [[0, 0, 0, 1], [1, 1, 0, 0], [0, 0, 0, 0]],
        }
    )
    differences = SystemDifferences(answers, BOOTSTRAP)
    (flip,) = rank_flips(differences)
    assert (flip.system, flip.other_system, flip.judge, flip.other_judge, flip.n) == (
        "s0",
        "s1",
        "people",
        "metric",
        4,
    )
    assert (flip.difference.value, flip.other_difference.value) == (0.25, -0.25)
    agreement = rank_agreement(differences, "metric", "people")
    # two pairs alike, one the other way round: (2 - 1) / 3
    assert (agreement.pairs, agreement.concordant, agreement.flipped) == (3, 2, 1)
    assert agreement.tau.value == pytest.approx(1 / 3)
    assert agreement.tau.n == 3


def test_the_preferred_system_is_named_first_with_its_interval_turned() -> None:
    values = {"people": [[0, 1, 0], [1, 1, 0]], "metric": [[1, 1, 1], [0, 1, 1]]}
    differences = SystemDifferences(_everywhere(values), BOOTSTRAP)
    (flip,) = rank_flips(differences)
    assert (flip.system, flip.other_system) == ("s1", "s0")
    straight, turned = differences.estimate(0, 0), flip.difference
    assert (straight.value, straight.low, straight.high) == (1 / 3 - 2 / 3, -1, 0)
    assert (turned.value, turned.low, turned.high) == (2 / 3 - 1 / 3, 0, 1)
    # The flip holds wherever the first question is drawn: not in (2/3)^3 of the replicates.
    assert flip.probability.value == pytest.approx(1 - 8 / 27, abs=0.1)


def test_replicates_with_a_tie_do_not_count_for_a_flip() -> None:
    # The judges differ on one question each of 2: a replicate without it is a tie.
    values = {"people": [[1, 0], [0, 0]], "metric": [[0, 0], [1, 0]]}
    (flip,) = rank_flips(SystemDifferences(_everywhere(values), Bootstrap(1000, seed=1)))
    assert flip.probability.value == pytest.approx(3 / 4, abs=0.05)


def test_systems_are_compared_on_the_questions_both_answered() -> None:
    # On q1 and q2 alone b is better; over all answers a is, by people.
    answers = AnswerScores.of(
        {"people": [0, 1, 1, 1, 1, 1], "metric": [1, 1, 0, 0, 0, 0]},
        ["a", "a", "a", "a", "b", "b"],
        ["q1", "q2", "q3", "q4", "q1", "q2"],
    )
    differences = SystemDifferences(answers, BOOTSTRAP)
    assert differences.n.tolist() == [2]
    assert differences.values.tolist() == [[-0.5, 1.0]]
    (flip,) = rank_flips(differences)
    assert (flip.system, flip.n) == ("b", 2)


def test_intervals_by_brute_force_with_the_same_draws() -> None:
    generator = np.random.default_rng(6)
    table = np.where(generator.random((3, 15)) < 0.2, np.nan, generator.random((3, 15)))
    system, question = np.nonzero(~np.isnan(table))
    answers = AnswerScores.of(
        {"people": table[system, question]}, [f"s{place}" for place in system], question.tolist()
    )
    order = list(dict.fromkeys(question.tolist()))
    differences = SystemDifferences(answers, BOOTSTRAP)
    for pair, (one, two) in enumerate([(0, 1), (0, 2), (1, 2)]):
        apart = (table[one] - table[two])[order]
        shared = ~np.isnan(apart)
        places = np.random.default_rng(2).integers(0, answers.questions, (200, answers.questions))
        drawn = [np.nanmean(apart[sample]) for sample in places]
        estimate = differences.estimate(pair, 0)
        assert (estimate.low, estimate.high) == pytest.approx(
            tuple(np.quantile(drawn, [0.025, 0.975])), abs=1e-9
        )
        assert estimate.n == shared.sum()


@given(st.integers(2, 6).flatmap(lambda n: st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=n, max_size=n)))  # fmt: skip
def test_tau_equals_scipy(scores: list[tuple[int, int]]) -> None:
    values = {
        judge: [[score > place for place in range(3)] for score in column]
        for judge, column in zip(("one", "other"), zip(*scores, strict=True), strict=True)
    }
    agreement = rank_agreement(
        SystemDifferences(_everywhere(values), Bootstrap(5, seed=1)), "one", "other"
    )
    golden = kendalltau(*zip(*scores, strict=True)).statistic
    if np.isnan(golden):
        assert (agreement.tau.value, agreement.tau.reason) == (None, "all systems are tied")
    else:
        assert agreement.tau.value == pytest.approx(golden, abs=1e-12)


def test_equal_systems_tie_however_their_values_are_added() -> None:
    values = np.random.default_rng(8).random(1000)
    answers = AnswerScores.of(
        {"people": np.concatenate([values, values[::-1]])},
        ["a"] * 1000 + ["b"] * 1000,
        [*range(1000), *range(1000)],
    )
    assert SystemDifferences(answers, BOOTSTRAP).values.tolist() == [[0.0]]


def test_judges_are_compared_on_what_each_of_them_knows() -> None:
    # people know neither answer to q2 of b, so q1 stands for it: 1 to 0; the metric knows all
    answers = AnswerScores.of(
        {"people": [1, 1, 0, np.nan], "metric": [0, 1, 1, 1]},
        ["a", "a", "b", "b"],
        ["q1", "q2", "q1", "q2"],
    )
    differences = SystemDifferences(answers, BOOTSTRAP)
    assert differences.values.tolist() == [[1.0, -0.5]]
    assert [differences.estimate(0, judge).n for judge in (0, 1)] == [1, 2]
    (flip,) = rank_flips(differences)
    assert (flip.system, flip.n) == ("a", 1)


def test_what_cannot_be_compared_says_why() -> None:
    apart = AnswerScores.of({"x": [1, 0], "y": [0, 1]}, ["a", "b"], ["q1", "q2"])
    differences = SystemDifferences(apart, BOOTSTRAP)
    estimate = differences.estimate(0, 0)
    assert (estimate.value, estimate.n) == (None, 0)
    assert estimate.reason == "the systems have answered no question in common"
    assert rank_flips(differences) == ()
    assert rank_agreement(differences, "x", "y").tau.reason == (
        "no two systems have answered a question in common"
    )
    once = AnswerScores.of({"x": [1, 0], "y": [0, 1]}, ["a", "b"], ["q", "q"])
    (flip,) = rank_flips(SystemDifferences(once, BOOTSTRAP))
    reason = "one question cannot be resampled into an interval"
    assert (flip.difference.value, flip.difference.reason) == (1, reason)
    assert (flip.probability.value, flip.probability.reason) == (None, reason)
    assert rank_agreement(SystemDifferences(once, BOOTSTRAP), "x", "y").tau.reason == reason
