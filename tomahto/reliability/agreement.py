"""How far raters of the same items agree: the published alpha and four plain shares.

A "random pair of ratings" has three defensible readings, so each has a name of its own:
the mean over items, the pool of all pairs, and Krippendorff's observed agreement, which weighs
an item by its ratings. They differ as soon as items have different numbers of ratings.
"""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from tomahto.estimates.estimate import Estimate, undefined
from tomahto.reliability.alpha import alpha_with_interval
from tomahto.reliability.krippendorff_package import package_alpha, package_cells
from tomahto.votes.patterns import Pattern, VotePatterns
from tomahto.votes.scheme import Level

PACKAGE_CELLS = 10_000_000  # 80 MB an array, about 240 MB in all


def published_alpha(
    patterns: VotePatterns,
    *,
    seed: int,
    replicates: int = 2000,
    level: Level | None = None,
    is_widened: bool = True,
    cells: int = PACKAGE_CELLS,
) -> Estimate:
    """Krippendorff's alpha by the `krippendorff` package, the interval by our own bootstrap.

    The package takes one row per disagreeing item. Where its arrays would exceed `cells`
    numbers (from some 150,000 disagreeing items with eight labels, or 2,500,000 with two), our
    closed form gives the value too; the two differ by rounding only.
    """
    estimate = alpha_with_interval(
        patterns, seed=seed, replicates=replicates, level=level, is_widened=is_widened
    )
    if package_cells(patterns, level=level) > cells:
        return estimate
    return replace(estimate, value=package_alpha(patterns, level=level).value)


def pair_agreement_item_mean(patterns: VotePatterns) -> Estimate:
    """Chance that two ratings of an item agree, averaged over items with at least two ratings.

    sum over items of P_i / N, with P_i = sum over labels of n_il (n_il - 1) / (n_i (n_i - 1))
    (Fleiss 1971, eq. 3, where all n_i are equal). `n` is the number of those items.
    """
    return _weighted_pair_agreement(patterns, lambda _ratings: 1)


def pair_agreement_pooled(patterns: VotePatterns) -> Estimate:
    """Share of all pairs of ratings of the same item that agree.

    sum over items of agreeing pairs / sum over items of n_i (n_i - 1) / 2: an item with four
    ratings counts six times as much as one with two. `n` is the number of items with at least
    two ratings.
    """
    return _weighted_pair_agreement(patterns, lambda ratings: ratings * (ratings - 1))


def observed_agreement(patterns: VotePatterns) -> Estimate:
    """Krippendorff's observed agreement: 1 - D_o at the nominal level.

    sum over items of sum over labels of n_il (n_il - 1) / (n_i - 1), divided by the ratings of
    items with at least two (Krippendorff 2011, section C): an item counts by its number of
    ratings. `n` is the number of those items.
    """
    return _weighted_pair_agreement(patterns, lambda ratings: ratings)


def full_agreement(patterns: VotePatterns) -> Estimate:
    """Share of the items with at least two ratings whose ratings are all the same.

    `n` is the number of those items.
    """
    pairable = patterns.pairable()
    if not pairable.items:
        return undefined("no item has two ratings", n=0)
    same = sum(items for pattern, items in pairable.counts.items() if max(pattern) == sum(pattern))
    return Estimate(value=same / pairable.items, n=pairable.items)


def _weighted_pair_agreement(patterns: VotePatterns, weight: Callable[[int], int]) -> Estimate:
    """Mean of the items' pair agreement, each weighted by a function of its ratings."""
    pairable = patterns.pairable()
    if not pairable.items:
        return undefined("no item has two ratings", n=0)
    agreement, total = Fraction(0), 0
    for pattern, items in pairable.counts.items():
        weights = items * weight(sum(pattern))
        agreement += weights * _item_agreement(pattern)
        total += weights
    return Estimate(value=float(agreement / total), n=pairable.items)


def _item_agreement(pattern: Pattern) -> Fraction:
    """Chance that two different ratings of one item agree; exact, so order cannot matter."""
    ratings = sum(pattern)
    return Fraction(sum(count * (count - 1) for count in pattern), ratings * (ratings - 1))
