"""Admission of answers by a matcher instead of by labels, and what its errors cost.

Bulian 2022 §5 and App. C: a part of the calibration questions is labelled. There one counts how
often the top answer that the matcher admits is wrong, bounds that rate from above, and divides
every p-value by one minus the bound. The top answer is the
admitted one of least nonconformity; of several such, a right one, so that their order is of no
account.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from tomahto.conformal.answer_sets import CandidateTable
from tomahto.estimates.binomial import upper_bound
from tomahto.types import Flags

LABELLED_SHARE = Fraction(1, 10)
GAMMA = 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class AdmissionError:
    """How often a matcher's top answer is wrong.

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
    """How many of the calibration questions are labelled: a tenth, rounded up."""
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
