"""The lead of one system over another, under every judge, on the questions both answered."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from tomahto.estimates.bootstrap import Bootstrap, drawn_weights, percentile_estimate, with_ends
from tomahto.estimates.estimate import Estimate, undefined
from tomahto.estimates.stratified_table import StratifiedTable
from tomahto.ranking.system_scores import NOT_KNOWN, AnswerScores, weight_of_one
from tomahto.types import Flags, Floats, Integers

_CELLS = 5_000_000  # differences that are held at once: 40 MB
_TIE = 1e-12  # sums of the same values in another order differ by less


@dataclass(frozen=True, eq=False)
class SystemDifferences:
    """The lead of the first of every two systems over the second, under every judge.

    The P pairs are in the order of the systems. Only questions that both have answered count, by
    the strata of both answers (tomahto.ranking.system_accuracy.difference); where there is none, or
    none of a stratum is known, the difference is NaN.
    """

    answers: AnswerScores
    bootstrap: Bootstrap

    @cached_property
    def pairs(self) -> Sequence[tuple[int, int]]:
        return list(combinations(range(len(self.answers.systems)), 2))

    @cached_property
    def n(self) -> Integers:
        """On how many questions all judges know both answers (P,)."""
        n: Integers = self._known(range(len(self.answers.judges))).sum(axis=1)
        return n

    def compared(self, *judges: int) -> Flags:
        """Which pairs have a difference under these judges (P,)."""
        return _are_known(self.values[:, list(judges)])

    @cached_property
    def values(self) -> Floats:
        """(P, J)"""
        values: Floats = self._means(lambda _table: [np.ones((1, self.answers.questions))])[0]
        return values

    @cached_property
    def drawn(self) -> Floats:
        """In each replicate (R, P, J); the draws are those of `SystemMeans`."""
        questions, bootstrap = self.answers.questions, self.bootstrap
        return self._means(lambda table: drawn_weights(questions, table.width, bootstrap))

    def estimate(self, pair: int, judge: int) -> Estimate:
        """`n` is the number of questions on which the judge knows both answers."""
        value, known = float(self.values[pair, judge]), self._known([judge])[pair]
        n = int(known.sum())
        if np.isnan(value):
            shares = bool((self._strata(pair, pair + 1) >= 0).any())
            reason = NOT_KNOWN if shares else "the systems have answered no question in common"
            return undefined(reason, n=n, seed=self.bootstrap.seed)
        drawn = None
        if self.answers.questions > 1:
            weight = weight_of_one(self._strata(pair, pair + 1)[0], known)
            drawn = with_ends(self.drawn[:, pair, judge], 1 / weight, (-1.0, 1.0), self.bootstrap)
        return percentile_estimate(value, drawn, n=n, clusters=n, bootstrap=self.bootstrap)

    def _known(self, judges: Sequence[int]) -> Flags:
        """On which questions all of the judges know the answers of both (P, Q)."""
        known = _are_known(self.answers.by_question[..., list(judges)])
        both: Flags = known[self._first] & known[self._second]
        return both

    def _means(self, weights: Callable[[StratifiedTable], Iterable[Floats]]) -> Floats:
        """Of the pairs' differences, question by question, some pairs at a time."""
        size = max(1, _CELLS // (self.answers.questions * max(1, len(self.answers.judges))))
        parts = []
        for start in range(0, len(self.pairs), size):
            table = self._table(start, start + size)
            parts.append(np.concatenate([table.means(block) for block in weights(table)]))
        differences = np.concatenate(parts, axis=1)
        differences[np.abs(differences) < _TIE] = 0
        return differences

    def _table(self, start: int, stop: int) -> StratifiedTable:
        values = self.answers.by_question
        differences = values[self._first[start:stop]] - values[self._second[start:stop]]
        return StratifiedTable.of(self._strata(start, stop), differences)

    def _strata(self, start: int, stop: int) -> Integers:
        """What the answers of both are (P, Q), -1 where one has none."""
        strata = self.answers.strata
        one, two = strata[self._first[start:stop]], strata[self._second[start:stop]]
        both: Integers = np.where((one >= 0) & (two >= 0), one * (strata.max() + 1) + two, -1)
        return both

    @cached_property
    def _first(self) -> Integers:
        return np.array([one for one, _two in self.pairs], dtype=np.int64)

    @cached_property
    def _second(self) -> Integers:
        return np.array([two for _one, two in self.pairs], dtype=np.int64)


def _are_known(values: Floats) -> Flags:
    """Which have no NaN in their last axis."""
    return np.asarray((~np.isnan(values)).all(axis=-1))
