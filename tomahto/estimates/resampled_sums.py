"""Sums over a bootstrap's items, where there are too many kinds of items to draw each.

Whatever a replicate's figure is, it follows from sums over the drawn items. With M items drawn
from kinds p = 1 ... P that have the chances c_p and add the rows x_p, the sum has

    mean        M sum over p of c_p x_p
    covariance  M (sum over p of c_p x_p x_p' - m m'),   m = sum over p of c_p x_p

and is as good as normal if every column of x is not 0 for many items (Bickel and Freedman 1981,
"Some Asymptotic Theory for the Bootstrap", section 2; the error of a percentile is of the order
of the skewness over sqrt(M)). A draw then takes a number for each column, not for each kind.
Kinds that add to a column which is not 0 for few items, RARE of them or less, are drawn one by
one all the same, and the normal law holds for the sum of the others, given how many these are.

With fewer items than MANY_ITEMS, or kinds than MANY_KINDS, all is drawn one by one. Against
2,000 replicates drawn so, bounds differ by what another seed makes of them.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

import numpy as np

from tomahto.estimates.bootstrap import Bootstrap, blocks_of
from tomahto.types import Flags, Floats, Integers

MANY_ITEMS = 20_000
MANY_KINDS = 100
RARE = 1000  # items; the skewness of their number is 0.03
_NEGLIGIBLE = 1e-12  # of a column's variance: what rounding leaves of none


class Stratum(NamedTuple):
    """`items` drawn from kinds that have these chances (P,) and each add a row (P, D)."""

    items: int
    chances: Floats
    rows: Floats


_one_by_one: ContextVar[bool] = ContextVar("_one_by_one", default=False)


@contextmanager
def items_one_by_one() -> Iterator[None]:
    """Within it all is drawn one by one, as version 0.1.0 did."""
    before = _one_by_one.set(True)
    try:
        yield
    finally:
        _one_by_one.reset(before)


def is_large(units: Integers) -> bool:
    """Whether sums are to be drawn: of `units` (P,) items of each kind."""
    if _one_by_one.get():
        return False
    return len(units) > MANY_KINDS and int(units.sum()) >= MANY_ITEMS


def drawn_sums(units: Integers, rows: Floats, bootstrap: Bootstrap) -> Floats:
    """The sums (R, D) of what as many drawn items add as there are; each kind adds a row (P, D)."""
    sums = ResampledSums.of([Stratum(int(units.sum()), units / units.sum(), rows)])
    generator = np.random.default_rng(bootstrap.seed)
    return np.concatenate(list(sums.draw([generator], bootstrap.replicates)))


class ResampledSums(NamedTuple):
    """What is drawn: the rare kinds of each stratum, and the others' sum by its covariance.

    `root` (D, D) times its transpose is the covariance of the others' sum.
    """

    strata: Sequence["_Parts"]
    root: Floats

    @classmethod
    def of(cls, strata: Sequence[Stratum]) -> "ResampledSums":
        """The sums over all strata; what few items add to, all strata together, is rare."""
        having = np.sum([one.items * (one.chances @ (one.rows != 0)) for one in strata], axis=0)
        is_rare = having <= RARE
        parts = [_parts(one, np.count_nonzero(one.rows[:, is_rare], axis=1) > 0) for one in strata]
        covariance = sum(one.covariance * one.others for one in parts)
        return cls(parts, _root(np.asarray(covariance)))

    def draw(self, generators: Sequence[np.random.Generator], replicates: int) -> Iterator[Floats]:
        """Sums (r, D), some replicates at a time, from a generator for each stratum."""
        width = max(len(self.root), *(len(one.rows) for one in self.strata))
        for size in blocks_of(replicates, width):
            sums = generators[0].standard_normal((size, len(self.root))) @ self.root.T
            for one, generator in zip(self.strata, generators, strict=True):
                drawn = generator.multinomial(one.items, one.chances, size=size)
                sums += drawn @ one.rows
            yield sums


class _Parts(NamedTuple):
    """A stratum's rare kinds, and last its `others` as one kind that adds their mean."""

    items: int
    chances: Floats
    rows: Floats
    others: float
    covariance: Floats


def _parts(stratum: Stratum, is_rare: Flags) -> _Parts:
    chances, rows = stratum.chances[~is_rare], stratum.rows[~is_rare]
    share = float(chances.sum())
    mean = chances @ rows / share if share else np.zeros(rows.shape[1])
    apart = rows - mean
    covariance = (apart * chances[:, np.newaxis]).T @ apart / (share or 1)
    all_chances = np.append(stratum.chances[is_rare], share)
    return _Parts(
        items=stratum.items,
        chances=all_chances / all_chances.sum(),
        rows=np.concatenate([stratum.rows[is_rare], mean[np.newaxis]]),
        others=stratum.items * share,
        covariance=covariance,
    )


def _root(covariance: Floats) -> Floats:
    """The Cholesky factor, columns that follow from those before left at 0.

    Unlike eigenvectors it has one sign and one order, so the same seed draws the same anywhere.
    """
    left, root = covariance.copy(), np.zeros_like(covariance)
    for column in range(len(covariance)):
        if left[column, column] > _NEGLIGIBLE * covariance[column, column]:
            root[column:, column] = left[column:, column] / np.sqrt(left[column, column])
            left -= np.outer(root[:, column], root[:, column])
    return root
