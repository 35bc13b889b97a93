"""Shares and means of things that belong to questions, with intervals over questions."""

from collections.abc import Sequence

import numpy as np

from tomahto.estimates.bootstrap import Bootstrap, cluster_mean, numbered
from tomahto.estimates.estimate import Estimate, undefined


def judged_share(rows: Sequence[tuple[str, float]], bootstrap: Bootstrap) -> Estimate:
    """The mean of values, each with its question, and the bootstrap interval over questions.

    True counts 1. `n` is the number of values.
    """
    if not rows:
        return undefined("there is nothing to count", n=0, seed=bootstrap.seed)
    questions, values = zip(*rows, strict=True)
    return cluster_mean(np.array(values, dtype=np.float64), numbered(questions), bootstrap)


def counted(value: int, n: int) -> Estimate:
    """A count over `n` lines or items; it has no interval."""
    return Estimate(value=value, n=n)
