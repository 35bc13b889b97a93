"""Conformal sets of candidate answers with expanded admission (Bulian 2022 §5, App. C).

An admissible answer is one that counts as right; a question may have several. With M_i the
smallest nonconformity among the admissible answers of calibration question i, n such questions,
and s the nonconformity of a candidate,

    p(s) = (#{i: M_i > s} + #{i: M_i = s} + 1) / (n + 1)

and the candidate stays if p(s) > epsilon = 1 - target (Fisch et al. 2021, on expanded
admission). That is so exactly if s is at most the ceil((n + 1)(1 - epsilon))-th smallest M_i,
which is how it is computed: whole numbers and fractions decide, no rounded product does.

Answers may be admitted by a matcher instead of by labels. Then a part of the calibration questions
is labelled: there one counts how often the top answer that the matcher admits is wrong, bounds that
rate from above, and divides every p-value by one minus the bound. The top answer is the admitted
one of least nonconformity; of several such, a right one, so that their order is of no account.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tomahto.estimates.estimate import Estimate, fields_as_json, undefined, upper_bound
from tomahto.types import Flags, Floats, JsonObject


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

    def as_json(self) -> JsonObject:
        """The sets as a JSON object; a threshold that keeps all or nothing is null."""
        reasons = [self.mean_size.reason] if self.mean_size.reason else []
        is_all_or_nothing = math.isinf(self.threshold)
        if is_all_or_nothing:
            reasons.append("every candidate stays" if self.threshold > 0 else "no candidate stays")
        return {
            "mean_set_size": self.mean_size.value,
            "accuracy": self.accuracy.value,
            "n": self.accuracy.n,
            "threshold": None if is_all_or_nothing else self.threshold,
            **({"reason": "; ".join(reasons)} if reasons else {}),
            "sets": self.indices,
        }

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


LABELLED_SHARE = Fraction(1, 10)
GAMMA = 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class AdmissionError:
    """The share of questions whose top answer by a matcher is wrong.

    `labelled` questions were drawn with `seed`. In `admitting` of them the matcher admits an
    answer, and in `wrong` of those the top one is not admissible. The true rate exceeds `bound`
    with probability `gamma` at most.
    """

    labelled: int
    admitting: int
    wrong: int
    bound: float
    gamma: float
    seed: int

    @property
    def correction(self) -> Fraction:
        """The divisor of every p-value: one minus the bound."""
        return 1 - Fraction(self.bound)


def admission_error(
    exact: CandidateTable, approximate: CandidateTable, *, seed: int, gamma: float = GAMMA
) -> AdmissionError:
    """The matcher's error on a random tenth of the calibration questions, at least one.

    Both tables hold the same candidates; `exact` admits by labels, `approximate` by the matcher.
    A question for which the matcher admits nothing has no top answer and is not counted.

    Raises ValueError if there is no question.
    """
    if not len(exact):
        raise ValueError("there is no calibration question")
    size = labelled_questions(len(exact))
    labelled = np.random.default_rng(seed).choice(len(exact), size=size, replace=False)
    tops = judged_tops(exact, approximate)
    counts = {
        "admitting": int(tops.is_admitting[labelled].sum()),
        "wrong": int(tops.is_wrong[labelled].sum()),
    }
    bound = upper_bound(counts["wrong"], counts["admitting"], gamma=gamma)
    return AdmissionError(labelled=size, **counts, bound=bound, gamma=gamma, seed=seed)


def labelled_questions(calibration: int) -> int:
    """The number of calibration questions that are labelled: a tenth, rounded up."""
    return math.ceil(calibration * LABELLED_SHARE)


class JudgedTops(NamedTuple):
    """For every question (Q,): whether the matcher admits an answer, and whether its top is wrong.

    Where nothing is admitted there is no top answer, and so none that is wrong.
    """

    is_admitting: Flags
    is_wrong: Flags


def judged_tops(exact: CandidateTable, approximate: CandidateTable) -> JudgedTops:
    """The matcher's top answers judged by the labels; both tables hold the same candidates."""
    top = approximate.smallest_admissible
    is_admitting: Flags = np.isfinite(top)
    is_admitted = approximate.is_admissible & approximate.is_present
    is_top = is_admitted & (approximate.scores == top[:, np.newaxis])
    return JudgedTops(is_admitting, is_admitting & ~(is_top & exact.is_admissible).any(axis=1))


@dataclass(frozen=True, eq=False)
class ApproximateSets:
    """The sets calibrated by a matcher's admission: as they come, and corrected for its error."""

    raw: AnswerSets
    corrected: AnswerSets
    error: AdmissionError

    def as_json(self) -> JsonObject:
        return fields_as_json(self)


@dataclass(frozen=True, eq=False)
class ConformalSets:
    """The sets of the test questions at one target, calibrated on `calibration` questions."""

    calibration: int
    exact: AnswerSets
    approximate: ApproximateSets | None

    def as_json(self) -> JsonObject:
        """The sets as a JSON object; what is undefined is null beside a "reason"."""
        approximate = {"approximate": self.approximate.as_json()} if self.approximate else {}
        return {**self.exact.as_json(), "calibration": self.calibration, **approximate}


def conformal_sets(
    calibration: CandidateTable,
    test: CandidateTable,
    targets: Mapping[str, Fraction],
    *,
    approximate: CandidateTable | None = None,
    seed: int = 0,
) -> dict[str, ConformalSets]:
    """The sets at each named target accuracy.

    `approximate` holds the calibration questions again, admitted by a matcher, which needs no
    labels and so admits all of them. Its error is estimated on a tenth of them, drawn with
    `seed`. The accuracy of every set is judged by the labels of the test questions.

    Raises ValueError if there is no calibration question or a target is not from 0 to 1.
    """
    if not len(calibration):
        raise ValueError("there is no calibration question")
    sets = {
        name: ConformalSets(
            len(calibration), answer_sets(calibration.smallest_admissible, test, target), None
        )
        for name, target in targets.items()
    }
    if approximate is None:
        return sets
    error = admission_error(calibration, approximate, seed=seed)
    minima = approximate.smallest_admissible
    for name, target in targets.items():
        raw = answer_sets(minima, test, target)
        corrected = answer_sets(minima, test, target, correction=error.correction)
        sets[name] = replace(sets[name], approximate=ApproximateSets(raw, corrected, error))
    return sets
