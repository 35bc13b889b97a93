"""Golden values: irrCAC 0.4.4, CAC(...).gwet(), which rounds to five places."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tomahto.strategies import canonical_example, vote_patterns
from tomahto.estimates.estimate import Estimate
from tomahto.reliability.alpha import alpha
from tomahto.reliability.chance_corrected import gwet_ac1, gwet_ac1_with_interval
from tomahto.reliability.statistics import pair_agreement_item_mean
from tomahto.votes.patterns import Pattern, VotePatterns
from tomahto.votes.scheme import LabelScheme

YES_NO = LabelScheme(("yes", "no"), (1, 0))
VOTES = ("aaa", "abb", "bbb", "cca", "c", "a")


def _letters(labels: str) -> VotePatterns:
    return VotePatterns.from_votes(LabelScheme(tuple(labels), tuple(range(len(labels)))), VOTES)


@pytest.mark.parametrize(
    ("patterns", "golden"),
    [
        (canonical_example("nominal"), 0.77544),
        (_letters("abc"), 0.50685),
        (_letters("abcd"), 0.57480),  # a label that does not occur counts in q
    ],
)
def test_gwet_ac1_equals_irrcac(patterns: VotePatterns, golden: float) -> None:
    assert gwet_ac1(patterns).value == pytest.approx(golden, abs=5e-6)


def test_gwet_ac1_by_hand_with_an_item_that_has_one_rating() -> None:
    # p_a = (1 + 0 + 1/3) / 3 = 4/9; pi_yes = (1 + 1/2 + 2/3 + 0) / 4 = 13/24
    # p_e = 2 * 13/24 * 11/24 = 143/288; AC1 = (128/288 - 143/288) / (145/288)
    patterns = VotePatterns(YES_NO, {(2, 0): 1, (1, 1): 1, (2, 1): 1, (0, 1): 1})
    estimate = gwet_ac1(patterns)
    assert estimate.value == pytest.approx(-15 / 145, abs=1e-15)
    assert estimate.n == 3


def test_gwet_ac1_stays_high_where_one_label_is_rare_and_alpha_does_not() -> None:
    # 118 of 125 items agree on yes, 7 are split (Gwet 2008, the paradox of kappa).
    patterns = VotePatterns(YES_NO, {(2, 0): 118, (1, 1): 7})
    ac1, krippendorff = gwet_ac1(patterns).value, alpha(patterns).value
    assert ac1 is not None
    assert krippendorff is not None
    assert ac1 > 0.93
    assert krippendorff < 0


def test_gwet_ac1_is_one_where_only_one_label_occurs() -> None:
    assert gwet_ac1(VotePatterns(YES_NO, {(2, 0): 5})) == Estimate(value=1.0, n=5)


@pytest.mark.parametrize(
    ("scheme", "counts", "reason", "n"),
    [
        (YES_NO, {}, "no item has two ratings", 0),
        (YES_NO, {(1, 0): 4}, "no item has two ratings", 0),
        (
            LabelScheme(("yes",), (1,)),
            {(2,): 4},
            "the scheme has one label, so agreement is certain",
            4,
        ),
    ],
)
def test_gwet_ac1_says_why_it_is_undefined(
    scheme: LabelScheme, counts: dict[Pattern, int], reason: str, n: int
) -> None:
    patterns = VotePatterns(scheme, counts)
    assert gwet_ac1(patterns) == Estimate(value=None, reason=reason, n=n)
    assert gwet_ac1_with_interval(patterns, seed=3) == Estimate(
        value=None, reason=reason, n=n, seed=3
    )


@given(vote_patterns(), st.integers(0, 5))
def test_gwet_ac1_takes_an_unpaired_item_for_chance_only(
    patterns: VotePatterns, label: int
) -> None:
    alone = tuple(int(at == label) for at in range(len(patterns.scheme.labels)))
    counts = dict(patterns.counts)
    counts[alone] = counts.get(alone, 0) + 1
    more = VotePatterns(patterns.scheme, counts)
    observed = pair_agreement_item_mean(patterns)
    before, after = gwet_ac1(patterns), gwet_ac1(more)
    assert (after.n, after.reason) == (before.n, before.reason)
    if observed.value == 1 and after.value is not None:
        assert after.value == pytest.approx(1, abs=1e-12)  # whatever chance would give


def test_gwet_ac1_with_interval_matches_items_drawn_one_by_one() -> None:
    counts: dict[Pattern, int] = {(2, 0): 60, (1, 1): 15, (0, 2): 20, (1, 0): 40, (0, 1): 5}
    patterns = VotePatterns(YES_NO, counts)
    items = np.repeat(list(counts), list(counts.values()), axis=0)
    generator = np.random.default_rng(3)
    drawn = []
    for _ in range(500):
        sample = items[generator.integers(len(items), size=len(items))]
        different, times = np.unique(sample, axis=0, return_counts=True)
        again = {tuple(one): int(n) for one, n in zip(different.tolist(), times, strict=True)}
        drawn.append(gwet_ac1(VotePatterns(YES_NO, again)).value)
    low, high = np.quantile(np.array(drawn, dtype=np.float64), [0.025, 0.975])
    estimate = gwet_ac1_with_interval(patterns, seed=5, is_widened=False)
    assert (estimate.n, estimate.replicates, estimate.seed) == (95, 2000, 5)
    # The standard deviation of AC1 is about 0.06, that of its outer quantiles about 0.007.
    assert (estimate.low, estimate.high) == pytest.approx((low, high), abs=0.02)


def test_gwet_ac1_with_interval_counts_replicates_without_a_pair() -> None:
    # Two pairs among four items: none is drawn with chance (1/2)^4 = 1/16, 125 of 2000.
    patterns = VotePatterns(YES_NO, {(2, 0): 2, (1, 0): 2})
    estimate = gwet_ac1_with_interval(patterns, seed=1)
    assert (estimate.value, estimate.low, estimate.high) == (1, 1, 1)
    assert 80 < estimate.undefined_replicates < 170  # standard deviation 11


def test_gwet_ac1_with_interval_has_none_for_one_item() -> None:
    # p_a = 0, pi = 1/2, p_e = 1/2
    assert gwet_ac1_with_interval(VotePatterns(YES_NO, {(1, 1): 1}), seed=1) == Estimate(
        value=-1.0,
        n=1,
        reason="one item with two ratings cannot be resampled into an interval",
        seed=1,
    )


def test_gwet_ac1_with_interval_needs_a_replicate() -> None:
    with pytest.raises(ValueError, match="an interval needs at least 1"):
        gwet_ac1_with_interval(canonical_example("nominal"), seed=1, replicates=0)
