"""Conformal sets of candidate answers with expanded admission (Bulian 2022 §5, App. C).

An admissible answer is one that counts as right; a question may have several. With M_i the
smallest nonconformity among the admissible answers of calibration question i, n such questions,
and s the nonconformity of a candidate,

    p(s) = (#{i: M_i > s} + #{i: M_i = s} + 1) / (n + 1)

and the candidate stays if p(s) > epsilon = 1 - target (Fisch et al. 2021, on expanded
admission). That is so exactly if s is at most the ceil((n + 1)(1 - epsilon))-th smallest M_i,
which is how it is computed: whole numbers and fractions decide, no rounded product does.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tomahto.estimates.estimate import Estimate, undefined
from tomahto.types import Flags, Floats


@dataclass(frozen=True, eq=False)
class CandidateTable:
    """The candidates of Q questions, at most C each.

    `scores` (Q, C) is their nonconformity; `is_present` (Q, C) is false where a question has
    fewer candidates, and what stands there is ignored. `is_admissible` (Q, C) says which of them
    count as right.

    Raises ValueError if the shapes differ or the score of a candidate is not finite.
    """

    scores: Floats
    is_admissible: Flags
    is_present: Flags

    def __post_init__(self) -> None:
        if not self.scores.shape == self.is_admissible.shape == self.is_present.shape:
            raise ValueError(
                f"scores {self.scores.shape}, admission {self.is_admissible.shape} and presence"
                f" {self.is_present.shape} differ in shape"
            )
        if not np.isfinite(self.scores[self.is_present]).all():
            raise ValueError("the nonconformity of a candidate is not finite")

    def __len__(self) -> int:
        return len(self.scores)

    @classmethod
    def of_rows(
        cls, scores: Sequence[Sequence[float]], admissible: Sequence[Sequence[bool]]
    ) -> "CandidateTable":
        """The table of one list of candidates per question; the lists may differ in length."""
        width = max(map(len, scores), default=0)
        table = np.full((len(scores), width), np.inf)
        is_admissible, is_present = (np.zeros(table.shape, dtype=np.bool_) for _ in range(2))
        for row, (values, flags) in enumerate(zip(scores, admissible, strict=True)):
            table[row, : len(values)] = values
            is_admissible[row, : len(flags)] = flags
            is_present[row, : len(values)] = True
        return cls(table, is_admissible, is_present)

    def of_questions(self, which: NDArray[np.bool_] | NDArray[np.int64]) -> "CandidateTable":
        """The table of some of the questions: a flag for each, or their places."""
        return CandidateTable(self.scores[which], self.is_admissible[which], self.is_present[which])

    def of_best(self, count: int) -> "CandidateTable":
        """The same table with only the `count` candidates of least nonconformity of each question
        present; of equal ones those that stand first."""
        order = np.argsort(np.where(self.is_present, self.scores, np.inf), axis=1, kind="stable")
        is_best = np.zeros(self.is_present.shape, dtype=np.bool_)
        np.put_along_axis(is_best, order[:, :count], values=True, axis=1)
        return CandidateTable(self.scores, self.is_admissible, self.is_present & is_best)

    @cached_property
    def smallest_admissible(self) -> Floats:
        """M_i of every question (Q,); infinite where no candidate is admissible."""
        counted = np.where(self.is_admissible & self.is_present, self.scores, np.inf)
        smallest: Floats = counted.min(axis=1, initial=np.inf)
        return smallest


@dataclass(frozen=True, eq=False)
class AnswerSets:
    """The candidates that stay at a target accuracy.

    `threshold` is the largest nonconformity that stays: infinite if every candidate does, and
    minus infinite if none does. `kept` (Q, C) says which candidates stay, `is_covered` (Q,)
    whether an admissible one is among them.
    """

    target: Fraction
    threshold: float
    kept: Flags
    is_covered: Flags

    @property
    def mean_size(self) -> Estimate:
        """Mean number of candidates that stay; `n` is the number of questions."""
        return self._mean(int(self.kept.sum()))

    @property
    def accuracy(self) -> Estimate:
        """Share of questions whose set holds an admissible answer; `n` is their number."""
        return self._mean(int(self.is_covered.sum()))

    @property
    def indices(self) -> list[list[int]]:
        """For each question the places of the candidates that stay, from 0."""
        return [np.flatnonzero(row).tolist() for row in self.kept]

    def _mean(self, total: int) -> Estimate:
        questions = len(self.kept)
        if not questions:
            return undefined("there is no test question", n=0)
        return Estimate(value=total / questions, n=questions)


def answer_sets(
    minima: Floats, test: CandidateTable, target: Fraction, *, correction: Fraction = Fraction(1)
) -> AnswerSets:
    """The sets of the test questions, calibrated on the M_i of the calibration questions (n,).

    `correction` divides every p-value: 1 leaves them as they are, less makes the sets larger.

    Raises ValueError unless the target is from 0 to 1 and the correction too.
    """
    threshold = largest_kept(minima, target, correction=correction)
    kept: Flags = test.is_present & (test.scores <= threshold)
    is_covered: Flags = np.logical_or.reduce(kept & test.is_admissible, axis=1)
    return AnswerSets(target, threshold, kept, is_covered)


def largest_kept(minima: Floats, target: Fraction, *, correction: Fraction = Fraction(1)) -> float:
    """The largest nonconformity that stays, the M_i at `kept_rank`.

    It is infinite if n questions are too few for the target, or so many have no admissible
    answer; minus infinite if nothing stays. Raises ValueError as `answer_sets` does.
    """
    rank = kept_rank(len(minima), target, correction=correction)
    if rank > len(minima):
        return math.inf
    return float(np.partition(minima, rank - 1)[rank - 1]) if rank > 0 else -math.inf


def kept_rank(n: int, target: Fraction, *, correction: Fraction = Fraction(1)) -> int:
    """Up to which of n sorted M_i candidates stay: ceil((n + 1)(1 - correction * epsilon)).

    Dividing p by the correction is multiplying epsilon by it. Rank n + 1 keeps everything, rank 0
    nothing. Raises ValueError as `answer_sets` does.
    """
    for name, share in (("target", target), ("correction", correction)):
        if not 0 <= share <= 1:
            raise ValueError(f"the {name} {float(share)} is not between 0 and 1")
    return math.ceil((n + 1) * (1 - correction * (1 - target)))
