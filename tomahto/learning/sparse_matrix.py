"""A sparse matrix whose products have the same digits on every machine."""

from dataclasses import dataclass

import numpy as np

from tomahto.types import Floats, Integers


def sums(group: Integers, value: Floats | Integers, n_groups: int) -> Floats:
    """For each group the sum of its values, added in listed order."""
    return np.bincount(group, value, n_groups).astype(np.float64, copy=False)


@dataclass(frozen=True, slots=True, eq=False)
class SparseMatrix:
    """Cells as coordinates: `value[k]` stands at (`row[k]`, `column[k]`); all others are 0.

    A cell that is listed several times counts as their sum. Products add up in listed order and
    round after every step, so a row's product depends neither on the other rows nor on whether the
    processor multiplies and adds at once, as it may in SciPy's.
    """

    n_rows: int
    n_columns: int
    row: Integers
    column: Integers
    value: Floats

    def times(self, vector: Floats) -> Floats:
        """X·v: n_columns numbers in, n_rows out."""
        return sums(self.row, self.value * vector[self.column], self.n_rows)
