"""Golden values: replicates whose items are drawn pattern by pattern, from another seed."""

from collections.abc import Callable

import numpy as np
import pytest

import tomahto.estimates.resampled_sums as resampled_sums
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.estimate import Estimate
from tomahto.raters.confused_class import confusions
from tomahto.reliability.alpha import alpha_with_interval
from tomahto.reliability.gwet import gwet_ac1_with_interval
from tomahto.reliability.label_disagreement import label_disagreement
from tomahto.votes.patterns import VotePatterns
from tomahto.votes.scheme import LabelScheme

pytestmark = pytest.mark.slow

SCHEME = LabelScheme(tuple("abcdef"), (0, 1, 1, 2, 5, 9), "ordinal")
SHARES = (0.34, 0.3, 0.2, 0.1, 0.0595, 0.0005)  # of the last some 60 votes, less than are many


def _confused(seed: int = 5, *, known: float = 0.3, planted: float = 0.0) -> VotePatterns:
    """30,000 items with six votes, drawn by frequency: but of `known` items all are the same, and
    two votes of `planted` items are d and e."""
    draw = np.random.default_rng(seed)
    votes = draw.choice(6, size=(30_000, 6), p=SHARES)
    votes = np.where(draw.random((30_000, 1)) < known, votes[:, :1], votes)
    votes[draw.random(30_000) < planted, :2] = 3, 4
    counts = np.stack([(votes == label).sum(axis=1) for label in range(6)], axis=1)
    patterns, units = np.unique(counts, axis=0, return_counts=True)
    pairs = zip(patterns.tolist(), units.tolist(), strict=True)
    return VotePatterns(SCHEME, {tuple(pattern): items for pattern, items in pairs})


def _of(label: int) -> Callable[[VotePatterns, int], Estimate]:
    def disagreement(patterns: VotePatterns, seed: int) -> Estimate:
        return label_disagreement(patterns, bootstrap=Bootstrap(2000, seed)).disagreement[label]

    return disagreement


def _excess(patterns: VotePatterns, seed: int) -> Estimate:
    return confusions(patterns, bootstrap=Bootstrap(2000, seed)).pairs[0].excess


@pytest.mark.parametrize(
    "figure",
    [
        lambda patterns, seed: alpha_with_interval(patterns, seed=seed, level="nominal"),
        lambda patterns, seed: alpha_with_interval(patterns, seed=seed, level="ordinal"),
        lambda patterns, seed: alpha_with_interval(patterns, seed=seed, level="interval"),
        lambda patterns, seed: gwet_ac1_with_interval(patterns, seed=seed),
        _of(0),
        _of(5),
        _excess,
    ],
)
def test_intervals_from_sums_are_those_from_items(
    figure: Callable[[VotePatterns, int], Estimate], monkeypatch: pytest.MonkeyPatch
) -> None:
    patterns = _confused()
    sums = figure(patterns, 1)
    monkeypatch.setattr(resampled_sums, "MANY_ITEMS", 10**9)
    items = figure(patterns, 2)
    assert (sums.value, sums.n, sums.replicates) == (items.value, items.n, items.replicates)
    assert sums != figure(patterns, 1)  # drawn otherwise
    bounds = [bound or 0 for bound in (sums.low, sums.high, items.low, items.high)]
    # a bound's own standard error is 6 % of the figure's, and that a quarter of the interval
    margin = 4 * np.sqrt(2) * 0.06 * (bounds[3] - bounds[2]) / 3.92
    assert abs(bounds[0] - bounds[2]) < margin
    assert abs(bounds[1] - bounds[3]) < margin


@pytest.mark.parametrize("items_one_by_one", [False, True])
def test_confusions_of_many_patterns_find_a_planted_pair(
    items_one_by_one: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if items_one_by_one:
        monkeypatch.setattr(resampled_sums, "MANY_ITEMS", 10**9)
    found = confusions(_confused(planted=0.05), bootstrap=Bootstrap(999, seed=1))
    assert found.pairs[0].labels == ("d", "e")
    assert found.pairs[0].p_value == 1 / 1000


def test_confusions_of_many_patterns_raise_no_alarm_where_frequency_is_all() -> None:
    alarms = 0
    for seed in range(40):
        found = confusions(_confused(seed), bootstrap=Bootstrap(99, seed=seed))
        alarms += any(one.is_confused for one in found.labels + found.pairs)
    assert alarms <= 5  # 2 expected
