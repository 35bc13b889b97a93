"""Gains of alpha against a slow computation by the definitions, and over simulated campaigns."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest

from tests.tomahto.strategies import LEVELS
from tomahto.estimates.estimate import Estimate, t_quantile
from tomahto.reliability.alpha import alpha
from tomahto.reliability.alpha_pulls import AlphaPulls, alpha_pulls
from tomahto.types import Integers
from tomahto.votes.patterns import VotePatterns
from tomahto.votes.rating_rows import RatingRows
from tomahto.votes.scheme import LabelScheme, Level

ONE_LABEL = "only one label occurs, so no disagreement can be expected by chance"
SCHEME = LabelScheme(("none", "some", "most", "all", "whole"), (0, 1, 1.5, 4, 4))


def campaign(
    seed: int,
    *,
    raters: int = 6,
    items: int = 300,
    per_question: int = 1,
    overlap: int = 3,
    scheme: LabelScheme = SCHEME,
    guesses: int | None = None,
    confused: tuple[int, int] | None = None,
) -> tuple[RatingRows, Integers]:
    """Raters know three labels of four and guess the others; one guesses all, or two labels are
    told apart by nobody."""
    generator = np.random.default_rng(seed)
    labels = len(scheme.labels)
    true = generator.integers(0, labels, items).repeat(overlap)
    rated_by = generator.random((items, raters)).argsort(axis=1)[:, :overlap].ravel()
    knows = (generator.random(len(true)) < 0.75) & (rated_by != guesses)
    chosen = np.where(knows, true, generator.integers(0, labels, len(true)))
    if confused:
        swapped = np.isin(chosen, confused) & (generator.random(len(true)) < 0.5)
        chosen = np.where(swapped, sum(confused) - chosen, chosen)
    names = tuple(f"rater {number}" for number in range(raters))
    rows = RatingRows(np.arange(items).repeat(overlap), rated_by, chosen, names, scheme.labels)
    return rows, np.arange(items) // per_question


def uneven(seed: int, items: int = 24) -> tuple[RatingRows, Integers]:
    """Items with one to four ratings, questions with one to several items, labels of which some
    are rare, and a rater without a rating."""
    generator = np.random.default_rng(seed)
    votes = [
        (item, rater, label)
        for item in range(items)
        for rater, label in zip(
            generator.permutation(5)[: generator.integers(1, 5)],
            generator.choice(5, 5, p=[0.4, 0.3, 0.15, 0.1, 0.05]),
            strict=False,
        )
    ]
    numbered, raters, labels = np.array(votes, dtype=np.int64).T
    names = tuple(f"rater {number}" for number in range(6))
    return RatingRows(numbered, raters, labels, names, SCHEME.labels), generator.integers(
        0, 9, items
    )


def differences(
    units: Sequence[Sequence[int]], scheme: LabelScheme
) -> dict[tuple[int, int], tuple[float, int]]:
    """For every two labels that occur their difference, and the product of their ratings."""
    occurring = Counter(label for labels in units for label in labels)
    ranks, level = scheme.ranks, scheme.level

    def place(label: int) -> float:
        below = sum(times for other, times in occurring.items() if ranks[other] < ranks[label])
        beside = sum(times for other, times in occurring.items() if ranks[other] == ranks[label])
        return below + beside / 2 if level == "ordinal" else ranks[label]

    return {
        (a, b): (
            float(a != b) if level == "nominal" else (place(a) - place(b)) ** 2,
            occurring[a] * occurring[b],
        )
        for a in occurring
        for b in occurring
    }


def slow_alpha(
    units: Sequence[Sequence[int]], scheme: LabelScheme, ignored: tuple[int, int] | None = None
) -> float:
    """Alpha by its definition from the labels of every item, NaN where it is undefined."""
    units = [labels for labels in units if len(labels) > 1]
    apart = differences(units, scheme)
    for pair in permutations(ignored or ()):
        if pair in apart:
            apart[pair] = 0, 0
    observed = sum(
        apart[a, b][0] / (len(labels) - 1) for labels in units for a in labels for b in labels
    )
    expected = sum(distance * times for distance, times in apart.values())
    n = sum(map(len, units))
    return 1 - observed * (n - 1) / expected if expected else math.nan


def labels_by_item(rows: RatingRows, rater: int | None = None) -> list[list[int]]:
    """The labels of every item, without those of a rater."""
    units: list[list[int]] = [[] for _ in range(rows.item_count)]
    for item, by, label in zip(rows.items, rows.raters, rows.labels, strict=True):
        if by != rater:
            units[item].append(int(label))
    return units


def slow_gain(
    scheme: LabelScheme,
    whole: list[list[int]],
    others: list[list[int]],
    ignored: tuple[int, int] | None,
    items: Integers,
) -> float:
    """Alpha of the items in `others`, without a difference, less that of `whole`."""
    left = slow_alpha([others[item] for item in items], scheme, ignored)
    return left - slow_alpha([whole[item] for item in items], scheme)


def jackknife(
    questions: Integers, pairable: Sequence[bool], value_of: Callable[[Integers], float]
) -> tuple[float, float]:
    """A value of all items and its variance, from the values without each question."""
    every = np.arange(len(questions))
    numbers = np.unique(questions[np.array(pairable)])
    without = np.array([value_of(every[questions != number]) for number in numbers])
    count = len(without)
    squares = float(((without - without.mean()) ** 2).sum())
    return value_of(every), (count - 1) / count * squares


def approx(value: float | tuple[float, ...]) -> Any:
    return pytest.approx(value, abs=1e-12)


def gain_of(estimate: Estimate) -> tuple[float, float, float]:
    assert estimate.value is not None
    assert estimate.low is not None
    assert estimate.high is not None
    return estimate.value, estimate.low, estimate.high


@pytest.mark.parametrize("level", LEVELS)
def test_gains_of_raters_are_those_by_definition(level: Level) -> None:
    scheme = replace(SCHEME, level=level)
    rows, questions = uneven(5)
    whole = labels_by_item(rows)
    pairable = [len(labels) > 1 for labels in whole]
    values, variances, rated = {}, {}, {}
    for rater, name in enumerate(rows.rater_names[:5]):
        others = labels_by_item(rows, rater)
        gain = partial(slow_gain, scheme, whole, others, None)
        values[name], variances[name] = jackknife(questions, pairable, gain)
        own = rows.items[rows.raters == rater]
        rated[name] = len(np.unique(questions[[item for item in own if pairable[item]]]))
    pulls = alpha_pulls(rows, questions, scheme).raters
    assert [pull.rater for pull in pulls] == sorted(values, key=values.__getitem__, reverse=True)
    count = len(np.unique(questions[np.array(pairable)]))
    for pull in pulls:
        share = rated[pull.rater] / sum(rated.values())
        variance = max(variances[pull.rater], share * sum(variances.values()))
        reach = t_quantile(1 - 0.05 / 5 / 2, count - 1) * math.sqrt(variance)
        value = values[pull.rater]
        assert gain_of(pull.gain) == approx((value, value - reach, value + reach))
        assert (pull.gain.confidence, pull.gain.clusters) == (0.99, count)


@pytest.mark.parametrize("level", LEVELS)
def test_alpha_without_a_rater_is_that_of_the_other_ratings(level: Level) -> None:
    scheme = replace(SCHEME, level=level)
    rows, questions = uneven(6)
    for pull in alpha_pulls(rows, questions, scheme).raters:
        others = labels_by_item(rows, rows.rater_names.index(pull.rater))
        expected = alpha(
            VotePatterns.from_votes_of_questions(
                scheme,
                [
                    (question, [scheme.labels[label] for label in labels])
                    for question, labels in zip(questions.tolist(), others, strict=True)
                ],
            )
        )
        assert (pull.alpha.value, pull.alpha.n) == (approx(expected.value or 0.0), expected.n)
        assert pull.ratings == rows.n - sum(map(len, others))


@pytest.mark.parametrize("level", LEVELS)
def test_gains_of_pairs_are_those_by_definition(level: Level) -> None:
    scheme = replace(SCHEME, level=level)
    rows, questions = uneven(8, items=40)
    whole = labels_by_item(rows)
    pairable = [len(labels) > 1 for labels in whole]
    apart = differences([labels for labels in whole if len(labels) > 1], scheme)
    expected = {pair: apart[pair][0] * apart[pair][1] for pair in combinations(range(5), 2)}
    rest = {pair: sum(expected.values()) - expected[pair] for pair in expected}
    values, variances = {}, {}
    for pair in expected:
        gain = partial(slow_gain, scheme, whole, whole, pair)
        values[pair], variances[pair] = jackknife(questions, pairable, gain)
    pooled = sum(variances[pair] * rest[pair] ** 2 for pair in expected) / sum(
        expected[pair] * apart[pair][0] for pair in expected
    )
    pulls = alpha_pulls(rows, questions, scheme).pairs
    assert sum(pull.share for pull in pulls) == approx(1)
    gains = [gain_of(pull.gain)[0] for pull in pulls]
    assert gains == sorted(gains, reverse=True)
    count = len(np.unique(questions[np.array(pairable)]))
    for pull in pulls:
        pair = scheme.index_of[pull.labels[0]], scheme.index_of[pull.labels[1]]
        least = pooled * expected[pair] * apart[pair][0] / rest[pair] ** 2
        error = math.sqrt(max(variances[pair], least))
        reach = t_quantile(1 - 0.05 / 10 / 2, count - 1) * error
        value = values[pair]
        assert gain_of(pull.gain) == approx((value, value - reach, value + reach))
        assert (pull.gain.confidence, pull.gain.clusters) == (0.995, count)
        assert pull.alpha.value == approx(slow_alpha(whole, scheme, pair))


def test_equal_ranks_are_no_pair_above_the_nominal_level() -> None:
    rows, questions = campaign(1)
    nominal, ordinal, interval = (
        {pull.labels for pull in alpha_pulls(rows, questions, replace(SCHEME, level=level)).pairs}
        for level in LEVELS
    )
    assert len(nominal) == 10
    assert ordinal == interval == nominal - {("all", "whole")}


def test_nominal_alpha_without_a_difference_is_that_of_one_label() -> None:
    rows, questions = uneven(9)
    scheme = LabelScheme(SCHEME.labels[1:], SCHEME.ranks[1:])
    pulls = {pull.labels: pull for pull in alpha_pulls(rows, questions, SCHEME).pairs}
    merged = [[SCHEME.labels[max(1, label)] for label in labels] for labels in labels_by_item(rows)]
    expected = alpha(VotePatterns.from_votes(scheme, merged))
    assert expected.value is not None
    assert pulls["none", "some"].alpha.value == approx(expected.value)


def small(*votes: str, questions: Sequence[int] | None = None) -> AlphaPulls:
    """Pulls of items with the votes of raters a, b, c … for `y` or `n`; a dot is no vote."""
    rows = RatingRows.of(
        (
            (item, "abcd"[place], {"y": "yes", "n": "no"}[vote])
            for item, by_rater in enumerate(votes)
            for place, vote in enumerate(by_rater)
            if vote != "."
        ),
        ("yes", "no"),
    )
    numbers = np.array(range(len(votes)) if questions is None else questions)
    return alpha_pulls(rows, numbers, LabelScheme(("yes", "no"), (1, 0)))


def test_a_gain_of_three_raters_by_hand() -> None:
    # All: n = 9, n_c = 5, 4. Items 1 and 3 disagree: n D_o = 2 + 2, n D_e = 2 * 5 * 4 / 8 = 5,
    # alpha = 1/5. Without c: yy, nn, yy: alpha = 1. Gain 4/5.
    best, *others = small("yyn", "nnn", "yyn").raters
    assert (best.rater, best.ratings, best.alpha) == ("c", 3, Estimate(value=1.0, n=3))
    assert best.gain.value == approx(0.8)
    assert [pull.rater for pull in others] == ["a", "b"]


def test_what_is_undefined_says_why_and_stands_last() -> None:
    alone = small("yy", "yn", "nn", "yy")
    reason = "no item has two ratings"
    assert [(pull.alpha, pull.gain) for pull in alone.raters] == [
        (
            Estimate(value=None, reason=reason, n=0),
            Estimate(value=None, reason=f"without the rater: {reason}", n=0),
        )
    ] * 2
    (pair,) = alone.pairs
    assert (pair.labels, pair.share) == (("yes", "no"), 1.0)
    nothing_left = "without this difference no disagreement can be expected by chance"
    assert pair.gain == pair.alpha == Estimate(value=None, reason=nothing_left, n=4)
    for pulls in (small("yy.", "yyy"), small("y", "n")):
        assert pulls.pairs == ()
        assert {pull.gain.reason for pull in pulls.raters} <= {ONE_LABEL, reason}
        assert all(pull.gain.value is None for pull in pulls.raters)
    last = small("yyn", "yyy", "yyy").raters[-1]
    assert (last.rater, last.alpha.reason) == ("c", ONE_LABEL)
    assert last.gain.reason == f"without the rater: {ONE_LABEL}"


def test_raters_who_share_no_item_gain_nothing_and_are_not_compared() -> None:
    pulls = {pull.rater: pull for pull in small("yyn.", "nnn.", "yyn.", "ynn.", "...y").raters}
    assert pulls["d"].gain == Estimate(
        value=0.0, n=4, reason="nobody else rated an item of this rater"
    )
    assert pulls["a"].gain.confidence == approx(1 - 0.05 / 3)


def test_there_is_no_interval_without_enough_questions() -> None:
    (best, *_others) = small("yyn", "nnn", "yyn", questions=[7, 7, 7]).raters
    assert (best.gain.value, best.gain.low) == (approx(0.8), None)
    assert best.gain.reason == "one question cannot be resampled into an interval"
    # without the question of the only item with a no there is no alpha
    (best, *_others) = small("ynn", "yyy", "yyy").raters
    assert (best.gain.value is None, best.gain.reason) == (
        False,
        "without one of the questions there is no alpha, so the gain has no interval",
    )


def test_questions_alike_show_no_uncertainty() -> None:
    votes = ("yyn", "nnn", "yyn")
    (best, *_others) = small(*votes, *votes, *votes, questions=[0] * 3 + [1] * 3 + [2] * 3).raters
    assert best.gain.value is not None
    assert best.gain.reason == ("all that is judged is alike: resampling it shows no uncertainty")


def test_wrong_input_is_refused() -> None:
    rows, questions = campaign(1, items=4)
    with pytest.raises(ValueError, match="4 items, but the questions of 3"):
        alpha_pulls(rows, questions[1:], SCHEME)
    with pytest.raises(ValueError, match="are not the scheme's"):
        alpha_pulls(rows, questions, LabelScheme(("yes", "no"), (1, 0)))
    twice = replace(rows, raters=np.zeros_like(rows.raters))
    with pytest.raises(ValueError, match="rated an item twice"):
        alpha_pulls(twice, questions, SCHEME)


@pytest.mark.parametrize("level", LEVELS)
def test_few_clean_campaigns_have_a_gain_beside_zero(level: Level) -> None:
    scheme = replace(SCHEME, level=level)
    alarms: Counter[str] = Counter()
    for seed in range(100):
        pulls = alpha_pulls(*campaign(seed, raters=12, items=150), scheme)
        for kind, gains in (
            ("raters", [gain_of(pull.gain) for pull in pulls.raters]),
            ("pairs", [gain_of(pull.gain) for pull in pulls.pairs]),
        ):
            alarms[kind] += any(low > 0 or high < 0 for _value, low, high in gains)
    assert max(alarms.values()) <= 5


@pytest.mark.parametrize("level", LEVELS)
def test_a_guessing_rater_and_a_confused_pair_come_first(level: Level) -> None:
    scheme = replace(SCHEME, level=level)
    first_raters, first_pairs = [], []
    for seed in range(20):
        rows, questions = campaign(seed, guesses=4, per_question=2)
        rater = alpha_pulls(rows, questions, scheme).raters[0]
        first_raters.append((rater.rater, gain_of(rater.gain)[1] > 0))
        rows, questions = campaign(seed, confused=(0, 2), per_question=2)
        pair = alpha_pulls(rows, questions, scheme).pairs[0]
        first_pairs.append((pair.labels, gain_of(pair.gain)[1] > 0))
    assert first_raters.count(("rater 4", True)) >= 19
    assert first_pairs.count((("none", "most"), True)) >= 19
