"""What one system has more than another, under every judge, on the questions both answered."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from measures.bootstrap import Bootstrap, drawn_weights, percentile_estimate
from measures.estimate import Estimate, undefined
from measures.system_scores import ONE_QUESTION, AnswerScores, means_of

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Integers = NDArray[np.int64]

_TIE = 1e-12  # sums of the same values in another order differ by less


@dataclass(frozen=True, eq=False)
class SystemDifferences:
    """What the first of every two systems has more than the second, under every judge.

    The P pairs are in the order of the systems. Only questions that both have answered count; where
    there is none, the difference is NaN.
    """

    answers: AnswerScores
    bootstrap: Bootstrap

    @cached_property
    def pairs(self) -> Sequence[tuple[int, int]]:
        return list(combinations(range(len(self.answers.systems)), 2))

    @cached_property
    def shared(self) -> Flags:
        """Which questions both have answered (P, Q)."""
        answered = self.answers.sums[..., -1] > 0
        flags: Flags = np.array([answered[one] & answered[two] for one, two in self.pairs])
        return flags.reshape(len(self.pairs), self.answers.questions)

    @cached_property
    def n(self) -> Integers:
        """How many questions that are (P,)."""
        n: Integers = self.shared.sum(axis=1)
        return n

    @cached_property
    def values(self) -> Floats:
        """(P, J)"""
        values: Floats = self._differences(np.ones((1, self.answers.questions)))[0]
        return values

    @cached_property
    def drawn(self) -> Floats:
        """In each replicate (R, P, J); the draws are those of `SystemMeans`."""
        width = self.answers.sums.shape[0] * self.answers.sums.shape[2]
        blocks = drawn_weights(self.answers.questions, width, self.bootstrap)
        return np.concatenate([self._differences(block) for block in blocks])

    def estimate(self, pair: int, judge: int) -> Estimate:
        """`n` is the number of questions that both have answered."""
        value, n = float(self.values[pair, judge]), int(self.n[pair])
        if not n:
            reason = "the systems have answered no question in common"
            return undefined(reason, n=0, seed=self.bootstrap.seed)
        if self.answers.questions == 1:
            return Estimate(value=value, n=n, reason=ONE_QUESTION, seed=self.bootstrap.seed)
        drawn = self.drawn[:, pair, judge]
        return percentile_estimate(value, drawn, n=n, bootstrap=self.bootstrap)

    def _differences(self, weights: Floats) -> Floats:
        shape = (len(weights), len(self.pairs), len(self.answers.judges))
        differences = np.full(shape, np.nan)
        for group in self._groups:
            means = means_of(group.sums, weights[:, group.questions])
            for pair in group.pairs:
                one, two = (group.systems.index(system) for system in self.pairs[pair])
                differences[:, pair] = means[:, one] - means[:, two]
        differences[np.abs(differences) < _TIE] = 0
        return differences

    @cached_property
    def _groups(self) -> Sequence["_PairsOnQuestions"]:
        by_questions: dict[bytes, list[int]] = {}
        for pair, shared in enumerate(self.shared):
            by_questions.setdefault(shared.tobytes(), []).append(pair)
        return [self._group(pairs) for pairs in by_questions.values()]

    def _group(self, pairs: Sequence[int]) -> "_PairsOnQuestions":
        systems = sorted({system for pair in pairs for system in self.pairs[pair]})
        questions = np.flatnonzero(self.shared[pairs[0]])
        sums = self.answers.sums[systems][:, questions]
        return _PairsOnQuestions(pairs, systems, questions, sums)


class _PairsOnQuestions(NamedTuple):
    """Pairs of systems that have the same questions in common, and the sums on these."""

    pairs: Sequence[int]
    systems: Sequence[int]
    questions: Integers
    sums: Floats
