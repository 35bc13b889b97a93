"""The scores that a metric gives the items of a report."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from tomahto.lab.judged import JudgedItem
from tomahto.matching.interface import Matcher, Pair
from tomahto.types import Floats


@dataclass(frozen=True, eq=False)
class MetricScores:
    """A metric's scores (I,) of I items, in their order.

    `version` is the metric's signature: it changes whenever a score could. An item is right to the
    metric if its score is at least `threshold`.

    Raises ValueError if a score is not from 0 to 1.
    """

    metric: str
    version: str
    threshold: float
    scores: Floats

    def __post_init__(self) -> None:
        if not ((self.scores >= 0) & (self.scores <= 1)).all():
            raise ValueError(f"{self.metric}: a score is not from 0 to 1")


def separating_threshold(flagged: Collection[tuple[float, bool]], usual: float) -> float:
    """The score from which just the accepted of these scores are: the usual one, or else the lowest
    of the accepted.

    Raises ValueError if a score is not accepted although one as low or lower is.
    """
    accepted = [score for score, is_accepted in flagged if is_accepted]
    others = max((score for score, is_accepted in flagged if not is_accepted), default=-math.inf)
    if others < usual <= min(accepted, default=math.inf):
        return usual
    lowest = min(accepted, default=math.nextafter(others, math.inf))
    if others >= lowest:
        pair = f"one of {lowest:g} is accepted, and one of {others:g} is not"
        raise ValueError(f"no score is its threshold: {pair}")
    return lowest


def pair_of(item: JudgedItem) -> Pair:
    return Pair(item.question, item.context, item.references, item.candidate)


def score_items(items: Sequence[JudgedItem], matcher: Matcher) -> MetricScores:
    """The matcher's scores. Raises what it raises."""
    scores = np.array(matcher.score([pair_of(item) for item in items]), dtype=np.float64)
    return MetricScores(matcher.name, matcher.version, matcher.threshold, scores)
