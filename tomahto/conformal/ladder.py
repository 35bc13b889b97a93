"""The order of all scores that decides what answer sets keep, as whole numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tomahto.conformal.answer_sets import CandidateTable
from tomahto.types import Integers


class KeptCounts(NamedTuple):
    """By threshold: how many candidates of some questions stay, and how many of the questions keep
    an admissible one."""

    candidates: Integers
    covered: Integers


@dataclass(frozen=True, eq=False)
class Ladder:
    """The distinct finite M_i are the steps 1, ..., `top` - 1. As a threshold, 0 keeps nothing and
    `top`, an infinite M_i, everything.

    `minima` are the steps of the M_i (Q,) by each admission, the first of them by labels.
    `candidates` (Q, C) are the lowest thresholds that keep a candidate, `top` + 1 where there is
    none.
    """

    top: int
    minima: tuple[Integers, ...]
    candidates: Integers

    @classmethod
    def of(cls, tables: Sequence[CandidateTable]) -> "Ladder":
        """Of the same candidates with one or more ways of admission."""
        minima = [table.smallest_admissible for table in tables]
        finite = np.concatenate(minima)
        steps = np.unique(finite[np.isfinite(finite)])
        top, first = len(steps) + 1, tables[0]
        places = np.searchsorted(steps, np.where(first.is_present, first.scores, np.inf)) + 1
        return cls(
            top,
            tuple(np.searchsorted(steps, each) + 1 for each in minima),
            np.where(first.is_present, places, top + 1),
        )

    def thresholds(self, admission: int, calibration: Integers, ranks: Integers) -> Integers:
        """The M_i of these ranks (K,) among the calibration questions: rank 0 is below all of
        them, and the rank after the last above."""
        ordered = np.sort(self.minima[admission][calibration])
        return np.concatenate([[0], ordered, [self.top]])[ranks]

    def counts(self, questions: Integers) -> KeptCounts:
        """What stays of these questions at the thresholds 0, ..., `top`."""
        kept = np.bincount(self.candidates[questions].ravel(), minlength=self.top + 2)
        covered = np.bincount(self.minima[0][questions], minlength=self.top + 1)
        covered[self.top] = 0  # what has no admissible candidate is never covered
        return KeptCounts(kept[:-1].cumsum(), covered.cumsum())
