"""Questions are drawn with all their items."""

import numpy as np
import pytest

from tests.tomahto.estimates.intervals import covers, width
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.reliability.alpha import alpha, alpha_with_interval
from tomahto.reliability.chance_corrected import gwet_ac1, gwet_ac1_with_interval
from tomahto.types import Floats, Integers
from tomahto.votes.patterns import VotePatterns
from tomahto.votes.scheme import LabelScheme
from tomahto.votes.values_by_units import drawn_patterns, without_each

SCHEME = LabelScheme(("yes", "no"), (1, 0))
# one question has two items, (2, 1) and (3, 0), and two others have an item (0, 3) each
PATTERNS = VotePatterns.of_questions(SCHEME, [([(2, 1), (3, 0)], 1), ([(0, 3)], 2)])


def test_items_of_a_question_are_drawn_together() -> None:
    assert list(PATTERNS.counts.items()) == [((0, 3), 2), ((2, 1), 1), ((3, 0), 1)]
    drawn = np.concatenate(list(drawn_patterns(PATTERNS, Bootstrap(900, seed=1))))
    assert {tuple(row) for row in drawn.tolist()} == {(3 - n, n, n) for n in range(4)}
    # the first question is drawn 3 / 3 times on average, its variance 3 * 1/3 * 2/3
    assert drawn[:, 1].mean() == pytest.approx(1, abs=4 * (2 / 3 / 900) ** 0.5)


def test_each_question_is_left_out_as_often_as_it_is_there() -> None:
    def rows(units: Integers) -> Floats:
        values: Floats = units @ np.array([100.0, 10.0, 1.0])
        return values

    assert without_each(PATTERNS, rows).tolist() == [111, 111, 200]
    alone = PATTERNS.without_questions()
    assert without_each(alone, rows).tolist() == [111, 111, 201, 210]


def test_patterns_of_questions_are_the_same_in_any_order() -> None:
    backwards = VotePatterns.of_questions(
        SCHEME,
        [([(0, 3)], 1), ([(0, 0), (3, 0), (2, 1)], 1), ([(0, 3)], 1), ([(0, 0)], 4), ([], 1)],
    )
    assert backwards == PATTERNS
    assert (PATTERNS.drawn, PATTERNS.clusters) == ("questions", 3)
    items = PATTERNS.without_questions()
    assert (items.drawn, items.clusters) == ("items", 4)
    some = VotePatterns.of_questions(SCHEME, [([(2, 1), (1, 0)], 3), ([(1, 0)], 5)]).pairable()
    assert some == VotePatterns.of_questions(SCHEME, [([(2, 1)], 3)])


def test_an_interval_of_alike_items_is_as_wide_as_that_of_the_questions_alone() -> None:
    """Three items of a question that always fare alike say no more than one."""
    questions = [([(3, 0)], 30), ([(0, 3)], 20), ([(2, 1)], 10)]
    once = VotePatterns.of_questions(SCHEME, questions)
    thrice = VotePatterns.of_questions(SCHEME, [(each * 3, times) for each, times in questions])
    for found in (alpha_with_interval, gwet_ac1_with_interval):
        one, three = found(once, seed=1), found(thrice, seed=1)
        assert (one.n, three.n, one.clusters, three.clusters) == (60, 180, 60, 60)
        assert width(three) == pytest.approx(width(one), rel=0.01)
        assert width(found(thrice.without_questions(), seed=1)) < 0.7 * width(one)


@pytest.mark.slow
@pytest.mark.parametrize("questions", [30, 60])
def test_intervals_of_agreement_cover_where_items_share_questions(questions: int) -> None:
    truth = _votes(40_000, seed=1).without_questions()
    values = {"alpha": alpha(truth).value or 0, "ac1": gwet_ac1(truth).value or 0}
    covered = dict.fromkeys(values, 0)
    for seed in range(200):
        votes = _votes(questions, seed=seed)
        for name, found in (
            ("alpha", alpha_with_interval(votes, seed=seed, replicates=500)),
            ("ac1", gwet_ac1_with_interval(votes, seed=seed, replicates=500)),
        ):
            covered[name] += covers(found, values[name])
    # 0.95, with standard deviation 0.015; items drawn one by one gave 0.90
    assert min(covered.values()) >= 0.92 * 200


def _votes(questions: int, seed: int) -> VotePatterns:
    """Three votes on each of one to three items of a question, which fare much alike."""
    generator = np.random.default_rng([7, seed])
    made = []
    for size in generator.integers(1, 4, size=questions).tolist():
        ease = 0.5 + 3 * generator.normal() + 0.3 * generator.normal(size=size)
        yes = generator.binomial(3, 1 / (1 + np.exp(-ease))).tolist()
        made.append(([(each, 3 - each) for each in yes], 1))
    return VotePatterns.of_questions(SCHEME, made)
