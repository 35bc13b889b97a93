"""By how much does alpha differ between two sets of ratings, as of two guideline versions?

Each set's questions are resampled on their own, so the variances of the two alphas add up (Efron
and Tibshirani 1993, "An Introduction to the Bootstrap", section 8.3). An item that was rated twice
under either version is in both sets and is drawn for each of them independently. What makes an
item hard makes it hard twice, so the two alphas then go together, and the interval is wider than
it would have to be, not narrower.
"""

from tomahto.estimates.bootstrap import Bootstrap, percentile_estimate
from tomahto.estimates.estimate import Estimate, undefined
from tomahto.reliability.alpha import alpha, drawn_alphas
from tomahto.votes.patterns import VotePatterns
from tomahto.votes.values_by_units import values_by_units


def alpha_difference(
    earlier: VotePatterns, later: VotePatterns, *, seed: int, replicates: int = 2000
) -> Estimate:
    """Alpha of the later set less that of the earlier one, with a 95 % percentile interval.

    `n` is the number of items with two ratings in the smaller set. The difference is undefined
    where either alpha is, and has no interval where either set is of a single question. A
    replicate in which either is undefined is left out of the interval and counted. The earlier set
    is drawn with `seed`, the later one with the seed after it.

    Raises ValueError if the schemes differ, or `replicates` is less than 1.
    """
    if earlier.scheme != later.scheme:
        raise ValueError("alphas of different label schemes cannot be compared")
    bootstrap = Bootstrap(replicates, seed)
    bootstrap.require_replicates()
    sets = {"earlier": values_by_units(earlier), "later": values_by_units(later)}
    n = min(table.n for table in sets.values())
    for name, table in sets.items():
        if table.why_undefined:
            return undefined(f"{name}: {table.why_undefined}", n=n, seed=seed)
    values = [alpha(patterns).value for patterns in (earlier, later)]
    value = float(values[1] or 0) - float(values[0] or 0)
    clusters = min(table.patterns.clusters for table in sets.values())
    drawn = None
    if clusters > 1:
        before = drawn_alphas(sets["earlier"], bootstrap)
        drawn = drawn_alphas(sets["later"], Bootstrap(replicates, seed + 1)) - before
    return percentile_estimate(
        value,
        drawn,
        n=n,
        clusters=clusters,
        bootstrap=bootstrap,
        name="the difference of alpha",
        drew=sets["later"].patterns.drawn,
    )
