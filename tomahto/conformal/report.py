"""Answer sets at several targets, calibrated by labels and, where there is one, by a matcher."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from fractions import Fraction

from tomahto.conformal.admission import AdmissionError, admission_error
from tomahto.conformal.answer_sets import AnswerSets, CandidateTable, answer_sets
from tomahto.types import JsonObject


@dataclass(frozen=True, eq=False)
class ApproximateSets:
    """The sets calibrated by a matcher's admission: as they come, and corrected for its error."""

    raw: AnswerSets
    corrected: AnswerSets
    error: AdmissionError

    def as_json(self) -> JsonObject:
        return {
            "raw": sets_as_json(self.raw),
            "corrected": sets_as_json(self.corrected),
            "error": asdict(self.error),
        }


@dataclass(frozen=True, eq=False)
class ConformalSets:
    """The sets of the test questions at one target, calibrated on `calibration` questions."""

    calibration: int
    exact: AnswerSets
    approximate: ApproximateSets | None

    def as_json(self) -> JsonObject:
        """The sets as a JSON object; what is undefined is null beside a "reason"."""
        approximate = {"approximate": self.approximate.as_json()} if self.approximate else {}
        return {**sets_as_json(self.exact), "calibration": self.calibration, **approximate}


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
    return {
        name: replace(sets[name], approximate=_approximate(approximate, error, test, target))
        for name, target in targets.items()
    }


def _approximate(
    calibration: CandidateTable, error: AdmissionError, test: CandidateTable, target: Fraction
) -> ApproximateSets:
    minima = calibration.smallest_admissible
    return ApproximateSets(
        raw=answer_sets(minima, test, target),
        corrected=answer_sets(minima, test, target, correction=error.correction),
        error=error,
    )


def sets_as_json(sets: AnswerSets) -> JsonObject:
    """The sets as a JSON object; a threshold that keeps all or nothing is null."""
    reasons = [sets.mean_size.reason] if sets.mean_size.reason else []
    if math.isinf(sets.threshold):
        reasons.append("every candidate stays" if sets.threshold > 0 else "no candidate stays")
    return {
        "mean_set_size": sets.mean_size.value,
        "accuracy": sets.accuracy.value,
        "n": sets.accuracy.n,
        "threshold": None if math.isinf(sets.threshold) else sets.threshold,
        **({"reason": "; ".join(reasons)} if reasons else {}),
        "sets": sets.indices,
    }
