"""A sparse matrix that can do the two products that logistic regression needs."""

from dataclasses import dataclass

import numpy as np

from tomahto.types import Floats, Integers


def sums(group: Integers, value: Floats | Integers, n_groups: int) -> Floats:
    """For each group the sum of its values, added in listed order."""
    return np.bincount(group, value, n_groups).astype(np.float64, copy=False)


@dataclass(frozen=True, slots=True, eq=False)
class SparseMatrix:
    """Cells as coordinates: `value[k]` stands at (`row[k]`, `column[k]`); all others are 0.

    A cell that is listed several times counts as their sum. Products add up in listed order,
    so a row's product does not depend on the other rows.
    """

    n_rows: int
    n_columns: int
    row: Integers
    column: Integers
    value: Floats

    def times(self, vector: Floats) -> Floats:
        """X·v: n_columns numbers in, n_rows out."""
        return sums(self.row, self.value * vector[self.column], self.n_rows)

    def transposed_times(self, vector: Floats) -> Floats:
        """Xᵀ·v: n_rows numbers in, n_columns out."""
        return sums(self.column, self.value * vector[self.row], self.n_columns)
