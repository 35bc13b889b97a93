"""Systems under several judges: people, and metrics that stand in for them.

A judge gives each answer of a system a value from 0 to 1, and the system the mean of its answers
(Bulian 2022, Tab. 6; CFMatch, Tab. 4); answers that are not judged yet count as the others of their
stratum do (`tomahto.estimates.post_stratified`). All intervals come from one bootstrap over
questions: every replicate draws the same questions for all systems and all judges, so that whatever
is compared is paired.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from tomahto.estimates.bootstrap import (
    Bootstrap,
    drawn_weights,
    numbered,
    percentile_estimate,
    ratio,
    with_ends,
)
from tomahto.estimates.estimate import Estimate, undefined
from tomahto.estimates.post_stratified import StratifiedTable
from tomahto.types import Flags, Floats, Integers

NOT_KNOWN = "none of those that are to be rated is judged"


@dataclass(frozen=True, eq=False)
class AnswerScores:
    """Values (A, J) of A answers under J judges, and whose (A,), to which question (A,) and of
    which stratum (A,) each is.

    Systems, questions and strata are numbered from 0; a system has at most one answer to a
    question. The value is NaN under a judge who has not judged the answer yet: those of its
    stratum that the judge knows stand for it (tomahto.estimates.post_stratified). Raises ValueError
    if there is no answer, a system has two to a question, the lengths differ, or a value is not
    from 0 to 1.
    """

    judges: tuple[str, ...]
    systems: tuple[str, ...]
    values: Floats
    system: Integers
    question: Integers
    stratum: Integers

    def __post_init__(self) -> None:
        if not len(self.values):
            raise ValueError("there is no answer of a system")
        if not len(self.values) == len(self.system) == len(self.question) == len(self.stratum):
            raise ValueError("values, systems, questions and strata differ in number")
        if self.values.shape[1] != len(self.judges):
            raise ValueError(
                f"{self.values.shape[1]} values of an answer, {len(self.judges)} judges"
            )
        known = self.values[~np.isnan(self.values)]
        if not ((known >= 0) & (known <= 1)).all():
            raise ValueError("the value of an answer is not from 0 to 1")
        pairs = set(zip(self.system.tolist(), self.question.tolist(), strict=True))
        if len(pairs) < len(self.values):
            raise ValueError("a system has two answers to a question")

    @classmethod
    def of(
        cls,
        values: Mapping[str, Sequence[float] | Floats],
        systems: Sequence[str],
        questions: Sequence[object],
        strata: Sequence[str] = (),
    ) -> "AnswerScores":
        """From each judge's value of every answer, its system and question; systems by name.

        Without `strata` all answers are of one.
        """
        names, kinds = sorted(set(systems)), sorted(set(strata))
        return cls(
            tuple(values),
            tuple(names),
            np.array([*values.values()], dtype=np.float64).T.reshape(len(systems), len(values)),
            np.array([names.index(system) for system in systems], dtype=np.int64),
            numbered(questions),
            np.array([kinds.index(kind) for kind in strata] or [0] * len(systems), dtype=np.int64),
        )

    @cached_property
    def questions(self) -> int:
        """The number of questions."""
        return int(self.question.max()) + 1

    @cached_property
    def strata(self) -> Integers:
        """The stratum of each system's answer to each question (S, Q), -1 without one."""
        table = np.full((len(self.systems), self.questions), -1)
        table[self.system, self.question] = self.stratum
        return table

    @cached_property
    def by_question(self) -> Floats:
        """The values of each system's answers (S, Q, J), NaN without a known one."""
        table = np.full((len(self.systems), self.questions, len(self.judges)), np.nan)
        table[self.system, self.question] = self.values
        return table


def weight_of_one(strata: Integers, is_known: Flags) -> float:
    """The weight of a known answer in the mean over all, by strata (Q,), -1 without an answer; on
    average over the answers, known or not."""
    units = np.bincount(strata[strata >= 0], minlength=1)
    known = np.bincount(strata[(strata >= 0) & is_known], minlength=len(units))
    total = max(1, int(units.sum()))
    return max(1.0, float((units**2 / np.maximum(1, known)).sum()) / total) / total


@dataclass(frozen=True, eq=False)
class SystemMeans:
    """The mean of every system under every judge (S, J), in each replicate (R, S, J).

    `n` of every estimate is the number of the system's answers that its judges know. A mean is
    undefined where none of a stratum is known. A replicate in which it is, or in which none of the
    system's answers is drawn, is left out of the interval and counted.
    """

    answers: AnswerScores
    bootstrap: Bootstrap

    def mean(self, system: str, judge: str) -> Estimate:
        place, column = self._place(system), self._column(judge)
        drawn = self._with_ends(self.drawn[:, place, column], (0.0, 1.0), place, column)
        return self._estimate(self._n(place, column), self.values[place, column], drawn)

    def difference(self, system: str, judge: str, other: str) -> Estimate:
        """The system's mean under `judge` less that under `other`."""
        place, one, two = self._place(system), self._column(judge), self._column(other)
        value = self.values[place, one] - self.values[place, two]
        drawn = self.drawn[:, place, one] - self.drawn[:, place, two]
        drawn = self._with_ends(drawn, (-1.0, 1.0), place, one, two)
        return self._estimate(self._n(place, one, two), value, drawn)

    def share(self, system: str, judge: str, other: str) -> Estimate:
        """The system's mean under `judge` over that under `other`; undefined if that is 0."""
        place, one, two = self._place(system), self._column(judge), self._column(other)
        n = self._n(place, one, two)
        if self.values[place, two] == 0:
            reason = f"{other}: no answer of the system is right"
            return undefined(reason, n=n, seed=self.bootstrap.seed)
        value = self.values[place, one] / self.values[place, two]
        return self._estimate(n, value, ratio(self.drawn[:, place, one], self.drawn[:, place, two]))

    @cached_property
    def values(self) -> Floats:
        values: Floats = self._table.means(np.ones((1, self.answers.questions)))[0]
        return values

    @cached_property
    def drawn(self) -> Floats:
        blocks = drawn_weights(self.answers.questions, self._table.width, self.bootstrap)
        return np.concatenate([self._table.means(block) for block in blocks])

    @cached_property
    def _table(self) -> StratifiedTable:
        return StratifiedTable.of(self.answers.strata, self.answers.by_question)

    def _estimate(self, n: int, value: float, drawn: Floats) -> Estimate:
        if np.isnan(value):
            return undefined(NOT_KNOWN, n=n, seed=self.bootstrap.seed)
        found = drawn if self.answers.questions > 1 else None
        return percentile_estimate(float(value), found, n=n, clusters=n, bootstrap=self.bootstrap)

    def _with_ends(
        self, drawn: Floats, ends: tuple[float, float], place: int, *columns: int
    ) -> Floats:
        weight = weight_of_one(self.answers.strata[place], self._known(place, *columns))
        return with_ends(drawn, 1 / weight, ends, self.bootstrap)

    def _n(self, place: int, *columns: int) -> int:
        return int(self._known(place, *columns).sum())

    def _known(self, place: int, *columns: int) -> Flags:
        """The questions with an answer that all these judges know (Q,)."""
        values = self.answers.by_question[place][:, columns]
        known: Flags = ~np.isnan(values).any(axis=1)
        return known

    def _place(self, system: str) -> int:
        return self.answers.systems.index(system)

    def _column(self, judge: str) -> int:
        return self.answers.judges.index(judge)


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
        """The pairs that have a difference under these judges (P,)."""
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
        """The answers of both (P, Q), -1 where one has none."""
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
    return np.asarray((~np.isnan(values)).all(axis=-1))
