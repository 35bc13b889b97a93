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

import numpy as np
from numpy.typing import NDArray

from measures.binomial import upper_bound
from measures.conformal import CandidateTable

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
        """What divides every p-value: one minus the bound."""
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
    labelled = _labelled(len(exact), seed)
    top = approximate.smallest_admissible[labelled]
    is_admitting = np.isfinite(top)
    wrong = is_admitting & ~_is_right(exact, approximate)[labelled]
    counts = {"admitting": int(is_admitting.sum()), "wrong": int(wrong.sum())}
    bound = upper_bound(counts["wrong"], counts["admitting"], gamma=gamma)
    return AdmissionError(labelled=len(labelled), **counts, bound=bound, gamma=gamma, seed=seed)


def _labelled(questions: int, seed: int) -> NDArray[np.int64]:
    size = math.ceil(questions * LABELLED_SHARE)
    return np.random.default_rng(seed).choice(questions, size=size, replace=False)


def _is_right(exact: CandidateTable, approximate: CandidateTable) -> NDArray[np.bool_]:
    """Whether an admissible answer is among the admitted ones of least nonconformity."""
    is_admitted = approximate.is_admissible & approximate.is_present
    is_top = is_admitted & (approximate.scores == approximate.smallest_admissible[:, np.newaxis])
    right: NDArray[np.bool_] = (is_top & exact.is_admissible).any(axis=1)
    return right
