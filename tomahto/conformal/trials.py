"""Answer sets over many random splits of the same questions (Bulian 2022 §5, App. C, Tab. 8).

A trial draws which questions calibrate and judges the sets of the others. Only the order of the
scores decides what stays, so every candidate gets its place on a ladder of all M_i once, and a
trial counts places: all targets together cost hardly more than one.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NamedTuple

import numpy as np

from tomahto.conformal.answer_sets import (
    GAMMA,
    CandidateTable,
    JudgedTops,
    judged_tops,
    kept_rank,
    labelled_questions,
)
from tomahto.estimates.estimate import Estimate, estimate_as_json, upper_bound
from tomahto.types import Floats, Integers, JsonObject


class KeptCounts(NamedTuple):
    """By threshold: how many candidates of some questions stay, and how many of the questions keep
    an admissible one."""

    candidates: Integers
    covered: Integers


@dataclass(frozen=True, eq=False)
class Ladder:
    """The distinct finite M_i are the steps 1, ..., `top` - 1. As a threshold, 0 keeps nothing and
    `top`, an infinite M_i, everything.

    `minima` are the steps of the M_i (Q,) by each admission, the first of them by labels.
    `candidates` (Q, C) are the lowest thresholds that keep a candidate, `top` + 1 where there is
    none.
    """

    top: int
    minima: tuple[Integers, ...]
    candidates: Integers

    @classmethod
    def of(cls, tables: Sequence[CandidateTable]) -> "Ladder":
        """Of the same candidates with one or more ways of admission."""
        minima = [table.smallest_admissible for table in tables]
        finite = np.concatenate(minima)
        steps = np.unique(finite[np.isfinite(finite)])
        top, first = len(steps) + 1, tables[0]
        places = np.searchsorted(steps, np.where(first.is_present, first.scores, np.inf)) + 1
        return cls(
            top,
            tuple(np.searchsorted(steps, each) + 1 for each in minima),
            np.where(first.is_present, places, top + 1),
        )

    def thresholds(self, admission: int, calibration: Integers, ranks: Integers) -> Integers:
        """The M_i of these ranks (K,) among the calibration questions: rank 0 is below all of
        them, and the rank after the last above."""
        ordered = np.sort(self.minima[admission][calibration])
        return np.concatenate([[0], ordered, [self.top]])[ranks]

    def counts(self, questions: Integers) -> KeptCounts:
        """The rest of these questions at the thresholds 0, ..., `top`."""
        kept = np.bincount(self.candidates[questions].ravel(), minlength=self.top + 2)
        covered = np.bincount(self.minima[0][questions], minlength=self.top + 1)
        covered[self.top] = 0  # what has no admissible candidate is never covered
        return KeptCounts(kept[:-1].cumsum(), covered.cumsum())


Calibrated = Literal["exact", "raw", "corrected"]
"""By labels; by a matcher, as it comes; by a matcher, corrected for its error."""


class TrialPlan(NamedTuple):
    """The number of draws, the share of the questions that calibrates, and the seed.

    The paper has 50 trials with 80 % for calibration.
    """

    trials: int = 50
    calibration: Fraction = Fraction(4, 5)
    seed: int = 0


@dataclass(frozen=True, eq=False)
class TrialSets:
    """Of every trial at every target (T, K): the mean size of the sets, and the share of the test
    questions whose set holds an admissible answer."""

    sizes: Floats
    accuracies: Floats


@dataclass(frozen=True, eq=False)
class ConformalTrials:
    """The sets by each way of calibrating; `raw` and `corrected` are there if a matcher admitted.

    Of `questions`, `calibration` calibrate in each trial and the others are the test.
    `unanswerable` of them have no admissible candidate; `dropped` more had none and were left out.
    `bounds` (T,) are the upper bounds of the matcher's error, None without one.
    """

    plan: TrialPlan
    targets: tuple[Fraction, ...]
    questions: int
    calibration: int
    unanswerable: int
    dropped: int
    sets: Mapping[Calibrated, TrialSets]
    bounds: Floats | None


def conformal_trials(
    exact: CandidateTable,
    targets: Sequence[Fraction],
    plan: TrialPlan,
    *,
    approximate: CandidateTable | None = None,
    drop_unanswerable: bool = False,
) -> ConformalTrials:
    """The sets of all trials at all targets.

    `approximate` holds the same candidates admitted by a matcher. In each trial its error is
    counted on a tenth of the calibration questions and bounded with gamma = 0.01, and dividing
    all p-values by one minus the bound corrects for it (App. C). The accuracy of every set is
    judged by `exact`.

    A question without an admissible answer calibrates as infinite. With `drop_unanswerable`, those
    that have none by `exact` are left out of calibration and test alike; where the matcher alone
    admits nothing, the question stays, infinite to the matcher.

    Raises ValueError if no question is left to calibrate or to test, if there is no trial, or if a
    target is not from 0 to 1.
    """
    if plan.trials < 1:
        raise ValueError(f"{plan.trials} trials are none")
    asked, is_answerable = len(exact), np.isfinite(exact.smallest_admissible)
    if drop_unanswerable:
        exact = exact.of_questions(is_answerable)
        approximate = approximate.of_questions(is_answerable) if approximate else None
    found = _Trials(exact, approximate, targets, plan)
    drawn = list(found.draw())
    return ConformalTrials(
        plan,
        tuple(targets),
        questions=len(exact),
        calibration=found.calibration,
        unanswerable=len(exact) - int(is_answerable.sum()),
        dropped=asked - len(exact),
        sets={
            kind: TrialSets(
                np.array([trial.sizes[kind] for trial in drawn]),
                np.array([trial.accuracies[kind] for trial in drawn]),
            )
            for kind in drawn[0].sizes
        },
        bounds=np.array([trial.bound for trial in drawn]) if approximate else None,
    )


class _Trial(NamedTuple):
    """The figures of one trial, by way of calibrating (K,)."""

    sizes: dict[Calibrated, Floats]
    accuracies: dict[Calibrated, Floats]
    bound: float | None


class _Trials:
    def __init__(
        self,
        exact: CandidateTable,
        approximate: CandidateTable | None,
        targets: Sequence[Fraction],
        plan: TrialPlan,
    ) -> None:
        self.calibration = count = round(len(exact) * plan.calibration)
        if not 0 < count < len(exact):
            raise ValueError(
                f"of {len(exact)} questions {count} would calibrate and {len(exact) - count} be"
                " tested: both need at least one"
            )
        self._questions, self._plan, self._targets = len(exact), plan, targets
        self._ladder = Ladder.of([exact, approximate] if approximate else [exact])
        self._tops = judged_tops(exact, approximate) if approximate else None
        self._ranks = self._ranks_for(0.0)
        self._corrected: dict[tuple[int, int], tuple[float, Integers]] = {}

    def draw(self) -> Iterator[_Trial]:
        """One trial after the other; a longer series begins like a shorter one."""
        generator = np.random.default_rng(self._plan.seed)
        for _ in range(self._plan.trials):
            drawn = generator.permutation(self._questions)
            yield self._trial(drawn[: self.calibration], drawn[self.calibration :])

    def _trial(self, calibration: Integers, test: Integers) -> _Trial:
        kept, bound = self._ladder.counts(test), None
        thresholds: dict[Calibrated, Integers] = {
            "exact": self._ladder.thresholds(0, calibration, self._ranks)
        }
        if self._tops:
            bound, corrected = self._correction(self._tops, calibration)
            thresholds["raw"] = self._ladder.thresholds(1, calibration, self._ranks)
            thresholds["corrected"] = self._ladder.thresholds(1, calibration, corrected)
        return _Trial(
            {kind: kept.candidates[place] / len(test) for kind, place in thresholds.items()},
            {kind: kept.covered[place] / len(test) for kind, place in thresholds.items()},
            bound,
        )

    def _correction(self, tops: JudgedTops, calibration: Integers) -> tuple[float, Integers]:
        """The bound of the matcher's error and the ranks that make up for it. The first tenth of
        what was drawn is labelled, which is as random as any."""
        labelled = calibration[: labelled_questions(len(calibration))]
        wrong = int(tops.is_wrong[labelled].sum())
        admitting = int(tops.is_admitting[labelled].sum())
        if (wrong, admitting) not in self._corrected:
            bound = upper_bound(wrong, admitting, gamma=GAMMA)
            self._corrected[wrong, admitting] = bound, self._ranks_for(bound)
        return self._corrected[wrong, admitting]

    def _ranks_for(self, bound: float) -> Integers:
        correction = 1 - Fraction(bound)
        ranks = [kept_rank(self.calibration, t, correction=correction) for t in self._targets]
        return np.array(ranks, dtype=np.int64)


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
    """The method behind the figures, as a signature."""
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
