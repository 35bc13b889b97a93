"""Every two systems: intervals one by one and all together, by hand and beside the rank sets."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tomahto.estimates.bootstrap import Bootstrap
from tomahto.ranking.all_pairs import PairDifference, all_pairs
from tomahto.ranking.rank_sets import RankSet, standing
from tomahto.ranking.system_accuracy import difference
from tomahto.ranking.system_answers import Answer, SystemAnswers

BOOTSTRAP = Bootstrap(2000, seed=5)


def system(name: str, values: dict[int, float | None]) -> SystemAnswers[int]:
    """A system's answers by question, all of them to be judged by people."""
    answers = {question: Answer(((question,),), value) for question, value in values.items()}
    return SystemAnswers(name, answers, frozenset(), frozenset(), len(values), ())


def right_on(name: str, right: int, questions: int = 100) -> SystemAnswers[int]:
    return system(name, {question: float(question < right) for question in range(questions)})


def width(pair: PairDifference) -> float:
    """Of the interval that holds for all pairs."""
    low, high = pair.together.low, pair.together.high
    assert low is not None
    assert high is not None
    return high - low


def test_every_pair_is_compared_in_the_order_of_the_systems() -> None:
    systems = [right_on("juniper", 80), right_on("larch", 60), right_on("thistle", 10)]
    found = all_pairs(systems, BOOTSTRAP)
    assert [(pair.first, pair.second, pair.shared) for pair in found] == [
        ("juniper", "larch", 100),
        ("juniper", "thistle", 100),
        ("larch", "thistle", 100),
    ]
    assert found[0].alone == difference(systems[0], systems[1], BOOTSTRAP)
    assert [pair.together.value for pair in found] == pytest.approx([0.2, 0.7, 0.5])


def test_the_interval_of_all_pairs_by_hand() -> None:
    # Two systems that differ on 20 of 100 questions, always in the same direction. The difference
    # is 0.2, its standard error sqrt(0.2 * 0.8 / 100) = 0.04; with one pair the studentised
    # interval is nearly the normal one: 0.2 ± 1.96 * 0.04 = 0.122 to 0.278.
    (pair,) = all_pairs([right_on("juniper", 80), right_on("larch", 60)], BOOTSTRAP)
    assert pair.together.low == pytest.approx(0.122, abs=0.004)
    assert pair.together.high == pytest.approx(0.278, abs=0.004)
    assert (pair.together.n, pair.together.confidence) == (100, 0.95)


def test_intervals_that_hold_together_are_wider_the_more_pairs_there_are() -> None:
    # By Bonferroni six independent pairs would need 2.64 standard errors each instead of 1.96.
    systems = [right_on(name, right) for name, right in zip("abcd", (80, 60, 40, 20), strict=True)]
    few, many = (width(all_pairs(each, BOOTSTRAP)[0]) for each in (systems[:2], systems))
    assert 1.15 < many / few < 2.64 / 1.96


def told_apart(found: list[PairDifference], names: list[str]) -> list[RankSet]:
    """The ranks that each system may have, from the intervals that hold together."""
    above = dict.fromkeys(names, 0)
    below = dict(above)
    for pair in found:
        low, high = pair.together.low, pair.together.high
        if low is not None and high is not None and (low > 0 or high < 0):
            better, worse = (pair.first, pair.second) if low > 0 else (pair.second, pair.first)
            above[worse] += 1
            below[better] += 1
    return [RankSet(1 + above[name], len(names) - below[name]) for name in names]


@settings(max_examples=25, deadline=None)
@given(st.lists(st.lists(st.sampled_from([0.0, 1.0]), min_size=3, max_size=3), min_size=25))
def test_the_ranks_that_follow_are_those_of_a_leaderboard(rows: list[list[float]]) -> None:
    names = ["a", "b", "c"]
    scores = np.array(rows)
    differing = [(scores[:, one] != scores[:, two]) for one, two in ((0, 1), (0, 2), (1, 2))]
    if any(differs.all() or not differs.any() for differs in differing):
        return  # a leaderboard settles these by a sign test
    systems = [system(name, dict(enumerate(scores[:, n]))) for n, name in enumerate(names)]
    bootstrap = Bootstrap(400, seed=3)
    found = told_apart(all_pairs(systems, bootstrap), names)
    assert found == list(standing(scores, bootstrap).rank_sets)


def test_a_pair_without_a_common_question_has_no_difference_and_spoils_none() -> None:
    systems = [right_on("juniper", 80), right_on("larch", 60), system("moss", {1000: 1.0})]
    first, apart, _ = all_pairs(systems, BOOTSTRAP)
    assert (apart.together.value, apart.together.reason) == (
        None,
        "they answer no question both",
    )
    alone = all_pairs(systems[:2], BOOTSTRAP)[0]
    assert first.alone == alone.alone
    # one question more to draw, of neither: other draws, the same width but for these
    assert first.together.low == pytest.approx(alone.together.low, abs=0.01)


def test_systems_that_never_differ_have_no_interval() -> None:
    (pair,) = all_pairs([right_on("juniper", 5, 10), right_on("larch", 5, 10)], BOOTSTRAP)
    assert pair.together == pair.alone
    assert (pair.alone.value, pair.alone.low) == (0.0, None)


def test_what_is_not_judged_yet_is_taken_to_be_like_what_is() -> None:
    known = {question: float(question < 40) for question in range(50)}
    larch = right_on("larch", 30, 60)
    (pair,) = all_pairs([system("juniper", {**known, 55: None}), larch], BOOTSTRAP)
    assert pair.alone == difference(system("juniper", {**known, 55: None}), larch, BOOTSTRAP)
    assert (pair.together.value, pair.together.n) == (pair.alone.value, 50)
    assert pair.together == replace(pair.alone, low=pair.together.low, high=pair.together.high)
