"""Systems under several judges: people, and metrics that stand in for them.

A judge gives each answer of a system a value from 0 to 1, and the system the mean of its answers
(Bulian 2022, Tab. 6; CFMatch, Tab. 4). All intervals come from one bootstrap over questions: every
replicate draws the same questions for all systems and all judges, so that whatever is compared is
paired.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from measures.bootstrap import Bootstrap, drawn_weights, percentile_estimate
from measures.estimate import Estimate, undefined

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

ONE_QUESTION = "one question cannot be resampled into an interval"


@dataclass(frozen=True, eq=False)
class AnswerScores:
    """Values (A, J) of A answers under J judges, and whose (A,) and to which question (A,) each is.

    Systems and questions are numbered from 0, and each has an answer. A system may have several
    answers to a question, or none. Raises ValueError if there is no answer, the lengths differ, or
    a value is not from 0 to 1.
    """

    judges: tuple[str, ...]
    systems: tuple[str, ...]
    values: Floats
    system: Integers
    question: Integers

    def __post_init__(self) -> None:
        if not len(self.values):
            raise ValueError("there is no answer of a system")
        if not len(self.values) == len(self.system) == len(self.question):
            raise ValueError("values, systems and questions differ in number")
        if self.values.shape[1] != len(self.judges):
            raise ValueError(
                f"{self.values.shape[1]} values of an answer, {len(self.judges)} judges"
            )
        if not ((self.values >= 0) & (self.values <= 1)).all():
            raise ValueError("the value of an answer is not from 0 to 1")

    @classmethod
    def of(
        cls,
        values: Mapping[str, Sequence[float] | Floats],
        systems: Sequence[str],
        questions: Sequence[object],
    ) -> "AnswerScores":
        """From each judge's value of every answer, its system and question; systems by name."""
        names = sorted(set(systems))
        places = {question: place for place, question in enumerate(dict.fromkeys(questions))}
        return cls(
            tuple(values),
            tuple(names),
            np.array([*values.values()], dtype=np.float64).T.reshape(len(systems), len(values)),
            np.array([names.index(system) for system in systems], dtype=np.int64),
            np.array([places[question] for question in questions], dtype=np.int64),
        )

    @cached_property
    def questions(self) -> int:
        """How many there are."""
        return int(self.question.max()) + 1

    @cached_property
    def sums(self) -> Floats:
        """By system and question, the sums of the values and, last, the answers (S, Q, J + 1)."""
        table = np.zeros((len(self.systems), self.questions, len(self.judges) + 1))
        np.add.at(
            table,
            (self.system, self.question),
            np.pad(self.values, ((0, 0), (0, 1)), constant_values=1),
        )
        return table


@dataclass(frozen=True, eq=False)
class SystemMeans:
    """The mean of every system under every judge (S, J), in each replicate (R, S, J).

    `n` of every estimate is the number of the system's answers. A replicate in which none of its
    answers is drawn is left out of the interval and counted.
    """

    answers: AnswerScores
    bootstrap: Bootstrap

    def mean(self, system: str, judge: str) -> Estimate:
        place, column = self._place(system), self._column(judge)
        return self._estimate(place, self.values[place, column], self.drawn[:, place, column])

    def difference(self, system: str, judge: str, other: str) -> Estimate:
        """The system's mean under `judge` less that under `other`."""
        place, one, two = self._place(system), self._column(judge), self._column(other)
        value = self.values[place, one] - self.values[place, two]
        drawn = self.drawn[:, place, one] - self.drawn[:, place, two]
        return self._estimate(place, value, drawn)

    def share(self, system: str, judge: str, other: str) -> Estimate:
        """The system's mean under `judge` over that under `other`; undefined if that is 0."""
        place, one, two = self._place(system), self._column(judge), self._column(other)
        if not self.values[place, two]:
            reason = f"{other}: no answer of the system is right"
            return undefined(reason, n=self._n(place), seed=self.bootstrap.seed)
        value = self.values[place, one] / self.values[place, two]
        return self._estimate(
            place, value, _ratio(self.drawn[:, place, one], self.drawn[:, place, two])
        )

    @cached_property
    def values(self) -> Floats:
        values: Floats = self._means(np.ones((1, self.answers.questions)))[0]
        return values

    @cached_property
    def drawn(self) -> Floats:
        sums = self.answers.sums
        width = sums.shape[0] * sums.shape[2]
        blocks = drawn_weights(self.answers.questions, width, self.bootstrap)
        return np.concatenate([self._means(block) for block in blocks])

    def _means(self, weights: Floats) -> Floats:
        return means_of(self.answers.sums, weights)

    def _estimate(self, place: int, value: float, drawn: Floats) -> Estimate:
        n = self._n(place)
        if self.answers.questions == 1:
            return Estimate(value=float(value), n=n, reason=ONE_QUESTION, seed=self.bootstrap.seed)
        return percentile_estimate(float(value), drawn, n=n, bootstrap=self.bootstrap)

    def _n(self, place: int) -> int:
        return int(self.answers.sums[place, :, -1].sum())

    def _place(self, system: str) -> int:
        return self.answers.systems.index(system)

    def _column(self, judge: str) -> int:
        return self.answers.judges.index(judge)


def means_of(sums: Floats, weights: Floats) -> Floats:
    """Means (R, S, J) over questions drawn `weights` (R, Q) times, NaN without an answer.

    `sums` (S, Q, J + 1) are as those of `AnswerScores`.
    """
    systems, questions, width = sums.shape
    flat = sums.transpose(1, 0, 2).reshape(questions, systems * width)
    drawn = (weights @ flat).reshape(len(weights), systems, width)
    return _ratio(drawn[..., :-1], np.broadcast_to(drawn[..., -1:], drawn[..., :-1].shape))


def _ratio(numerators: Floats, denominators: Floats) -> Floats:
    unknown = np.full(numerators.shape, np.nan)
    ratio: Floats = np.divide(numerators, denominators, out=unknown, where=denominators > 0)
    return ratio
