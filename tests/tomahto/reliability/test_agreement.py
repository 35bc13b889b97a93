from collections.abc import Callable

import pytest

from tests.tomahto.strategies import canonical_example
from tomahto.estimates.estimate import Estimate
from tomahto.reliability.alpha import alpha_with_interval
from tomahto.reliability.krippendorff_package import package_alpha
from tomahto.reliability.statistics import (
    full_agreement,
    observed_agreement,
    pair_agreement_item_mean,
    pair_agreement_pooled,
    published_alpha,
)
from tomahto.votes.patterns import VotePatterns
from tomahto.votes.scheme import LabelScheme

YES_NO = LabelScheme(("yes", "no"), (1, 0))
# A: 2 yes, P_A = 1. B: 3 yes and 1 no, P_B = 3 * 2 / (4 * 3) = 1/2. The single rating is no pair.
PATTERNS = VotePatterns(YES_NO, {(2, 0): 1, (3, 1): 1, (0, 1): 1})
SINGLE = VotePatterns(YES_NO, {(1, 0): 3, (0, 1): 1})


@pytest.mark.parametrize(
    ("measure", "value"),
    [
        (pair_agreement_item_mean, 3 / 4),  # every item once: (1 + 1/2) / 2
        (pair_agreement_pooled, 4 / 7),  # every pair once: 1 of 1 and 3 of 6
        (observed_agreement, 2 / 3),  # every item by its ratings: (2 * 1 + 4 * 1/2) / 6
        (full_agreement, 1 / 2),  # the share of unanimous items
    ],
)
def test_agreement_by_hand(measure: Callable[[VotePatterns], Estimate], value: float) -> None:
    assert measure(PATTERNS) == Estimate(value=value, n=2)
    assert measure(SINGLE) == Estimate(value=None, reason="no item has two ratings", n=0)


def test_published_alpha_is_the_packages_value_with_our_interval() -> None:
    patterns = canonical_example("ordinal")
    ours = alpha_with_interval(patterns, seed=9, replicates=200)
    published = published_alpha(patterns, seed=9, replicates=200)
    assert published.value == package_alpha(patterns).value
    assert (published.low, published.high, published.n) == (ours.low, ours.high, 11)
    assert (published.replicates, published.seed) == (200, 9)


def test_published_alpha_takes_a_level_of_its_own() -> None:
    published = published_alpha(canonical_example("ordinal"), seed=9, level="interval")
    assert published.value == package_alpha(canonical_example("interval")).value


def test_published_alpha_does_without_the_package_where_its_arrays_grow_too_large(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*args: object, **kwargs: object) -> Estimate:
        raise AssertionError("the package was called")

    monkeypatch.setattr("tomahto.reliability.statistics.package_alpha", refuse)
    patterns = canonical_example("nominal")
    ours = alpha_with_interval(patterns, seed=9)
    # One unit for each of 5 values and 3 disagreeing units, 5 x 5 numbers each
    assert published_alpha(patterns, seed=9, cells=199) == ours
    with pytest.raises(AssertionError, match="the package was called"):
        published_alpha(patterns, seed=9, cells=200)


def test_published_alpha_keeps_the_reason_of_an_undefined_value() -> None:
    assert published_alpha(SINGLE, seed=9) == Estimate(
        value=None, reason="no item has two ratings", n=0, seed=9
    )
