"""Shares and means of things that belong to questions, with intervals over questions."""

from collections.abc import Sequence

import numpy as np

from tomahto.estimates.bootstrap import Bootstrap, drawn_ratios, percentile_estimate
from tomahto.estimates.estimate import Estimate, undefined

ONE_QUESTION = "one question cannot be resampled into an interval"


def judged_share(rows: Sequence[tuple[str, float]], bootstrap: Bootstrap) -> Estimate:
    """The mean of values, each with its question, and the bootstrap interval over questions.

    True counts 1. `n` is the number of values.
    """
    if not rows:
        return undefined("there is nothing to count", n=0, seed=bootstrap.seed)
    questions = {
        question: place for place, question in enumerate(dict.fromkeys(q for q, _ in rows))
    }
    places = np.array([questions[question] for question, _ in rows])
    values = np.array([value for _, value in rows], dtype=np.float64)
    mean, n = float(values.mean()), len(values)
    if len(questions) == 1:
        return Estimate(value=mean, n=n, reason=ONE_QUESTION, seed=bootstrap.seed)
    sums = np.bincount(places, weights=values)
    counts = np.bincount(places).astype(np.float64)
    drawn = drawn_ratios(sums.astype(np.float64), counts, bootstrap)
    return percentile_estimate(mean, drawn, n=n, bootstrap=bootstrap)


def counted(value: int, n: int) -> Estimate:
    """A count over `n` lines or items; it has no interval."""
    return Estimate(value=value, n=n)
