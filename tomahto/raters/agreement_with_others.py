"""How far each rating agrees with the others' votes on its item, and how far it should.

The agreement of a rating is the share of the others' votes that give its label. What should be
expected depends on the item, for some are hard for everybody. Where two or more others rated it,
that is the agreement of those among themselves. Where only one did, it is learnt from the pairs
of votes that leave the rater out: the share in which the second vote is v where the first is v,
for the other's vote v. Neither depends on anything that the rater gave.
"""

from dataclasses import dataclass

import numpy as np

from tomahto.estimates.ratio import ratio
from tomahto.types import Floats, Integers
from tomahto.votes.rating_rows import RatingRows


@dataclass(frozen=True, eq=False)
class AgreementWithOthers:
    """For every rating (N,) its rater, its agreement with the others and its expectation.

    Both are NaN where nobody else rated the item. The expectation from one other is NaN too
    where no two others share any item; from a label that no two others share, it is that of all
    labels.
    """

    raters: Integers
    agreement: Floats
    expected: Floats

    @classmethod
    def of(cls, rows: RatingRows, left_out: frozenset[int] = frozenset()) -> "AgreementWithOthers":
        """From ratings of which no rater rated an item twice.

        Nobody is compared with the raters left out; what is said of those is of no use.
        """
        is_left_out = np.isin(rows.raters, list(left_out))
        counts = rows.counts.copy()
        np.subtract.at(counts, (rows.items[is_left_out], rows.labels[is_left_out]), 1)
        others = counts[rows.items]
        others[np.arange(rows.n), rows.labels] -= ~is_left_out
        same = others[np.arange(rows.n), rows.labels]
        sizes = others.sum(axis=1)
        agreement = ratio(same, sizes)
        agreeing, pairs = _pairs_without_each(rows, counts, others, same, sizes)
        pooled = ratio(agreeing.sum(axis=1), pairs.sum(axis=1))[:, np.newaxis]
        chances = np.where(pairs > 0, ratio(agreeing, pairs), pooled)
        from_one = ratio((others * chances[rows.raters]).sum(axis=1), sizes)
        among_others = ratio((others * (others - 1)).sum(axis=1), sizes * (sizes - 1))
        return cls(rows.raters, agreement, np.where(sizes > 1, among_others, from_one))


def _pairs_without_each(
    rows: RatingRows, counts: Integers, others: Integers, same: Integers, sizes: Integers
) -> tuple[Integers, Integers]:
    """Ordered pairs of votes on an item that leave a rater out: two arrays (R, K).

    By rater left out and label of the first vote: those that agree, and all.
    """
    raters, labels = len(rows.rater_names), len(rows.label_names)
    pairs = np.tile((counts * (counts.sum(axis=1, keepdims=True) - 1)).sum(axis=0), (raters, 1))
    agreeing = np.tile((counts * (counts - 1)).sum(axis=0), (raters, 1))
    for label in range(labels):
        pairs[:, label] -= _sums(rows.raters, others[:, label], raters)
    at = (rows.raters, rows.labels)
    np.subtract.at(pairs, at, sizes)
    np.subtract.at(agreeing, at, 2 * same)
    return agreeing, pairs


def _sums(groups: Integers, values: Integers, size: int) -> Integers:
    return np.bincount(groups, weights=values, minlength=size).astype(np.int64)
