"""Rank sets by hand, by brute force and by what must always hold."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tomahto.estimates.bootstrap import Bootstrap
from tomahto.ranking.ranks import UNIT, RankSet, standing
from tomahto.types import Floats

BOOTSTRAP = Bootstrap(400, seed=3)


def shares(*right: int, questions: int = 100) -> Floats:
    """Systems that each get the first so many questions right."""
    return np.array([[float(place < each) for each in right] for place in range(questions)])


def brute_force(scores: Floats, bootstrap: Bootstrap) -> tuple[list[RankSet], Floats]:
    """One replicate, one pair and one question at a time, from the published procedure."""
    questions, systems = scores.shape
    generator = np.random.default_rng(bootstrap.seed)
    draws = [generator.integers(0, questions, size=questions) for _ in range(bootstrap.replicates)]
    means = [[scores[draw, each].mean() for each in range(systems)] for draw in draws]
    observed = scores.mean(axis=0)
    errors = {
        (one, other): float(np.std([row[one] - row[other] for row in means]))
        for one, other in combinations(range(systems), 2)
    }
    largest = [
        max(
            abs(row[one] - row[other] - observed[one] + observed[other]) / error
            for (one, other), error in errors.items()
            if error > 1e-12
        )
        for row in means
    ]
    critical = np.quantile(largest, 0.95)
    wins, losses = [0] * systems, [0] * systems
    for (one, other), error in errors.items():
        difference = observed[one] - observed[other]
        if abs(difference) > critical * error:
            better, worse = (one, other) if difference > 0 else (other, one)
            wins[better] += 1
            losses[worse] += 1
    sets = [RankSet(1 + losses[each], systems - wins[each]) for each in range(systems)]
    shares_better = [
        [np.mean([row[a] - row[b] > 1e-12 for row in means]) for b in range(systems)]
        for a in range(systems)
    ]
    return sets, np.array(shares_better)


def test_two_far_apart_and_two_close_by_hand() -> None:
    # Right on 80, 40 and 38 of 100 questions, the fewer among the more. The differences are 0.40,
    # 0.42 and 0.02, with standard errors sqrt(p (1 - p) / 100) = 0.049, 0.049 and 0.014: at about
    # 2.2 errors the first is told apart from both, and they (0.02 < 0.03) are not.
    found = standing(shares(40, 80, 38), Bootstrap(2000, seed=1))
    assert found.rank_sets == (RankSet(2, 3), RankSet(1, 1), RankSet(2, 3))
    assert found.groups == ((1,), (0, 2))
    assert [mean.value for mean in found.means] == [0.4, 0.8, 0.38]
    assert found.means[0].low == pytest.approx(0.4 - 1.96 * 0.049, abs=0.011)
    assert found.means[0].high == pytest.approx(0.4 + 1.96 * 0.049, abs=0.011)
    # The third is never better than the first; both are equal if neither of two questions comes:
    # 0.98^100 = 0.133.
    assert found.better[2, 0] == 0
    assert found.better[0, 2] == pytest.approx(1 - 0.98**100, abs=0.03)


@pytest.mark.parametrize("seed", range(4))
def test_standing_is_that_of_the_plain_procedure(seed: int) -> None:
    generator = np.random.default_rng(seed)
    skill = np.linspace(0.3, 0.8, 6)  # so near that the critical value decides of some pairs
    scores = (generator.random((60, 6)) < skill).astype(np.float64)
    scores[:, 1] *= 0.75  # not only zeros and ones
    bootstrap = Bootstrap(150, seed)
    found = standing(scores, bootstrap)
    sets, better = brute_force(scores, bootstrap)
    assert list(found.rank_sets) == sets
    assert np.abs(found.better - better).max() < 1e-12


def test_equal_systems_are_never_told_apart() -> None:
    scores = np.random.default_rng(5).random((40, 1)).repeat(5, axis=1)
    found = standing(scores, BOOTSTRAP)
    assert set(found.rank_sets) == {RankSet(1, 5)}
    assert found.groups == ((0, 1, 2, 3, 4),)
    assert not found.better.any()


def test_a_difference_alike_on_all_questions_needs_some_questions() -> None:
    # A two-sided sign test of n alike differences has p = 2^(1 - n): 0.0625 for 5, 0.031 for 6.
    for questions, ranks in ((5, RankSet(1, 2)), (6, RankSet(1, 1))):
        found = standing(shares(questions, 0, questions=questions), BOOTSTRAP)
        assert found.rank_sets[0] == ranks
        assert (found.means[0].value, found.means[0].low) == (1.0, None)
        assert found.means[0].reason


def test_one_system_is_first() -> None:
    found = standing(shares(3, questions=8), BOOTSTRAP)
    assert (found.rank_sets, found.groups) == ((RankSet(1, 1),), ((0,),))


def test_no_system_has_no_standing() -> None:
    found = standing(np.zeros((4, 0)), BOOTSTRAP)
    assert (found.means, found.rank_sets, found.groups) == ((), (), ())


@pytest.mark.parametrize(("questions", "replicates"), [(0, 10), (10, 0)])
def test_standing_needs_questions_and_replicates(questions: int, replicates: int) -> None:
    with pytest.raises(ValueError, match=f"{questions} questions, {replicates} replicates"):
        standing(np.zeros((questions, 2)), Bootstrap(replicates, 0))


_SCORES = st.integers(1, 5).flatmap(
    lambda systems: st.lists(
        st.lists(st.integers(0, 4), min_size=systems, max_size=systems), min_size=1, max_size=12
    )
)


@settings(max_examples=20)
@given(_SCORES, st.randoms(use_true_random=False))
def test_what_must_hold_of_every_standing(rows: list[list[int]], random: object) -> None:
    scores = np.array(rows, dtype=np.float64) / 4
    systems = scores.shape[1]
    found = standing(scores, Bootstrap(60, seed=2))
    means = scores.mean(axis=0)
    for place, ranks in enumerate(found.rank_sets):
        better = int((means > means[place] + 1e-9).sum())
        worse = int((means < means[place] - 1e-9).sum())
        assert 1 <= ranks.first <= 1 + better <= systems - worse <= ranks.last <= systems
    assert ((found.better + found.better.T) <= 1 + 1e-12).all()
    assert sorted(place for group in found.groups for place in group) == list(range(systems))
    for first, second in zip(found.groups, found.groups[1:], strict=False):
        for one in first:
            for other in second:
                assert found.rank_sets[one].last < found.rank_sets[other].first or (
                    means[one] > means[other]
                )
    # Another order of the systems changes nothing but the order.
    order = list(range(systems))
    random.shuffle(order)  # type: ignore[attr-defined]  # a random.Random
    moved = standing(scores[:, order], Bootstrap(60, seed=2))
    assert moved.rank_sets == tuple(found.rank_sets[place] for place in order)
    assert moved.means == tuple(found.means[place] for place in order)


def test_scores_count_to_six_decimals() -> None:
    scores = np.array([[1 / 3, 1 / 3 + 0.1 / UNIT]] * 8)
    assert standing(scores, BOOTSTRAP).means[0] == standing(scores, BOOTSTRAP).means[1]
