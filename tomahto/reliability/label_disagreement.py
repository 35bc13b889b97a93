"""Which labels disagree with which: Krippendorff's coincidences, and each label's disagreement.

Item u adds n_uc (n_uk - [c = k]) / (n_u - 1) to the cell of labels c, k, with n_uc the votes for c
among its n_u >= 2 votes. A row adds up to the votes n_c of its label on such items, and the whole
table to all of them (Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", section D).
"""

from dataclasses import dataclass

import numpy as np

from tomahto.estimates.bootstrap import Bootstrap, percentile_estimate
from tomahto.estimates.estimate import Estimate, undefined
from tomahto.estimates.ratio import ratio
from tomahto.types import Floats, Integers
from tomahto.votes.drawn_patterns import drawn_patterns
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
    """Over the items with at least two votes; the intervals are from a bootstrap over questions,
    or items where the patterns know of no questions."""
    pairable = patterns.pairable()
    counts, units = pattern_table(pairable)
    table = _coincidences(counts, units)
    return LabelDisagreement(
        table=tuple(tuple(row) for row in table.tolist()),
        disagreement=_disagreements(pairable, counts, table, bootstrap),
    )


def _coincidences(counts: Integers, units: Integers) -> Floats:
    sizes = counts.sum(axis=1)
    weighted = counts * (units / (sizes - 1))[:, np.newaxis]
    table: Floats = weighted.T @ counts
    table -= np.diag(weighted.sum(axis=0))
    return table


def _disagreements(
    pairable: VotePatterns, counts: Integers, table: Floats, bootstrap: Bootstrap
) -> tuple[Estimate, ...]:
    votes = table.sum(axis=1)
    items = np.array(list(pairable.counts.values()), dtype=np.int64) @ (counts > 0)
    drawn = _drawn(pairable, counts, bootstrap) if pairable.clusters > 1 else None
    found = []
    for label, n in enumerate(items.tolist()):
        if not n:
            found.append(undefined("no item with two votes has this label", n=0))
            continue
        value = float(1 - table[label, label] / votes[label])
        found.append(
            percentile_estimate(
                value,
                None if drawn is None else drawn[:, label],
                n=n,
                clusters=pairable.clusters,
                bootstrap=bootstrap,
                drew=pairable.drawn,
            )
        )
    return tuple(found)


def _drawn(pairable: VotePatterns, counts: Integers, bootstrap: Bootstrap) -> Floats:
    """Each label's disagreement in every replicate (R, K); NaN where it was not drawn."""
    sizes = counts.sum(axis=1, keepdims=True)
    contradicted = counts * (sizes - counts) / (sizes - 1)
    blocks = drawn_patterns(pairable, bootstrap, max(counts.shape))
    return np.concatenate([ratio(drawn @ contradicted, drawn @ counts) for drawn in blocks])
