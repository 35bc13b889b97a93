"""Golden values: Krippendorff (2011), and the `krippendorff` package 0.8."""

import krippendorff
import numpy as np
import pytest
from hypothesis import given

from tests.sampling import mostly
from tests.tomahto.strategies import LEVELS, canonical_example, vote_patterns
from tomahto.estimates.estimate import Estimate
from tomahto.reliability.alpha import alpha, alpha_with_interval
from tomahto.reliability.krippendorff_package import package_alpha
from tomahto.votes.patterns import Pattern, VotePatterns
from tomahto.votes.scheme import LabelScheme, Level

YES_NO = LabelScheme(("yes", "no"), (1, 0))


def test_alpha_of_the_canonical_example_by_hand() -> None:
    # Coincidences, unit by unit 1/(n_u - 1) per ordered pair, rows and columns 1 to 5:
    #     7   4/3  1/3  1/3  0    n_1 =  9
    #    4/3  10   4/3  1/3  0    n_2 = 13
    #    1/3  4/3   8   1/3  0    n_3 = 10
    #    1/3  1/3  1/3   4   0    n_4 =  5
    #     0    0    0    0   3    n_5 =  3, n = 40 (the unit with one value is left out)
    # n D_o = 40 - 32 = 8, and n D_e = (40^2 - (81 + 169 + 100 + 25 + 9)) / 39 = 1216 / 39
    # alpha = 1 - 8 * 39 / 1216 = 904 / 1216
    estimate = alpha(canonical_example("nominal"))
    assert estimate.value == pytest.approx(904 / 1216, abs=1e-15)
    assert estimate.n == 11


@pytest.mark.parametrize(
    ("level", "published"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)]
)
def test_alpha_of_the_canonical_example_as_published(level: Level, published: float) -> None:
    value = alpha(canonical_example(level)).value
    assert value is not None
    assert round(value, 3) == published


def test_alpha_takes_labels_of_equal_rank_for_one_value_above_the_nominal_level() -> None:
    scheme = LabelScheme(("wrong", "right", "also right"), (0, 6, 6), "ordinal")
    patterns = VotePatterns(scheme, {(0, 1, 1): 3, (2, 0, 0): 1})
    assert alpha(patterns).value == 1
    # Nominal: n_c = 2, 3, 3 of n = 8; n D_o = 6; n D_e = (64 - 22) / 7 = 6
    assert alpha(patterns, level="nominal").value == pytest.approx(0, abs=1e-15)


@pytest.mark.parametrize(
    ("counts", "reason", "n"),
    [
        ({}, "no item has two ratings", 0),
        ({(1, 0): 4, (0, 1): 2}, "no item has two ratings", 0),
        (
            {(2, 0): 4, (0, 1): 2},
            "only one label occurs, so no disagreement can be expected by chance",
            4,
        ),
    ],
)
def test_alpha_says_why_it_is_undefined(counts: dict[Pattern, int], reason: str, n: int) -> None:
    patterns = VotePatterns(YES_NO, counts)
    assert alpha(patterns) == Estimate(value=None, reason=reason, n=n)
    assert alpha_with_interval(patterns, seed=3) == Estimate(value=None, reason=reason, n=n, seed=3)


@given(vote_patterns())
def test_alpha_equals_the_package(patterns: VotePatterns) -> None:
    for level in LEVELS:
        ours, package = alpha(patterns, level=level), package_alpha(patterns, level=level)
        assert (ours.n, ours.reason) == (package.n, package.reason)
        if ours.value is not None and package.value is not None:
            assert abs(ours.value - package.value) <= 1e-12


@given(vote_patterns())
def test_alpha_of_the_interval_level_ignores_unit_and_origin(patterns: VotePatterns) -> None:
    scheme = patterns.scheme
    moved = LabelScheme(scheme.labels, tuple(rank * 1e200 + 3e200 for rank in scheme.ranks))
    ours = alpha(patterns, level="interval").value
    theirs = alpha(VotePatterns(moved, patterns.counts), level="interval").value
    assert (theirs is None) == (ours is None)
    if theirs is not None and ours is not None:
        assert abs(theirs - ours) <= 1e-12


def test_alpha_with_interval_counts_replicates_without_a_value() -> None:
    # Two items, A = {yes, yes} and B = {yes, no}. AA (1/4 of the replicates) is undefined.
    # AB: n = 4, n_c = 3, 1: n D_o = 2, n D_e = 2 * 3 / 3 = 2, alpha = 0
    # BB: n = 4, n_c = 2, 2: n D_o = 4, n D_e = 2 * 4 / 3, alpha = -1/2
    patterns = VotePatterns(YES_NO, {(2, 0): 1, (1, 1): 1})
    estimate = alpha_with_interval(patterns, seed=1)
    assert estimate == Estimate(
        value=0.0,
        n=2,
        low=-0.5,
        high=0.0,
        replicates=2000,
        undefined_replicates=estimate.undefined_replicates,
        seed=1,
        drew="items",
        clusters=2,
        confidence=0.95,
    )
    assert 400 < estimate.undefined_replicates < 600  # 500 expected, standard deviation 19


def test_alpha_with_interval_says_when_no_replicate_has_a_value() -> None:
    patterns = VotePatterns(YES_NO, {(2, 0): 1, (0, 2): 1})
    seed = next(
        seed
        for seed in range(100)
        if alpha_with_interval(patterns, seed=seed, replicates=1).undefined_replicates
    )
    assert alpha_with_interval(patterns, seed=seed, replicates=1) == Estimate(
        value=1.0,
        n=2,
        reason="alpha is undefined in all of 1 replicates",
        replicates=1,
        undefined_replicates=1,
        seed=seed,
        drew="items",
        clusters=2,
    )


def test_alpha_with_interval_has_none_for_one_item() -> None:
    # n = 3, n_c = 2, 1: n D_o = 4 / 2, n D_e = 4 / 2
    assert alpha_with_interval(VotePatterns(YES_NO, {(2, 1): 1, (1, 0): 8}), seed=1) == Estimate(
        value=0.0,
        n=1,
        reason="one item with two ratings cannot be resampled into an interval",
        seed=1,
    )


@pytest.mark.parametrize("replicates", [0, -1])
def test_alpha_with_interval_needs_a_replicate(replicates: int) -> None:
    with pytest.raises(ValueError, match="an interval needs at least 1"):
        alpha_with_interval(canonical_example("nominal"), seed=1, replicates=replicates)


def test_alpha_with_interval_depends_on_seed_and_not_on_order() -> None:
    counts: dict[Pattern, int] = {(2, 0): 30, (1, 1): 9, (0, 2): 20, (3, 1): 4}
    estimate = alpha_with_interval(VotePatterns(YES_NO, counts), seed=1)
    reversed_counts = dict(reversed(counts.items()))
    assert alpha_with_interval(VotePatterns(YES_NO, reversed_counts), seed=1) == estimate
    other = alpha_with_interval(VotePatterns(YES_NO, counts), seed=2)
    assert (other.low, other.high) != (estimate.low, estimate.high)
    assert other.value == estimate.value


@pytest.mark.parametrize("level", mostly(LEVELS, "ordinal"))
def test_alpha_with_interval_matches_the_package_on_items_drawn_one_by_one(level: Level) -> None:
    counts: dict[Pattern, int] = {
        (3, 0, 0): 40,
        (2, 1, 0): 20,
        (0, 3, 0): 60,
        (0, 2, 1): 15,
        (0, 0, 2): 50,
        (1, 0, 1): 15,
    }
    patterns = VotePatterns(LabelScheme(("a", "b", "c"), (0, 1, 5), level), counts)
    items = np.repeat(list(counts), list(counts.values()), axis=0)
    generator = np.random.default_rng(11)
    drawn = [
        krippendorff.alpha(
            value_counts=items[generator.integers(len(items), size=len(items))],
            value_domain=[0, 1, 5],
            level_of_measurement=level,
        )
        for _ in range(1500)
    ]
    low, high = np.quantile(drawn, [0.025, 0.975])
    estimate = alpha_with_interval(patterns, seed=5, is_widened=False)
    # Alpha's standard deviation is about 0.03, that of its outer quantiles about 0.002.
    assert estimate.low == pytest.approx(low, abs=0.01)
    assert estimate.high == pytest.approx(high, abs=0.01)
