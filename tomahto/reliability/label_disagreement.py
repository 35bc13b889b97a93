"""Which labels disagree with which: Krippendorff's coincidences, and each label's disagreement.

Item u adds n_uc (n_uk - [c = k]) / (n_u - 1) to the cell of labels c, k, with n_uc the votes for c
among its n_u >= 2 votes. A row adds up to the votes n_c of its label on such items, and the whole
table to all of them (Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", section D).
"""

from dataclasses import dataclass

import numpy as np

from tomahto.estimates.bootstrap import Bootstrap, drawn_units, percentile_estimate
from tomahto.estimates.estimate import Estimate, undefined
from tomahto.estimates.ratio import ratio
from tomahto.estimates.resampled_sums import drawn_sums, is_large
from tomahto.types import Floats, Integers
from tomahto.votes.patterns import VotePatterns
from tomahto.votes.values_by_units import pattern_table


@dataclass(frozen=True, slots=True)
class LabelDisagreement:
    """Coincidences of all labels of the scheme, and how often each is contradicted.

    `table[c][k]` is the coincidence of two labels, in the order of the scheme. `disagreement[c]`
    is the chance that another vote on the item differs where a vote gives label c; its `n` counts
    the items with two votes in which the label occurs.
    """

    table: tuple[tuple[float, ...], ...]
    disagreement: tuple[Estimate, ...]


def label_disagreement(patterns: VotePatterns, *, bootstrap: Bootstrap) -> LabelDisagreement:
    """Over the items with at least two votes; the intervals are from a bootstrap over items."""
    counts, units = pattern_table(patterns.pairable())
    table = _coincidences(counts, units)
    return LabelDisagreement(
        table=tuple(tuple(row) for row in table.tolist()),
        disagreement=_disagreements(counts, units, table, bootstrap),
    )


def _coincidences(counts: Integers, units: Integers) -> Floats:
    sizes = counts.sum(axis=1)
    weighted = counts * (units / (sizes - 1))[:, np.newaxis]
    table: Floats = weighted.T @ counts
    table -= np.diag(weighted.sum(axis=0))
    return table


def _disagreements(
    counts: Integers, units: Integers, table: Floats, bootstrap: Bootstrap
) -> tuple[Estimate, ...]:
    votes = table.sum(axis=1)
    items = units @ (counts > 0)
    drawn = _drawn(counts, units, bootstrap) if len(units) else None
    found = []
    for label, n in enumerate(items.tolist()):
        if drawn is None or not n:
            found.append(undefined("no item with two votes has this label", n=0))
            continue
        value = float(1 - table[label, label] / votes[label])
        one = percentile_estimate(value, drawn[:, label], n=n, bootstrap=bootstrap)
        found.append(one)
    return tuple(found)


def _drawn(counts: Integers, units: Integers, bootstrap: Bootstrap) -> Floats:
    """Each label's disagreement in every replicate (R, K); NaN where it was not drawn."""
    sizes = counts.sum(axis=1, keepdims=True)
    contradicted = counts * (sizes - counts) / (sizes - 1)
    if is_large(units):
        sums = drawn_sums(units, np.column_stack([contradicted, counts]), bootstrap)
        return ratio(*np.split(sums, 2, axis=1))
    blocks = drawn_units(units, max(counts.shape), bootstrap)
    return np.concatenate([ratio(drawn @ contradicted, drawn @ counts) for drawn in blocks])
