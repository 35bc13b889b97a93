"""Confusion between raters, counted from votes that are numbers.

A vote's number says who voted and how: the rater's times the number of outcomes, plus the
outcome's. Numbers keep millions of votes small, and two votes are one pair of numbers.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from tomahto.types import Integers
from tomahto.votes.patterns import PairTable

END = -1
"""Stands between the votes of two items."""


def pair_tables_from_codes(
    votes: Integers, raters: Mapping[int, str], labels: Sequence[str]
) -> list[PairTable]:
    """One table for every two raters who share an item, sorted by the raters' names.

    `votes` (N,) holds the numbers of all votes item by item, with `END` between two items.
    `raters` names the raters by their numbers, `labels` is the label of each outcome.
    """
    tables: dict[tuple[str, str], dict[tuple[str, str], int]] = {}
    for lower, higher, items in _counted_pairs(votes):
        # in order by name, whatever the order of the numbers
        (rater, label), (other, other_label) = sorted(
            (raters[code // len(labels)], labels[code % len(labels)]) for code in (lower, higher)
        )
        table = tables.setdefault((rater, other), {})
        table[label, other_label] = table.get((label, other_label), 0) + items
    return [PairTable(pair, tables[pair]) for pair in sorted(tables)]


def _counted_pairs(votes: Integers) -> Iterator[tuple[int, int, int]]:
    """Every two votes that an item has, the lower first, and the number of such items."""
    is_vote = votes != END
    items = np.cumsum(~is_vote)[is_vote]
    codes, places = np.unique(votes[is_vote], return_inverse=True)
    pairs = np.concatenate([places[:0], *_pairs(items, places, len(codes))])
    for pair, count in zip(*np.unique(pairs, return_counts=True), strict=True):
        yield int(codes[pair // len(codes)]), int(codes[pair % len(codes)]), int(count)


def _pairs(items: Integers, places: Integers, size: int) -> Iterator[Integers]:
    """The pairs of votes that stand 1 apart, 2 apart and so on, while items are that long."""
    for apart in range(1, len(items)):
        is_same = items[apart:] == items[:-apart]
        if not is_same.any():
            return
        one, other = places[:-apart][is_same], places[apart:][is_same]
        yield np.minimum(one, other) * size + np.maximum(one, other)
