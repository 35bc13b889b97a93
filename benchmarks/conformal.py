"""Trials of answer sets on one core, beside a textbook: `python -m benchmarks.conformal`.

    python -m benchmarks.conformal [--trials 1000] [--textbook-trials 5]

2,400 generated questions calibrate, 600 are the test, with 50 candidates each and five targets, by
labels alone and with a matcher. The textbook gives every candidate a p-value by counting, as the
definitions say, and NumPy does the counting. Both draw the same splits, and the figures of all
trials that both have run must be equal.

Time is the processor's, so other programs disturb little; the fastest of a few runs counts.
"""

import argparse
import math
import os
import time
from collections.abc import Sequence
from fractions import Fraction
from functools import partial

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

from benchmarks.timing import fastest, timed
from tomahto.conformal.answer_sets import CandidateTable
from tomahto.conformal.trials import TrialPlan, conformal_trials
from tomahto.estimates.estimate import upper_bound
from tomahto.types import Floats, Integers

QUESTIONS, CANDIDATES, SEED = 3000, 50, 2022
TARGETS = tuple(map(Fraction, ("0.99", "0.95", "0.9", "0.8", "0.7")))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--trials", type=int, default=1000)
    options.add_argument("--textbook-trials", type=int, default=5)
    given = options.parse_args()
    exact, approximate = generated_tables()
    print(f"{QUESTIONS} questions x {CANDIDATES} candidates, {len(TARGETS)} targets", flush=True)
    for title, matcher in (("labels alone", None), ("labels and a matcher", approximate)):
        ours = given.trials / _ours(exact, matcher, given.trials)
        theirs = given.textbook_trials / _textbook(exact, matcher, given.textbook_trials)
        print(
            f"{title:22} {ours:8,.0f} trials/s, textbook {theirs:6.2f} trials/s,"
            f" {ours / theirs:,.0f} times as fast; equal in {given.textbook_trials} trials"
        )


def _ours(exact: CandidateTable, matcher: CandidateTable | None, trials: int) -> float:
    plan = TrialPlan(trials, seed=SEED)
    run = partial(conformal_trials, exact, TARGETS, plan, approximate=matcher)
    return fastest(run, time.process_time)


def _textbook(exact: CandidateTable, matcher: CandidateTable | None, trials: int) -> float:
    """Fails if a figure differs."""
    plan = TrialPlan(trials, seed=SEED)
    seconds, expected = timed(lambda: textbook(exact, matcher, plan), time.process_time)
    found = conformal_trials(exact, TARGETS, plan, approximate=matcher).sets.values()
    ours = [np.stack([sets.sizes, sets.accuracies], axis=-1) for sets in found]
    assert np.array_equal(np.stack(ours, axis=1), expected)
    return seconds


def generated_tables() -> tuple[CandidateTable, CandidateTable]:
    """Questions with labels, and the same admitted by a matcher that errs in 1 % of candidates."""
    generator = np.random.default_rng(SEED)
    scores = np.sort(generator.normal(size=(QUESTIONS, CANDIDATES)), axis=1)
    admissible = generator.random(scores.shape) < 0.05
    admitted = admissible ^ (generator.random(scores.shape) < 0.01)
    present = np.ones_like(admissible)
    return CandidateTable(scores, admissible, present), CandidateTable(scores, admitted, present)


def textbook(exact: CandidateTable, matcher: CandidateTable | None, plan: TrialPlan) -> Floats:
    """Size and accuracy (T, 1 or 3, K, 2) of each trial, way of calibrating and target."""
    generator, count = np.random.default_rng(plan.seed), round(len(exact) * plan.calibration)
    trials = []
    for _ in range(plan.trials):
        drawn = generator.permutation(len(exact))
        calibration, test = drawn[:count], drawn[count:]
        by_labels = _p_counts(exact, calibration, test)
        ways = [_judged(exact, test, by_labels, count, bound=0.0)]
        if matcher:
            by_matcher = _p_counts(matcher, calibration, test)
            bound = _bound(exact, matcher, calibration[: math.ceil(count / 10)])
            ways += [_judged(exact, test, by_matcher, count, bound=b) for b in (0.0, bound)]
        trials.append(ways)
    return np.array(trials)


def _p_counts(table: CandidateTable, calibration: Integers, test: Integers) -> list[list[int]]:
    """(n + 1) p of every candidate of every test question."""
    minima = np.array(
        [
            min(table.scores[question][table.is_admissible[question]], default=math.inf)
            for question in calibration
        ]
    )
    return [
        [
            int((minima > score).sum()) + int((minima == score).sum()) + 1
            for score in table.scores[question]
        ]
        for question in test
    ]


def _judged(
    exact: CandidateTable, test: Integers, counts: Sequence[Sequence[int]], n: int, *, bound: float
) -> list[tuple[float, float]]:
    figures = []
    for target in TARGETS:
        least = (1 - target) * (1 - Fraction(bound)) * (n + 1)
        kept = [[count > least for count in row] for row in counts]
        right = [
            any(stays and admissible for stays, admissible in zip(row, flags, strict=True))
            for row, flags in zip(kept, exact.is_admissible[test], strict=True)
        ]
        figures.append((sum(map(sum, kept)) / len(kept), sum(right) / len(right)))
    return figures


def _bound(exact: CandidateTable, matcher: CandidateTable, labelled: Integers) -> float:
    wrong = admitting = 0
    for question in labelled:
        admitted = np.flatnonzero(matcher.is_admissible[question])
        if len(admitted):
            top = admitted[np.argmin(matcher.scores[question][admitted])]
            admitting += 1
            wrong += not exact.is_admissible[question, top]
    return upper_bound(wrong, admitting, gamma=0.01)


if __name__ == "__main__":
    main()
