"""Many trials in summary: means, and the 16th and 84th percentiles over the trials."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from tomahto.conformal.admission import GAMMA, labelled_questions
from tomahto.conformal.trials import Calibrated, ConformalTrials
from tomahto.estimates.estimate import Estimate, estimate_as_json
from tomahto.types import Floats, JsonObject

PERCENTILES = (16, 84)
"""One standard deviation either side of a normal mean (Bulian 2022, Fig. 2)."""
BETWEEN = 0.68


@dataclass(frozen=True, slots=True)
class SetFigures:
    """Mean size and accuracy of the sets at a target.

    `low` and `high` are the percentiles of the trials' values, and `confidence` the share of the
    trials between them: they show how much a split matters, not how sure the mean is. `n` is the
    number of test questions in a trial, `replicates` that of trials.
    """

    target: Fraction
    size: Estimate
    accuracy: Estimate

    def as_json(self) -> JsonObject:
        return {
            "mean_set_size": estimate_as_json(self.size),
            "accuracy": estimate_as_json(self.accuracy),
        }


def set_figures(trials: ConformalTrials, kind: Calibrated) -> list[SetFigures]:
    """Of every target, in their order."""
    sets, tested = trials.sets[kind], trials.questions - trials.calibration
    sizes = _over_trials(trials, sets.sizes, n=tested)
    accuracies = _over_trials(trials, sets.accuracies, n=tested)
    return [SetFigures(*each) for each in zip(trials.targets, sizes, accuracies, strict=True)]


def mean_bound(trials: ConformalTrials) -> Estimate | None:
    """The bound of the matcher's error; `n` is the number of labelled questions in a trial."""
    if trials.bounds is None:
        return None
    labelled = labelled_questions(trials.calibration)
    return _over_trials(trials, trials.bounds[:, np.newaxis], n=labelled)[0]


def signature(trials: ConformalTrials) -> str:
    """How the figures came about."""
    parts = [
        "conformal",
        "p:(greater+equal+1)/(n+1)",
        f"calibration:{trials.calibration}of{trials.questions}",
        f"trials:{trials.plan.trials}",
        f"seed:{trials.plan.seed}",
        f"unanswerable:{f'{trials.dropped}dropped' if trials.dropped else 'infinite'}",
        *([f"error:tenth,gamma:{GAMMA}"] if trials.bounds is not None else []),
        "v1",
    ]
    return "|".join(parts)


def trials_as_json(trials: ConformalTrials, targets: Sequence[str]) -> JsonObject:
    """All figures by the names of the targets, in their order."""
    rows = zip(*(set_figures(trials, kind) for kind in trials.sets), strict=True)
    bound = mean_bound(trials)
    return {
        "questions": trials.questions,
        "calibration": trials.calibration,
        "test": trials.questions - trials.calibration,
        "unanswerable": trials.unanswerable,
        "dropped": trials.dropped,
        "trials": trials.plan.trials,
        "seed": trials.plan.seed,
        "percentiles": list(PERCENTILES),
        **({"error_bound": estimate_as_json(bound)} if bound else {}),
        "signature": signature(trials),
        "targets": {
            name: _at_target(dict(zip(trials.sets, row, strict=True)))
            for name, row in zip(targets, rows, strict=True)
        },
    }


def _at_target(figures: dict[Calibrated, SetFigures]) -> JsonObject:
    """As `evaluate conformal` prints it of one split: the matcher's sets below the exact ones."""
    exact, *by_matcher = ((kind, each.as_json()) for kind, each in figures.items())
    return {**exact[1], **({"approximate": dict(by_matcher)} if by_matcher else {})}


def _over_trials(trials: ConformalTrials, values: Floats, *, n: int) -> list[Estimate]:
    """Estimates of the columns of a table with one row per trial."""
    low, high = np.percentile(values, PERCENTILES, axis=0)
    return [
        Estimate(
            value=float(value),
            n=n,
            low=float(least),
            high=float(most),
            replicates=trials.plan.trials,
            seed=trials.plan.seed,
            confidence=BETWEEN,
        )
        for value, least, most in zip(values.mean(axis=0), low, high, strict=True)
    ]
