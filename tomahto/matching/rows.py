"""Pairs as rows of a candidate, a reference and the question: what matchers of words compare."""

from collections.abc import Sequence

import numpy as np

from tomahto.learning.token_rows import Row
from tomahto.matching.interface import Pair, closest_reference
from tomahto.types import Integers


def rows_of(pairs: Sequence[Pair]) -> tuple[list[Row], Integers]:
    """A row for every reference, pair after pair, and the number of each pair's first row."""
    rows = [
        Row(pair.candidate, reference, pair.question)
        for pair in pairs
        for reference in pair.references
    ]
    return rows, np.cumsum([0, *(len(pair.references) for pair in pairs[:-1])])


def training_row(pair: Pair) -> Row:
    """The pair with its closest reference: a label says that the candidate is right, not that it is
    right by each of them."""
    return Row(pair.candidate, closest_reference(pair), pair.question)
