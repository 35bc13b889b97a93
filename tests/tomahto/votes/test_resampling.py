"""Intervals from drawn sums against those from drawn questions."""

import numpy as np
import pytest

from tests.tomahto.estimates.intervals import ends
from tests.tomahto.strategies import LEVELS
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.estimate import Estimate
from tomahto.raters.confused_class import confusions
from tomahto.reliability.alpha import (
    alpha_difference,
    alpha_resampling,
    alpha_with_interval,
    label_disagreement,
)
from tomahto.reliability.chance_corrected import gwet_ac1_with_interval
from tomahto.types import Floats
from tomahto.votes import values_by_units
from tomahto.votes.patterns import VotePatterns
from tomahto.votes.scheme import LabelScheme, Level

SEEDS = range(4)
THOROUGH = pytest.mark.thorough


def scheme(labels: int, level: Level) -> LabelScheme:
    """The last two labels are of equal rank where there are more than two."""
    ranks = tuple(float(min(place, max(labels - 2, 1))) for place in range(labels))
    return LabelScheme(tuple(f"label {place}" for place in range(labels)), ranks, level)


def votes(
    labels: int, level: Level, *, items: int, per_question: int, rare: int = 0, knows: float = 0.995
) -> VotePatterns:
    """Three votes on each item, of which so many have one vote or more for a rare last label."""
    generator = np.random.default_rng([labels, per_question, rare])
    common, shape = labels - (rare > 0), (items, 3)
    true = generator.integers(0, common, (items, 1))
    voted = np.where(generator.random(shape) < knows, true, generator.integers(0, common, shape))
    unusual = generator.choice(items, rare, replace=False)
    voted[unusual] = np.where(generator.random((rare, 3)) < 0.5, labels - 1, voted[unusual])
    voted[unusual, 0] = labels - 1
    counts = (voted[:, :, np.newaxis] == np.arange(labels)).sum(axis=1)
    patterns, rows = np.unique(counts, axis=0, return_inverse=True)
    questions = np.arange(items) // per_question
    made = VotePatterns.of_items(
        scheme(labels, level),
        list(map(tuple, patterns.tolist())),
        rows.ravel(),
        questions,
        np.ones(questions[-1] + 1, dtype=np.int64),
    )
    return made if per_question > 1 else made.without_questions()


def intervals(patterns: VotePatterns, seed: int) -> list[Estimate]:
    return [
        alpha_with_interval(patterns, seed=seed),
        gwet_ac1_with_interval(patterns, seed=seed),
        *label_disagreement(patterns, bootstrap=Bootstrap(2000, seed)).disagreement[-2:],
    ]


@pytest.mark.slow
@pytest.mark.parametrize("per_question", [1, 2])
@pytest.mark.parametrize(
    ("labels", "level", "rare"),
    [
        (2, "nominal", 0),
        (8, "ordinal", 0),
        (3, "nominal", 30),
        (8, "ordinal", 300),
        *(pytest.param(3, "nominal", rare, marks=THOROUGH) for rare in (3, 300, 3000)),
        *(pytest.param(8, "ordinal", rare, marks=THOROUGH) for rare in (3, 30)),
    ],
)
def test_intervals_from_sums_end_where_those_from_questions_do(
    labels: int, level: Level, rare: int, per_question: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    patterns = votes(labels, level, items=200_000, per_question=per_question, rare=rare)
    from_sums = np.array([[ends(each) for each in intervals(patterns, seed)] for seed in SEEDS])
    monkeypatch.setattr(values_by_units, "MANY", 10**9)
    exact = np.array([[ends(each) for each in intervals(patterns, 10 + seed)] for seed in SEEDS])
    # the end of one interval varies by 0.02 widths, the difference of both means by 0.015
    widths = exact.mean(axis=0) @ [[-1], [1]]
    differences = from_sums.mean(axis=0) - exact.mean(axis=0)
    assert (np.abs(differences) <= 0.06 * widths + 1e-12).all()


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("per_question", [1, 3])
def test_alpha_without_a_question_is_the_same_from_sums(
    level: Level, per_question: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    patterns = votes(5, level, items=300, per_question=per_question, rare=9, knows=0.7)
    table = values_by_units.values_by_units(patterns)
    exact = alpha_resampling(table, Bootstrap(1, seed=1)).left_out()
    monkeypatch.setattr(values_by_units, "MANY", 2)
    from_sums = alpha_resampling(table, Bootstrap(1, seed=1)).left_out()
    assert len(from_sums.times) < len(exact.times) == patterns.clusters
    repeated = np.repeat(from_sums.values, from_sums.times)
    assert repeated == pytest.approx(exact.values, abs=1e-12)


def test_few_questions_and_those_of_earlier_releases_are_drawn_themselves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    patterns = votes(3, "nominal", items=400, per_question=2)
    exact = alpha_with_interval(patterns, seed=1)
    earlier = alpha_with_interval(patterns, seed=1, is_widened=False)
    monkeypatch.setattr(values_by_units, "MANY", 201)
    assert alpha_with_interval(patterns, seed=1) == exact
    monkeypatch.setattr(values_by_units, "MANY", 200)
    assert alpha_with_interval(patterns, seed=1) != exact
    assert alpha_with_interval(patterns, seed=1, is_widened=False) == earlier


def test_labels_that_meet_in_too_many_pairs_leave_questions_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    patterns = votes(13, "ordinal", items=400, per_question=1)
    exact = alpha_with_interval(patterns, seed=1)
    monkeypatch.setattr(values_by_units, "MANY", 2)
    assert alpha_with_interval(patterns, seed=1) == exact


def test_confusions_and_changes_of_alpha_follow_from_sums_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = votes(4, "ordinal", items=20_000, per_question=1, knows=0.8)
    after = votes(4, "ordinal", items=40_000, per_question=2, knows=0.85)
    draws = Bootstrap(2000, seed=1)

    def figures() -> Floats:
        change = alpha_difference(before, after, seed=1)
        found = confusions(after, bootstrap=draws)
        excesses = [each.excess for each in (*found.labels, *found.pairs)]
        return np.array([ends(each) for each in (change, *excesses)])

    from_sums = figures()
    monkeypatch.setattr(values_by_units, "MANY", 10**9)
    exact = figures()
    assert (from_sums != exact).all()
    # an end varies by 0.02 widths, the difference of two by 0.03
    assert (np.abs(from_sums - exact) <= 0.12 * (exact @ [[-1], [1]])).all()
