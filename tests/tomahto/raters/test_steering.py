import math
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.tomahto.estimates.intervals import covers, ends
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.estimate import Estimate
from tomahto.estimates.two_way_clusters import Clusters
from tomahto.raters.drift import level_of_look
from tomahto.raters.steering import (
    SteeringConclusion,
    share_difference,
    steering_conclusion,
    steering_report,
)
from tomahto.raters.steering_rows import SteeringRows
from tomahto.reliability.alpha import alpha_with_interval
from tomahto.votes.patterns import VotePatterns
from tomahto.votes.rating_rows import RatingRows
from tomahto.votes.scheme import LabelScheme

SCHEME = LabelScheme(("a", "b", "c"), (0, 1, 2))
BOOTSTRAP = Bootstrap(50, seed=3)

# rater, item, shown, label, suggestion, seconds
ROWS = [
    ("al", "q1", 1, "a", "a", 10.0),
    ("al", "q2", 0, "b", "a", 20.0),
    ("al", "q3", 1, "b", "b", 10.0),
    ("bo", "q1", 1, "a", "a", 30.0),
    ("bo", "q2", 0, "a", "a", 60.0),
    ("bo", "q3", 0, "c", "b", math.nan),
    ("cy", "q1", 0, "a", "a", 5.0),
    ("cy", "q3", 1, "c", "b", 5.0),
]


def _steering_rows(rows: list[tuple[str, str, int, str, str, float]]) -> SteeringRows:
    return SteeringRows(
        RatingRows.of(
            [(item, rater, label) for rater, item, _, label, _, _ in rows], SCHEME.labels
        ),
        np.array([bool(row[2]) for row in rows]),
        np.array([SCHEME.index_of[row[4]] for row in rows]),
        np.array([row[5] for row in rows]),
    )


def test_steering_report_by_hand() -> None:
    overall = steering_report(_steering_rows(ROWS), SCHEME, bootstrap=BOOTSTRAP).overall
    # Shown: al q1, al q3, bo q1 agree, cy q3 does not. Hidden: bo q2, cy q1 agree, two do not.
    assert (overall.label, overall.shown.agreement.value) == (None, 3 / 4)
    assert overall.hidden.agreement.value == 2 / 4
    assert overall.difference.value == pytest.approx(1 / 4, abs=1e-15)
    assert (overall.difference.n, overall.shown.agreement.n) == (8, 4)
    # Influences times 16: al 1, 2, 1 on q1, q2, q3; bo 1, -2, 2; cy -2, -3 on q1, q3.
    # By rater 4, 1, -5: 42/256 * 3/2 = 63/256. By item 0, 0, 0. Both: 28/256 * 8/7 = 32/256.
    # 63/256 is above 63/256 + 0 - 32/256, and above Agresti and Caffo's 2/9 / 6 + 1/4 / 6.
    # t with 2 degrees of freedom is 4.302653 at 0.975 and 1.060660 at 0.8.
    error = (63 / 256) ** 0.5
    # The interval, 1/4 - 2.13 to 1/4 + 2.13, is cut at what a difference of shares can be.
    assert (overall.difference.low, overall.difference.high) == (-1, 1)
    assert overall.minimum_detectable == pytest.approx((4.302653 + 1.060660) * error, abs=1e-6)
    # Within raters: al log 10 against log 20, bo log 30 against log 60, cy log 5 twice. Weighing
    # by n1 n0 / n: 2/3 log(1/2), 1/2 log(1/2), 1/2 * 0, over 5/3: log(1/2) * 7/10
    assert overall.time_ratio.value == pytest.approx(0.5**0.7, rel=1e-12)
    assert overall.time_ratio.n == 7
    # Shown 10, 10, 30, 5; hidden 20, 60, 5 and one not known.
    assert overall.shown.seconds.value == pytest.approx(15000**0.25, rel=1e-12)
    assert overall.hidden.seconds.value == pytest.approx(6000 ** (1 / 3), rel=1e-12)
    assert (overall.shown.seconds.n, overall.hidden.seconds.n) == (4, 3)
    assert steering_conclusion(_steering_rows(ROWS)) == SteeringConclusion(
        "cannot-tell",
        overall.minimum_detectable,
        0.05,
        overall.difference,
        overall.minimum_detectable,
    )
    # Shown and rated twice: q1 aa and q3 bc.
    votes = VotePatterns.from_votes(SCHEME, ["aa", "bc"])
    assert overall.shown.alpha == alpha_with_interval(votes, seed=3, replicates=50)


def test_steering_report_compares_every_suggested_label() -> None:
    a, b = steering_report(_steering_rows(ROWS), SCHEME, bootstrap=BOOTSTRAP).by_label
    assert (a.label, b.label) == ("a", "b")  # c is never suggested
    # a: shown 2 of 2, hidden 2 of 3. b: shown 1 of 2, hidden 0 of 1.
    assert (a.shown.agreement.value, a.hidden.agreement.value) == (1, 2 / 3)
    assert a.difference.confidence == 0.975
    assert b.difference == Estimate(value=0.5, n=3, reason="one item cannot speak for others")
    # Alpha of b against the others, shown: q3 with b and not b.
    pair = VotePatterns(LabelScheme(("b", "not b"), (1, 0)), {(1, 1): 1})
    assert b.shown.alpha == alpha_with_interval(pair, seed=3, replicates=50)


@pytest.mark.parametrize(
    ("keep", "reason"),
    [
        (lambda row: row[2], "no rating was given with the suggestion hidden"),
        (lambda row: not row[2], "no rating was given with the suggestion shown"),
        (lambda row: row[0] == "al", "one rater cannot speak for others"),
    ],
)
def test_steering_report_says_why_it_cannot_compare(
    keep: Callable[[tuple[str, str, int, str, str, float]], bool], reason: str
) -> None:
    rows = _steering_rows([row for row in ROWS if keep(row)])
    report = steering_report(rows, SCHEME, bootstrap=BOOTSTRAP)
    assert report.overall.difference.reason == reason
    assert steering_conclusion(rows) == SteeringConclusion(
        "undefined", None, 0.05, report.overall.difference, None
    )


def test_steering_difference_is_not_certain_where_everybody_agrees() -> None:
    rows = _simulated(seed=1, raters=6, items=100, level=1.0)
    estimate = steering_conclusion(rows).difference
    assert estimate.value == 0
    assert ends(estimate)[0] < -0.01


def test_steering_report_finds_a_planted_effect() -> None:
    rows = _simulated(seed=2, raters=12, items=300, level=0.6, effect=0.2, slow=0.8)
    report, conclusion = (
        steering_report(rows, SCHEME, bootstrap=BOOTSTRAP),
        steering_conclusion(rows),
    )
    assert conclusion.verdict == "steers"
    assert conclusion.bound == report.overall.difference.low
    assert report.overall.difference.value == pytest.approx(0.2, abs=0.07)
    low, high = ends(report.overall.time_ratio)
    assert low < 0.8 < high < 1


def test_steering_report_finds_raters_who_defy_the_suggestion() -> None:
    rows = _simulated(seed=3, raters=12, items=300, level=0.7, effect=-0.25)
    found = steering_conclusion(rows)
    assert (found.verdict, found.bound) == ("steers-away", found.difference.high)


def test_steering_report_excludes_effects_above_the_margin() -> None:
    rows = _simulated(seed=4, raters=30, items=2000, level=0.9)
    found = steering_conclusion(rows)
    low, high = ends(found.difference)
    assert (found.verdict, found.bound) == ("no-larger-effect", max(-low, high))
    assert found.bound is not None
    assert found.bound <= found.margin == 0.05


def test_steering_difference_without_effect_alarms_at_most_5_times_in_100() -> None:
    alarms = 0
    for seed in range(100):
        estimate = steering_conclusion(
            _simulated(seed=seed, raters=12, items=150, level=0.7)
        ).difference
        alarms += not covers(estimate, 0)
    assert alarms <= 5


def test_steering_difference_covers_an_effect_that_differs_between_raters() -> None:
    covered = 0
    for seed in range(100):
        rows = _simulated(seed=seed, raters=12, items=150, level=0.5, effect=0.15, spread=0.1)
        covered += covers(steering_conclusion(rows).difference, 0.15)
    assert covered >= 0.93 * 100


def test_steering_difference_finds_the_minimum_detectable_effect_4_times_in_5() -> None:
    simulate = partial(_simulated, raters=30, items=200, level=0.5, sd=0.0)
    first = steering_report(simulate(seed=0), SCHEME, bootstrap=Bootstrap(1, 0))
    effect = first.overall.minimum_detectable
    assert effect is not None
    assert effect == pytest.approx(0.12, abs=0.02)
    found = 0
    for seed in range(100):
        low = steering_conclusion(simulate(seed=seed, effect=effect)).difference.low
        found += low is not None and low > 0
    assert 0.72 <= found / 100 <= 0.9  # the standard deviation is 0.04


def test_steering_rows_refuse_what_does_not_belong_together() -> None:
    rows = _steering_rows(ROWS)
    with pytest.raises(ValueError, match="differ in number"):
        SteeringRows(rows.ratings, rows.is_shown[1:], rows.suggestions, rows.seconds)
    with pytest.raises(ValueError, match="a suggestion is numbered outside 0 to 2"):
        SteeringRows(rows.ratings, rows.is_shown, rows.suggestions + 2, rows.seconds)


def test_steering_report_refuses_another_scheme_and_no_margin() -> None:
    rows = _steering_rows(ROWS)
    with pytest.raises(ValueError, match="labels are not those of the ratings"):
        steering_report(rows, LabelScheme(("a", "b"), (0, 1)), bootstrap=BOOTSTRAP)
    with pytest.raises(ValueError, match="margin 0 is not above 0"):
        steering_conclusion(rows, margin=0)
    with pytest.raises(ValueError, match="confidence 1 is not between 0 and 1"):
        steering_conclusion(rows, confidence=1)


def test_steering_report_follows_the_confidence_it_is_asked_for() -> None:
    rows = _simulated(seed=2, raters=12, items=300, level=0.6, effect=0.05)
    report = steering_report(rows, SCHEME, bootstrap=BOOTSTRAP, confidence=0.99)
    conclusion = steering_conclusion(rows, confidence=0.99)
    assert conclusion.difference == report.overall.difference
    assert {effect.difference.confidence for effect in report.by_label} == {1 - 0.01 / 3}
    usual = steering_conclusion(rows).minimum_detectable
    assert usual is not None
    assert conclusion.minimum_detectable is not None
    assert conclusion.minimum_detectable == report.overall.minimum_detectable
    assert conclusion.minimum_detectable > usual


@pytest.mark.parametrize(
    ("effect", "campaigns", "alarms"), [(0.0, 80, range(5)), (0.2, 10, range(9, 11))]
)
def test_steering_conclusion_over_all_looks_alarms_for_an_effect_alone(
    effect: float, campaigns: int, alarms: range
) -> None:
    # as campaigns are looked at: 100 ratings, then half as many again each time
    sizes = [100, 150, 225, 338, 507, 760, 1140]
    found = 0
    for seed in range(campaigns):
        rows = _simulated(seed=seed, raters=12, items=400, level=0.6, effect=effect)
        order = np.random.default_rng(seed).permutation(rows.ratings.n)
        verdicts = {
            steering_conclusion(
                _first(rows, order[:size]), confidence=1 - level_of_look(number)
            ).verdict
            for number, size in enumerate(sizes, start=1)
        }
        found += bool(verdicts & {"steers", "steers-away"})
    assert found in alarms


def _first(rows: SteeringRows, chosen: NDArray[np.int64]) -> SteeringRows:
    ratings = rows.ratings
    items = np.unique(ratings.items[chosen], return_inverse=True)[1]
    return SteeringRows(
        RatingRows(
            items,
            ratings.raters[chosen],
            ratings.labels[chosen],
            ratings.rater_names,
            ratings.label_names,
        ),
        rows.is_shown[chosen],
        rows.suggestions[chosen],
        rows.seconds[chosen],
    )


def _simulated(
    *,
    seed: int,
    raters: int,
    items: int,
    level: float,
    effect: float = 0.0,
    spread: float = 0.0,
    slow: float = 1.0,
    sd: float = 0.1,
) -> SteeringRows:
    """Three ratings an item; raters and items differ in their agreement by `sd`.

    Showing the suggestion adds `effect`, to each rater differently by `spread`, and makes the
    time `slow` times as long.
    """
    generator = np.random.default_rng(seed)
    item_of = np.repeat(np.arange(items), 3)
    rater_of = generator.permuted(np.tile(np.arange(raters), (items, 1)), axis=1)[:, :3].ravel()
    is_shown = generator.random(len(item_of)) < 0.5
    suggestions = generator.integers(0, 3, items)[item_of]
    if level < 1:
        chance = level + (
            generator.uniform(-sd, sd, raters)[rater_of]
            + generator.uniform(-sd, sd, items)[item_of]
            + is_shown * (effect + generator.uniform(-spread, spread, raters)[rater_of])
        )
    else:
        chance = np.ones(len(item_of))
    other = (suggestions + generator.integers(1, 3, len(item_of))) % 3
    labels = np.where(generator.random(len(item_of)) < chance, suggestions, other)
    seconds = np.exp(generator.normal(3, 0.5, len(item_of))) * np.where(is_shown, slow, 1)
    names = tuple(f"rater {number:02}" for number in range(raters))
    return SteeringRows(
        RatingRows(item_of, rater_of, labels, names, SCHEME.labels), is_shown, suggestions, seconds
    )


def test_a_difference_of_all_does_not_go_beyond_one() -> None:
    for n in range(4, 20):
        is_shown = np.arange(n) < n // 2
        clusters = Clusters(np.arange(n) % 3, np.arange(n))
        lowest, _ = share_difference((~is_shown).astype(np.float64), is_shown, clusters)
        highest, _ = share_difference(is_shown.astype(np.float64), is_shown, clusters)
        assert (lowest.value, highest.value) == (-1, 1)
